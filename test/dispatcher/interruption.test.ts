import { describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";
import { countingHost } from "./counting-host.ts";
import { DEADLINE_MS } from "./note-tools.ts";
import { troubleWith, type Fallible } from "./troubled-ledger.ts";
import {
  calm,
  latch,
  loseAnswer,
  openWorld,
  START_SECONDS,
  statusRefOf,
  told,
  type CallSketch,
  type World,
  type WorldOptions,
} from "./world.ts";

type Latch = ReturnType<typeof latch>;

/** A place where a call waits for others, and what it is told if it is interrupted there. */
interface Place {
  readonly tells: string;
  readonly options?: (held: Latch) => WorldOptions;
  spoil?(world: World, held: Latch): Promise<unknown> | void;
  readonly sketch?: CallSketch;
  readonly asks?: boolean;
  readonly effects?: number;
  /** What a later call of the same scope is told, once what hung has gone on. */
  readonly after?: string;
}

const before =
  (method: Fallible, call = 1) =>
  (held: Latch): WorldOptions => ({
    between: troubleWith(method, call, async (carryOut) => {
      await held.held;
      return carryOut();
    }),
  });
const afterwards =
  (method: Fallible, call = 1) =>
  (held: Latch): WorldOptions => ({
    between: troubleWith(method, call, async (carryOut) => {
      const answer = await carryOut();
      await held.held;
      return answer;
    }),
  });
const inTool =
  (what: "authorize" | "precondition" | "begin" | "answer" | "read" | "receipt") => (world: World, held: Latch) => {
    const { behaviour } = world.service;
    const good = behaviour[what] as (...given: unknown[]) => unknown;
    Object.assign(behaviour, {
      [what]: async (...given: unknown[]) => {
        await held.held;
        return good(...given);
      },
    });
  };
const afterDoubt = (spoil: (world: World, held: Latch) => void) => async (world: World, held: Latch) => {
  await loseAnswer(world, { id: "call-0" });
  spoil(world, held);
};
const nothing = (): void => undefined;

const NO = "TIMEOUT_BEFORE_EXECUTE";
const OPEN = "OUTCOME_UNKNOWN";

const PLACES: Readonly<Record<string, Place>> = {
  "the gate's recovery at its start": { tells: NO, options: before("takeExpired") },
  claimIdentity: { tells: NO, options: before("claimIdentity") },
  "claimIdentity, stored": { tells: NO, options: afterwards("claimIdentity") },
  authorize: { tells: NO, spoil: inTool("authorize") },
  lookUpScope: { tells: NO, options: before("lookUpScope") },
  precondition: { tells: NO, spoil: inTool("precondition") },
  "execute, before the effect": { tells: OPEN, spoil: inTool("begin"), effects: 1, after: OPEN },
  "execute, after the effect": { tells: OPEN, spoil: inTool("answer"), effects: 1, after: OPEN },
  "a read's execute": { tells: "TOOL_ERROR", spoil: inTool("read"), sketch: { tool: "read_note" } },
  awaitScope: {
    tells: OPEN,
    effects: 1,
    after: "OK local_replay",
    spoil: async (world, held) => {
      // Its deadline is far away.
      const twin = world.another({ host: simulatedHost(START_SECONDS) });
      inTool("begin")(world, held);
      void twin.dispatch({ id: "call-0" });
      await calm();
    },
  },
  "a query's claimIdentity": {
    asks: true,
    tells: NO,
    options: before("claimIdentity", 2),
    spoil: afterDoubt(nothing),
    effects: 1,
    after: OPEN,
  },
  "a query's authorize": { asks: true, tells: OPEN, spoil: afterDoubt(inTool("authorize")), effects: 1, after: OPEN },
  "a query's findOwner": {
    asks: true,
    tells: OPEN,
    options: before("findOwner"),
    spoil: afterDoubt(nothing),
    effects: 1,
    after: OPEN,
  },
  "a query's second findOwner": {
    asks: true,
    tells: OPEN,
    options: before("findOwner", 2),
    spoil: afterDoubt(nothing),
    effects: 1,
    after: OPEN,
  },
  "a query's queryReceipt": { asks: true, tells: OPEN, spoil: afterDoubt(inTool("receipt")), effects: 1, after: OPEN },
};

const INTERRUPTIONS: Readonly<Record<string, (world: World, caller: AbortController) => void>> = {
  "the deadline": (world) => {
    world.host.advance(DEADLINE_MS);
  },
  "its caller": (_world, caller) => {
    caller.abort();
  },
};

const CASES = Object.keys(PLACES).flatMap((place) => Object.keys(INTERRUPTIONS).map((by) => [place, by] as const));

describe("a call that hangs is ended", () => {
  test.each(CASES)("in %s, by %s", async (where, by) => {
    const place = PLACES[where];
    if (place === undefined) throw new TypeError("no such place");
    const held = latch();
    const host = countingHost();
    const world = openWorld({ ...place.options?.(held), host });
    await place.spoil?.(world, held);
    const caller = new AbortController();
    const sketch = { ...place.sketch, signal: caller.signal };
    const running = place.asks === true ? world.query(sketch) : world.dispatch(sketch);
    let isOver = false;
    const over = running.finally(() => {
      isOver = true;
    });
    await calm();
    expect(isOver).toBe(false);

    INTERRUPTIONS[by]?.(world, caller);
    await calm();

    expect(isOver).toBe(true);
    expect(told(await over)).toBe(place.tells);
    expect(host.alarms).toBe(0);
    // What hung goes on, and changes nothing.
    held.open();
    await calm();
    expect(world.service.effects).toBe(place.effects ?? 0);
    if (place.sketch === undefined) {
      expect(told(await world.dispatch({ id: "call-9" }))).toBe(place.after ?? "OK fresh");
    }
    expect(await world.ledger.verifyJournal()).toMatchObject({ intact: true });
  });

  test.each(CASES)("in %s, by %s: what it waited for may fail afterwards", async (where, by) => {
    const place = PLACES[where];
    if (place === undefined) throw new TypeError("no such place");
    const held = latch();
    const world = openWorld(place.options?.(held));
    await place.spoil?.(world, held);
    const caller = new AbortController();
    const sketch = { ...place.sketch, signal: caller.signal };
    const running = place.asks === true ? world.query(sketch) : world.dispatch(sketch);
    await calm();
    INTERRUPTIONS[by]?.(world, caller);
    await calm();
    held.fail(new Error("too late"));
    expect(told(await running)).toBe(place.tells);
  });
});

describe("while it is being recorded, only the record counts", () => {
  const SLOW: Readonly<Record<string, (held: Latch) => WorldOptions>> = {
    "the intent, not stored yet": before("recordIntent"),
    "the intent, stored already": afterwards("recordIntent"),
    "the start marker, not stored yet": before("recordStart"),
    "the start marker, stored already": afterwards("recordStart"),
  };
  const cases = Object.keys(SLOW).flatMap((what) => Object.keys(INTERRUPTIONS).map((by) => [what, by] as const));

  test.each(cases)("%s; interrupted by %s: nothing is called, and everything given back", async (what, by) => {
    const held = latch();
    const world = openWorld(SLOW[what]?.(held));
    const caller = new AbortController();
    const running = world.dispatch({ signal: caller.signal });
    await calm();
    INTERRUPTIONS[by]?.(world, caller);
    await calm();
    held.open();
    expect(told(await running)).toBe(NO);
    expect(world.service.effects).toBe(0);
    const entries = await world.ledger.journal(world.notices[0]?.run as AttemptId);
    const transactions = entries.map(({ text }) => (JSON.parse(text) as { transaction: string }).transaction);
    expect(transactions.includes("start")).toBe(what.includes("start marker"));
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(world.service.effects).toBe(1);
  });

  test.each(cases)("%s of a read; interrupted by %s", async (what, by) => {
    const held = latch();
    const world = openWorld(SLOW[what]?.(held));
    const caller = new AbortController();
    const running = world.dispatch({ tool: "read_note", signal: caller.signal });
    await calm();
    INTERRUPTIONS[by]?.(world, caller);
    held.open();
    expect(told(await running)).toBe(NO);
    expect(world.service.asked).toEqual(["authorize"]);
  });
});

describe("the signal that tools are handed", () => {
  const seen = (world: World): AbortSignal[] => {
    const signals: AbortSignal[] = [];
    for (const what of ["authorize", "precondition", "begin"] as const) {
      const good = world.service.behaviour[what] as (request: { readonly signal: AbortSignal }) => unknown;
      Object.assign(world.service.behaviour, {
        [what]: (request: { readonly signal: AbortSignal }) => {
          signals.push(request.signal);
          return good(request);
        },
      });
    }
    return signals;
  };

  test("is quiet while nothing is wrong, also afterwards", async () => {
    const world = openWorld();
    const signals = seen(world);
    const caller = new AbortController();
    await world.dispatch({ signal: caller.signal });
    caller.abort();
    world.host.advance(DEADLINE_MS);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });

  test.each(Object.keys(INTERRUPTIONS))("aborts when the call is ended by %s", async (by) => {
    const world = openWorld();
    const signals = seen(world);
    world.service.behaviour.answer = () => new Promise(() => undefined);
    const caller = new AbortController();
    const running = world.dispatch({ signal: caller.signal });
    await calm();
    INTERRUPTIONS[by]?.(world, caller);
    await running;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test("is aborted already for a tool that looks at it only when it is too late", async () => {
    const world = openWorld();
    let request: { readonly signal: AbortSignal } | undefined;
    world.service.behaviour.begin = (given) => {
      request = given;
      return new Promise(() => undefined);
    };
    const running = world.dispatch();
    await calm();
    world.host.advance(DEADLINE_MS);
    await running;
    expect(request?.signal.aborted).toBe(true);
  });

  test("reaches the receipt, too", async () => {
    const world = openWorld();
    await loseAnswer(world);
    let signal: AbortSignal | undefined;
    world.service.behaviour.receipt = (_kept, request) => {
      ({ signal } = request);
      return new Promise(() => undefined);
    };
    const running = world.query();
    await calm();
    expect(signal?.aborted).toBe(false);
    world.host.advance(DEADLINE_MS);
    await running;
    expect(signal?.aborted).toBe(true);
  });
});

describe("an interruption that is there already", () => {
  test("the caller has given up: no tool is asked, and no identity bound", async () => {
    const world = openWorld();
    expect(told(await world.dispatch({ signal: AbortSignal.abort() }))).toBe(NO);
    expect(world.service.asked).toEqual([]);
    expect(told(await world.dispatch({ input: { note: "bread" } }))).toBe("OK fresh");
  });

  test.each([{ tool: "burn_note" }, { input: {} }])("does not come before %j", async (sketch) => {
    const world = openWorld();
    expect(told(await world.dispatch({ ...sketch, signal: AbortSignal.abort() }))).not.toBe(NO);
  });

  test("a deadline that nobody has announced yet is seen all the same", async () => {
    const host = simulatedHost(START_SECONDS);
    const world = openWorld({ host: { ...host, after: () => () => undefined } });
    world.service.behaviour.precondition = () => {
      host.advance(DEADLINE_MS);
      return true;
    };
    expect(told(await world.dispatch())).toBe(NO);
    expect(world.service.effects).toBe(0);
  });

  test.each([1, 2, 3, 4])(
    "one that comes at look %d after the start marker is unknown only if the tool was called",
    async (at) => {
      const host = simulatedHost(START_SECONDS);
      let looks: number | null = null;
      const monotonicMs = (): number => {
        if (looks === null) return host.monotonicMs();
        looks += 1;
        return host.monotonicMs() + (looks >= at ? DEADLINE_MS : 0);
      };
      const world = openWorld({
        host: { ...host, monotonicMs },
        between: troubleWith("recordStart", 1, async (carryOut) => {
          const answer = await carryOut();
          looks = 0;
          return answer;
        }),
      });
      world.service.behaviour.begin = ({ signal }) => signal.aborted && Promise.reject(new Error("given up"));
      const answer = told(await world.dispatch());
      looks = null;
      expect([NO, OPEN, "OK fresh"]).toContain(answer);
      expect(answer === NO).toBe(!world.service.asked.includes("execute"));
      expect(told(await world.dispatch())).toBe(
        answer === NO ? "OK fresh" : answer === OPEN ? OPEN : "OK local_replay",
      );
    },
  );
});

test("the ledger's own slowness does not end a run that has its answer", async () => {
  const held = latch();
  const world = openWorld(before("recordStep")(held));
  const running = world.dispatch();
  await calm();
  world.host.advance(DEADLINE_MS);
  held.open();
  expect(told(await running)).toBe("OK fresh");
  expect(await world.ledger.findOwner(statusRefOf(world.gate, {}))).toMatchObject({ state: "fresh" });
});
