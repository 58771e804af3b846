import { describe, expect, test } from "vitest";
import { createGate, type GateOptions } from "../../src/dispatcher/gate.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { memoryLedger } from "../../src/ledger/memory/memory-ledger.ts";
import { DEADLINE_MS, noteService, noteTools } from "./note-tools.ts";
import { BEYOND_LEASES_MS, calm, dispatchRequest, latch, openWorld, START_SECONDS, told } from "./world.ts";

const tools = noteTools(noteService());
const host = simulatedHost(START_SECONDS);
const ledger = memoryLedger(host);
const codeOf = (act: () => unknown): string => {
  try {
    act();
    return "accepted";
  } catch (error) {
    return error instanceof CallgateError ? error.code : `not coded: ${String(error)}`;
  }
};

describe("options that are not those of a gate are refused", () => {
  const given: Readonly<Record<string, unknown>> = {
    nothing: undefined,
    null: null,
    "a number": 7,
    "a list": [],
    "without tools": { approvers: [] },
    "without approvers": { tools },
    "tools that are no list": { tools: tools[0], approvers: [] },
    "approvers that are a text": { tools, approvers: "reviewer-1" },
    "an approver who is nobody": { tools, approvers: [""] },
    "an approver who is no text": { tools, approvers: [7] },
    "approvers without an end to read": { tools, approvers: { [Symbol.iterator]: 7 } },
    "a ledger that lacks a method": { tools, approvers: [], ledger: { ...ledger, recordStart: undefined } },
    "a ledger that is a name": { tools, approvers: [], ledger: "sqlite" },
    "a host without a clock": { tools, approvers: [], host: { ...host, monotonicMs: 0 } },
    "an interpreter that is none": { tools, approvers: [], interpreter: "Table" },
    "an observer that cannot be told": { tools, approvers: [], observer: {} },
    "a negative grace": { tools, approvers: [], leaseGraceMs: -1 },
    "half a millisecond": { tools, approvers: [], leaseGraceMs: 0.5 },
    "an endless grace": { tools, approvers: [], leaseGraceMs: Infinity },
    "a misspelt option": { tools, approvers: [], leaseGrace: 7 },
    "a getter that throws": {
      tools,
      get approvers(): never {
        throw new Error("not for you");
      },
    },
    "a proxy": new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("not for you");
        },
      },
    ),
    "a revoked proxy": (() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    })(),
  };
  test.each(Object.keys(given))("%s", (which) => {
    const made = codeOf(() => createGate(given[which] as GateOptions));
    expect(made).toBe("GATE_OPTIONS_INVALID");
  });

  test.each([
    ["one that was never defined", { name: "write_note" }],
    ["one taken apart", { ...tools[0] }],
    ["none", null],
  ])("a tool that is %s", (_which, tool) => {
    expect(codeOf(() => createGate({ tools: [tool as never], approvers: [] }))).toBe("TOOL_INVALID");
  });

  test("two tools of one name", () => {
    expect(codeOf(() => createGate({ tools: [...tools, ...tools], approvers: [] }))).toBe("TOOL_DUPLICATE");
  });

  test("what is left out is as good as undefined", () => {
    const empty = {
      ledger: undefined,
      host: undefined,
      interpreter: undefined,
      observer: undefined,
      leaseGraceMs: undefined,
    };
    expect(codeOf(() => createGate({ tools, approvers: new Set(["a"]), ...empty }))).toBe("accepted");
    expect(codeOf(() => createGate({ tools: new Set(tools), approvers: [] }))).toBe("accepted");
  });

  test("they are read once: changing them afterwards changes nothing", async () => {
    const approvers: string[] = [];
    const world = openWorld({ approvers });
    approvers.push("reviewer-1");
    expect(told(await world.dispatch())).toBe("APPROVAL_INVALID");
  });
});

describe("a closed gate", () => {
  test("takes no more calls", async () => {
    const world = openWorld();
    await world.gate.close();
    await expect(world.dispatch()).rejects.toMatchObject({ code: "GATE_CLOSED" });
    await expect(world.query()).rejects.toMatchObject({ code: "GATE_CLOSED" });
    await expect(world.gate.recover()).rejects.toMatchObject({ code: "GATE_CLOSED" });
    expect(world.service.asked).toEqual([]);
  });

  test("waits for the calls that run, whoever closed it how often", async () => {
    const world = openWorld();
    const held = latch();
    world.service.behaviour.begin = () => held.held;
    const running = world.dispatch();
    await calm();
    const closed: string[] = [];
    const closings = ["first", "second"].map(async (name) => {
      await world.gate.close();
      closed.push(name);
    });
    await calm();
    expect(closed).toEqual([]);
    held.open();
    expect(told(await running)).toBe("OK fresh");
    await Promise.all(closings);
    expect(closed.toSorted()).toEqual(["first", "second"]);
    await world.gate.close();
  });

  test("waits for a recovery that runs, also for one that nobody asked for", async () => {
    const world = openWorld();
    const away = world.another({ between: (inner) => ({ ...inner, recordStart: () => new Promise(() => undefined) }) });
    void away.dispatch();
    await calm();
    await world.dispatch({ id: "other", key: "key-2" });
    const held = latch();
    world.service.behaviour.authorize = async () => {
      await held.held;
      return true;
    };
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    let isClosed = false;
    const closing = world.gate.close().finally(() => {
      isClosed = true;
    });
    await calm();
    expect(isClosed).toBe(false);
    held.open();
    await closing;
    expect(isClosed).toBe(true);
  });

  test("lets go of every timer, and sets none again", async () => {
    const alarms = new Set<object>();
    const inner = simulatedHost(START_SECONDS);
    const counting = {
      ...inner,
      after: (delayMs: number, callback: () => void, holdsOpen: boolean) => {
        const alarm = {};
        alarms.add(alarm);
        const stop = inner.after(
          delayMs,
          () => {
            alarms.delete(alarm);
            callback();
          },
          holdsOpen,
        );
        return () => {
          alarms.delete(alarm);
          stop();
        };
      },
    };
    const away = openWorld({
      host: counting,
      between: (kept) => ({
        ...kept,
        recordStart: () => Promise.reject(new Error("gone")),
        readAttempt: () => Promise.reject(new Error("gone")),
        takeExpired: (at, leaseMs) => kept.takeExpired(at, leaseMs),
      }),
    });
    const held = latch();
    away.service.behaviour.precondition = async () => {
      await held.held;
      return true;
    };
    const running = away.dispatch();
    await calm();
    const closing = away.gate.close();
    held.open();
    await expect(running).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    await closing;
    expect(alarms.size).toBe(0);
  });
});

test("a host error of one call leaves the gate as it was", async () => {
  const world = openWorld();
  const request = dispatchRequest(world.gate, {}, START_SECONDS);
  await expect(world.gate.dispatch({ ...request, principal: null as never })).rejects.toBeInstanceOf(CallgateError);
  world.host.setNow(-1);
  await expect(world.gate.dispatch(request)).rejects.toMatchObject({ code: "CLOCK_INVALID" });
  world.host.setNow(START_SECONDS);
  expect(told(await world.gate.dispatch(request))).toBe("OK fresh");
});

test("many gates do not know one another", async () => {
  const [one, two] = [openWorld(), openWorld()];
  expect(told(await one.dispatch())).toBe("OK fresh");
  expect(told(await two.dispatch())).toBe("OK fresh");
  one.host.advance(DEADLINE_MS);
});

describe("a host that breaks in the middle of a call", () => {
  /** A host whose clock for deadlines fails from one look on. */
  function breaking(lookUntil: number) {
    const inner = simulatedHost(START_SECONDS);
    const state = { looks: -Infinity };
    const monotonicMs = (): number => {
      state.looks += 1;
      if (state.looks > lookUntil) throw new TypeError("no clock");
      return inner.monotonicMs();
    };
    return { broken: { ...inner, monotonicMs }, state };
  }

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("is not said to be the ledger's fault (after look %d)", async (looks) => {
    for (const act of ["dispatch", "query"] as const) {
      const { broken, state } = breaking(looks);
      const world = openWorld({ between: (inner) => inner }).another({ host: broken });
      await world.dispatch({ id: "earlier", key: "earlier" });
      state.looks = 0;
      const code = await (act === "dispatch" ? world.dispatch() : world.query()).then(told, (error: unknown) =>
        error instanceof CallgateError ? error.code : String(error),
      );
      expect(code).not.toBe("LEDGER_UNAVAILABLE");
      expect(code).not.toMatch(/TypeError/);
    }
  });
});
