import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { FALLIBLE, troubled, type Fallible } from "./troubled-ledger.ts";
import { BEYOND_LEASES_MS, calm, latch, loseAnswer, openWorld, statusRefOf, told, type World } from "./world.ts";

const GONE = new Error("the ledger is away");

/** How one call of one method fails. */
interface Mode {
  /** Answers instead of the ledger. */
  act(method: Fallible, carryOut: () => Promise<unknown>): Promise<unknown>;
  /** What else fails until the ledger is well again: reading, or everything from then on. */
  readonly also?: "reading" | "everything";
  readonly storesAfterReading?: true;
  readonly only?: readonly Fallible[];
}

const refuse = (): Promise<never> => Promise.reject(GONE);

const MODES: Readonly<Record<string, Mode>> = {
  "throws, and has not stored": { act: refuse },
  "throws, though it has stored": {
    act: async (_method, carryOut) => {
      await carryOut();
      throw GONE;
    },
  },
  "throws, and stores a little later": {
    act: async (_method, carryOut) => {
      setImmediate(() => {
        carryOut().catch(() => undefined);
      });
      throw GONE;
    },
  },
  "throws, stores before it is read again": {
    act: async (_method, carryOut) => {
      queueMicrotask(() => {
        carryOut().catch(() => undefined);
      });
      throw GONE;
    },
  },
  "throws, and stores once it was read again": { act: refuse, storesAfterReading: true },
  "throws, and cannot be read": { act: refuse, also: "reading" },
  "throws, though it has stored, and cannot be read": {
    act: async (_method, carryOut) => {
      await carryOut();
      throw GONE;
    },
    also: "reading",
  },
  "is away from then on": { act: refuse, also: "everything" },
  "stores, and is away from then on": {
    act: async (_method, carryOut) => {
      await carryOut();
      throw GONE;
    },
    also: "everything",
  },
  "says that somebody else holds it": {
    act: async (method) => (method === "takeOwner" ? null : { kind: "fenced" }),
    only: ["recordIntent", "recordStart", "recordStep", "takeOwner"],
  },
};

/** What the caller is told: a code, a success, or the code of a host error. */
interface End {
  readonly says: string;
  readonly result: ResultPackage | null;
}

async function endOf(running: Promise<ResultPackage>): Promise<End> {
  try {
    const result = await running;
    return { says: told(result), result };
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return { says: `host error ${error.code}`, result: null };
  }
}

/** What is done while the ledger fails. */
interface Deed {
  readonly prepare?: (world: World) => Promise<unknown>;
  readonly act: (world: World) => Promise<End>;
  readonly uses: readonly Fallible[];
}

const dispatching: readonly Fallible[] = [
  "takeExpired",
  "claimIdentity",
  "recordIntent",
  "recordStart",
  "recordStep",
  "readAttempt",
];
const writing: readonly Fallible[] = [...dispatching, "lookUpScope", "markDoubt"];
const asking: readonly Fallible[] = [
  ...([
    "takeExpired",
    "claimIdentity",
    "findOwner",
    "takeOwner",
    "recordStep",
    "readAttempt",
    "recordQueryEnd",
  ] as const),
];

const DEEDS: Readonly<Record<string, Deed>> = {
  "a write": { act: (world) => endOf(world.dispatch()), uses: writing },
  "a write that cannot begin": {
    act: (world) => {
      const { begin } = world.service.behaviour;
      world.service.behaviour.begin = () => {
        throw new NotStarted("RATE_LIMIT");
      };
      return endOf(world.dispatch()).finally(() => {
        world.service.behaviour.begin = begin;
      });
    },
    uses: writing,
  },
  "a write that loses its answer": { act: (world) => endOf(loseAnswer(world)), uses: writing },
  "a write with bad output": {
    act: async (world) => {
      const { answer } = world.service.behaviour;
      world.service.behaviour.answer = () => "not an answer";
      return endOf(world.dispatch()).finally(() => {
        world.service.behaviour.answer = answer;
      });
    },
    uses: writing,
  },
  "a write that nobody approved": { act: (world) => endOf(world.dispatch({ approvals: [] })), uses: writing },
  "a replay": {
    prepare: (world) => world.dispatch({ id: "call-0" }),
    act: (world) => endOf(world.dispatch()),
    uses: writing,
  },
  "a call that waits": { act: (world) => waitBehind(world, false), uses: ["awaitScope", "lookUpScope"] },
  "a call that gives up waiting": { act: (world) => waitBehind(world, true), uses: ["awaitScope", "expireWait"] },
  "a read": { act: (world) => endOf(world.dispatch({ tool: "read_note" })), uses: dispatching },
  "a query": {
    prepare: (world) => loseAnswer(world),
    act: (world) => endOf(world.query({ id: "first" })),
    uses: asking,
  },
  "a query without a receipt": {
    prepare: (world) => loseAnswer(world),
    act: (world) => {
      const { receipt } = world.service.behaviour;
      world.service.behaviour.receipt = () => null;
      return endOf(world.query({ id: "first" })).finally(() => {
        world.service.behaviour.receipt = receipt;
      });
    },
    uses: asking,
  },
};

/** One call of another process runs and is held; one of this waits behind it until the first has its outcome, or until it gives up. */
async function waitBehind(world: World, gaveUp: boolean): Promise<End> {
  const { begin } = world.service.behaviour;
  const held = latch();
  world.service.behaviour.begin = () => held.held;
  const first = world.another().dispatch({ id: "holder" });
  await calm();
  world.service.behaviour.begin = begin;
  const caller = new AbortController();
  const second = endOf(world.dispatch({ id: "waiter", signal: caller.signal }));
  await calm();
  if (gaveUp) caller.abort();
  await calm();
  held.open();
  expect(told(await first)).toBe("OK fresh");
  return second;
}

const CASES = Object.entries(DEEDS).flatMap(([deed, { uses }]) =>
  Object.entries(MODES).flatMap(([mode, { only = FALLIBLE }]) =>
    uses
      .filter((method) => only.includes(method))
      .flatMap((method) => [1, 2].map((call) => ({ deed, mode, method, call }))),
  ),
);

const ENDS: readonly unknown[] = ["fresh", "receipt_reconciled", "conflict", "replayed", "joined", "rejected"];

/** What was stored of a run after it had come to an end. */
async function stepsAfterTheEnd(ledger: Ledger, run: string): Promise<readonly unknown[]> {
  const entries = await ledger.journal(run as AttemptId);
  const states = entries.flatMap(({ text }) =>
    (JSON.parse(text) as { steps: [string, string][] }).steps.map(([, to]) => to),
  );
  const end = states.findIndex((state) => ENDS.includes(state));
  return end === -1 ? [] : states.slice(end + 1);
}

/** Brings the world to the point where the trouble starts. */
function troubledWorld(mode: Mode, which: Fallible, at: number) {
  const state = { armed: false, down: false, calls: 0, met: false };
  let late: (() => Promise<unknown>) | null = null;
  const readThenStore = async (read: () => Promise<unknown>): Promise<unknown> => {
    const found = await read();
    await late?.().catch(() => undefined);
    late = null;
    return found;
  };
  const between = (ledger: Ledger): Ledger =>
    troubled(ledger, (method, _call, carryOut) => {
      if (state.armed && state.down && (mode.also === "everything" || method === "readAttempt")) return refuse();
      if (method === "readAttempt" && late !== null) return readThenStore(carryOut);
      if (!state.armed || method !== which) return carryOut();
      state.calls += 1;
      if (state.calls !== at) return carryOut();
      state.met = true;
      state.down = mode.also !== undefined;
      if (mode.storesAfterReading === true) late = carryOut;
      return mode.act(method, carryOut);
    });
  return { world: openWorld({ between }), state };
}

describe("whatever the ledger does, the tool runs at most once, and nobody is told what is not so", () => {
  test.each(CASES)("$deed; call $call of $method $mode", async ({ deed, mode, method, call }) => {
    const { prepare, act } = DEEDS[deed] ?? {};
    const how = MODES[mode];
    if (act === undefined || how === undefined) throw new TypeError("no such case");
    const { world, state } = troubledWorld(how, method, call);
    await prepare?.(world);
    const prepared = world.service.effects;

    // The first recovery of a gate is part of its first call; here it has been done.
    state.armed = method !== "takeExpired" || prepare === undefined;
    const first = await act(world);
    const effects = world.service.effects;
    state.armed = false;
    await calm();

    expect(effects - prepared).toBeLessThanOrEqual(1);
    expect(first.says).not.toMatch(/^host error (?!LEDGER_UNAVAILABLE)/);
    if (first.says === "OK fresh" && deed !== "a read") expect(effects).toBe(1);
    if (first.result?.model_result.execution.outcome === "not_started") expect(effects).toBe(prepared);
    if (!state.met) expect(first.result).not.toBe(null);
    if (deed === "a read") return;

    // Another process takes over once the leases have run out.
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    const next = world.another();
    await next.gate.recover();
    await calm();
    // The start marker is the last that is known of a tool that may have been called.
    const isMarked = (await world.ledger.findOwner(statusRefOf(next.gate, {})))?.started === true;
    const second = told(await next.dispatch({ id: "second" }));
    if (first.says.startsWith("OK")) expect(second).toBe("OK local_replay");
    if (effects === 0 && isMarked && second === "OUTCOME_UNKNOWN") {
      expect(told(await next.query({ id: "last" }))).toBe("OUTCOME_UNKNOWN");
      expect(world.service.effects).toBe(0);
      return;
    }
    expect(["OK local_replay", effects === 1 ? "OUTCOME_UNKNOWN" : "OK fresh"]).toContain(second);
    if (second === "OUTCOME_UNKNOWN") expect(told(await next.query({ id: "last" }))).toBe("OK receipt_reconciled");
    const last = await next.dispatch({ id: "third" });
    expect(told(last)).toBe("OK local_replay");
    if (first.says.startsWith("OK")) expect(last.model_result.data).toEqual(first.result?.model_result.data);
    const inDoubt = first.result?.model_result.execution.outcome === "unknown";
    if (inDoubt) expect(told(await next.query({ id: "afterwards" }))).toMatch(/^OK /);
    expect(world.service.effects).toBe(1);
    expect(await world.ledger.verifyJournal()).toMatchObject({ intact: true });
    for (const run of new Set([...world.notices, ...next.notices].map((notice) => notice.run))) {
      expect(await stepsAfterTheEnd(world.ledger, run)).toEqual([]);
    }
  });
});
