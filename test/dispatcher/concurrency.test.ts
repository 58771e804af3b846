import { describe, expect, test } from "vitest";
import { systemHost } from "../../src/host/system.ts";
import type { SimulatedHost } from "../../src/host/simulated.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { Behaviour } from "./note-tools.ts";
import { DEADLINE_MS } from "./note-tools.ts";
import { calm, latch, openWorld, told, type World } from "./world.ts";

const CALLS = 1_000;

const dispatchAll = (world: World, calls = CALLS): Promise<ResultPackage>[] =>
  Array.from({ length: calls }, (_, index) => world.dispatch({ id: `call-${index}` }));

/** How often each answer was given. */
function tally(results: readonly ResultPackage[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) counts[told(result)] = (counts[told(result)] ?? 0) + 1;
  return counts;
}

/** Counts how many runs of the tool there are at once, at most. */
function watchOverlap(behaviour: Behaviour): { readonly most: () => number; readonly runs: () => number } {
  const { begin } = behaviour;
  let now = 0;
  let most = 0;
  let runs = 0;
  behaviour.begin = async (request) => {
    now += 1;
    runs += 1;
    most = Math.max(most, now);
    try {
      return await begin(request);
    } finally {
      now -= 1;
    }
  };
  return { most: () => most, runs: () => runs };
}

describe("a thousand simultaneous calls in one scope", () => {
  test("run the tool once, and the rest get its result", async () => {
    const world = openWorld();
    const results = await Promise.all(dispatchAll(world));
    expect(world.service.effects).toBe(1);
    expect(tally(results)).toEqual({ "OK fresh": 1, "OK local_replay": CALLS - 1 });
    expect(new Set(results.map(({ model_result: { data } }) => JSON.stringify(data))).size).toBe(1);
    expect(await world.ledger.verifyJournal()).toMatchObject({ intact: true });
  });

  test("of one call that was made a thousand times", async () => {
    const world = openWorld();
    const results = await Promise.all(Array.from({ length: CALLS }, () => world.dispatch()));
    expect(world.service.effects).toBe(1);
    expect(tally(results)).toEqual({ "OK fresh": 1, "OK local_replay": CALLS - 1 });
  });

  test("with a tool that takes a millisecond of real time", async () => {
    const host = systemHost() as SimulatedHost;
    const world = openWorld({ host, changes: { deadlineMs: 60_000 } });
    world.service.behaviour.begin = () =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, 1);
      });
    const results = await Promise.all(dispatchAll(world));
    expect(world.service.effects).toBe(1);
    expect(tally(results)).toEqual({ "OK fresh": 1, "OK local_replay": CALLS - 1 });
    await world.gate.close();
  });

  test("with a tool that loses its answer: all are told that it is unknown, and may ask", async () => {
    const world = openWorld();
    world.service.behaviour.answer = () => Promise.reject(new Error("lost"));
    const results = await Promise.all(dispatchAll(world));
    expect(world.service.effects).toBe(1);
    expect(tally(results)).toEqual({ OUTCOME_UNKNOWN: CALLS });
    expect(told(await world.query())).toBe("OK receipt_reconciled");
  });

  test("with a tool that hangs past the deadline: all are told that it is unknown, and may ask", async () => {
    const world = openWorld();
    world.service.behaviour.answer = () => new Promise(() => undefined);
    const running = dispatchAll(world);
    await calm();
    world.host.advance(DEADLINE_MS);
    const results = await Promise.all(running);
    expect(world.service.effects).toBe(1);
    expect(tally(results)).toEqual({ OUTCOME_UNKNOWN: CALLS });
    expect(told(await world.query())).toBe("OK receipt_reconciled");
    expect(told(await world.dispatch({ id: "later" }))).toBe("OK local_replay");
  });

  test("with a tool that cannot begin: they try one at a time, and each once", async () => {
    const world = openWorld();
    world.service.behaviour.begin = async () => {
      await Promise.resolve();
      throw new NotStarted("RATE_LIMIT");
    };
    const overlap = watchOverlap(world.service.behaviour);
    const results = await Promise.all(dispatchAll(world));
    expect(tally(results)).toEqual({ RATE_LIMIT: CALLS });
    expect([overlap.runs(), overlap.most(), world.service.effects]).toEqual([CALLS, 1, 0]);
  });

  test("with a tool that begins at the hundredth attempt: it is tried no more after that", async () => {
    const world = openWorld();
    let attempts = 0;
    world.service.behaviour.begin = async () => {
      attempts += 1;
      await Promise.resolve();
      if (attempts < 100) throw new NotStarted("TOOL_ERROR");
    };
    const overlap = watchOverlap(world.service.behaviour);
    const results = await Promise.all(dispatchAll(world));
    expect(tally(results)).toEqual({ TOOL_ERROR: 99, "OK fresh": 1, "OK local_replay": CALLS - 100 });
    expect([overlap.runs(), overlap.most(), world.service.effects]).toEqual([100, 1, 1]);
  });

  test("of other requests under the same key: they are refused at once", async () => {
    const world = openWorld();
    const held = latch();
    world.service.behaviour.begin = () => held.held;
    const first = world.dispatch({ id: "first" });
    await calm();
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        world.dispatch({ id: `call-${index}`, input: { note: `note ${index}` } }),
      ),
    );
    expect(tally(others)).toEqual({ IDEMPOTENCY_CONFLICT: 10 });
    held.open();
    expect(told(await first)).toBe("OK fresh");
  });

  test("in a thousand scopes run a thousand times, and wait for none", async () => {
    const world = openWorld();
    const overlap = watchOverlap(world.service.behaviour);
    const running = Array.from({ length: CALLS }, (_, index) =>
      world.dispatch({ id: `call-${index}`, key: `key-${index}` }),
    );
    expect(tally(await Promise.all(running))).toEqual({ "OK fresh": CALLS });
    expect(overlap.runs()).toBe(CALLS);
    expect(overlap.most()).toBeGreaterThan(1);
  });

  test("of reads share nothing", async () => {
    const world = openWorld();
    const running = Array.from({ length: 100 }, (_, index) =>
      world.dispatch({ tool: "read_note", id: `call-${index}` }),
    );
    expect(tally(await Promise.all(running))).toEqual({ "OK fresh": 100 });
    expect(world.service.asked.filter((what) => what === "execute")).toHaveLength(100);
  });
});

describe("those who wait", () => {
  /** One runs and is held; the others wait behind it. */
  async function waiting(world: World, calls: number) {
    const held = latch();
    const { begin } = world.service.behaviour;
    world.service.behaviour.begin = () => held.held;
    const first = world.dispatch({ id: "first" });
    await calm();
    world.service.behaviour.begin = begin;
    const others = dispatchAll(world, calls);
    await calm();
    return { first, others, held };
  }

  test("go on when it is released, and look again at access, business and approval", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 3);
    let looks = 0;
    world.service.behaviour.authorize = () => {
      looks += 1;
      return looks !== 1;
    };
    world.service.behaviour.precondition = () => looks !== 2;
    held.fail(new NotStarted("RATE_LIMIT"));
    expect(told(await first)).toBe("RATE_LIMIT");
    expect((await Promise.all(others)).map(told)).toEqual(["NOT_FOUND", "BUSINESS_RULE_VIOLATION", "OK fresh"]);
  });

  test("are told by their own deadline, and can ask about it while it still runs", async () => {
    const world = openWorld({ changes: { deadlineMs: 1_000 } });
    const held = latch();
    world.service.behaviour.begin = () => held.held;
    const slow = world.another({ changes: { deadlineMs: 4_000 } });
    const first = slow.dispatch({ id: "first" });
    await calm();
    expect(told(await world.query({ id: "too-soon" }))).toBe("NOT_FOUND");
    const second = world.dispatch({ id: "second" });
    await calm();
    world.host.advance(1_000);
    expect(told(await second)).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.query({ id: "query-1" }))).toBe("OUTCOME_UNKNOWN");
    held.open();
    expect(told(await first)).toBe("OK fresh");
    expect(told(await world.query({ id: "query-2" }))).toBe("OK local_replay");
    expect(world.service.effects).toBe(1);
  });

  test("leave the doubt behind when the scope is released: the query finds nothing", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 1);
    const slow = await Promise.race([others[0], calm()]);
    expect(slow).toBe(undefined);
    const caller = new AbortController();
    const third = world.dispatch({ id: "third", signal: caller.signal });
    await calm();
    caller.abort();
    expect(told(await third)).toBe("OUTCOME_UNKNOWN");
    world.service.behaviour.begin = () => Promise.reject(new NotStarted("TOOL_ERROR"));
    held.fail(new NotStarted("TOOL_ERROR"));
    expect(told(await first)).toBe("TOOL_ERROR");
    expect((await Promise.all(others)).map(told)).toEqual(["TOOL_ERROR"]);
    expect(told(await world.query())).toBe("NOT_FOUND");
  });

  test("and give up do not keep the next from going on", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 0);
    expect(others).toEqual([]);
    const callers = Array.from({ length: 5 }, () => new AbortController());
    const waiters = callers.map(({ signal }, index) => world.dispatch({ id: `call-${index}`, signal }));
    await calm();
    for (const index of [0, 2, 3]) callers[index]?.abort();
    await calm();
    held.fail(new NotStarted("RATE_LIMIT"));
    expect(told(await first)).toBe("RATE_LIMIT");
    const ends = (await Promise.all(waiters)).map(told);
    expect(ends).toEqual(["OUTCOME_UNKNOWN", "OK fresh", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OK local_replay"]);
  });

  test("and hang in their turn hold the next up no longer than their own deadline", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 2);
    let looks = 0;
    world.service.behaviour.authorize = () => {
      looks += 1;
      return looks === 1 ? new Promise(() => undefined) : true;
    };
    const later = world.dispatch({ id: "later" });
    held.fail(new NotStarted("RATE_LIMIT"));
    expect(told(await first)).toBe("RATE_LIMIT");
    await calm();
    // The newcomer looked at the scope itself, and found it busy or free; the two in line are one behind the other.
    world.host.advance(DEADLINE_MS);
    const ends = (await Promise.all([...others, later])).map(told);
    expect(ends.filter((end) => end === "OK fresh").length).toBeLessThanOrEqual(1);
    expect(
      ends.every((end) => ["TIMEOUT_BEFORE_EXECUTE", "OK fresh", "OK local_replay", "OUTCOME_UNKNOWN"].includes(end)),
    ).toBe(true);
    expect(world.service.effects).toBeLessThanOrEqual(1);
  });

  test("and run out of time while the scope is free are told that nothing was done", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 1);
    world.service.behaviour.authorize = () => new Promise(() => undefined);
    held.fail(new NotStarted("RATE_LIMIT"));
    expect(told(await first)).toBe("RATE_LIMIT");
    await calm();
    world.host.advance(DEADLINE_MS);
    expect((await Promise.all(others)).map(told)).toEqual(["TIMEOUT_BEFORE_EXECUTE"]);
    expect(world.notices.at(-1)).toMatchObject({ state: "authorized", event: "deadline.passed", next: "rejected" });
  });

  test("are not told of a doubt about their own request when somebody else's holds the scope at last", async () => {
    const world = openWorld();
    const { first, others, held } = await waiting(world, 1);
    world.service.behaviour.authorize = ({ arguments: { note } }) => note === "bread" || new Promise(() => undefined);
    held.fail(new NotStarted("RATE_LIMIT"));
    expect(told(await first)).toBe("RATE_LIMIT");
    await calm();
    const rival = latch();
    world.service.behaviour.begin = () => rival.held;
    const newcomer = world.dispatch({ id: "newcomer", input: { note: "bread" } });
    await calm();
    world.host.advance(DEADLINE_MS);
    expect((await Promise.all(others)).map(told)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    rival.open();
    expect(told(await newcomer)).toBe("OUTCOME_UNKNOWN");
    world.service.behaviour.authorize = () => true;
    expect(told(await world.query())).toBe("NOT_FOUND");
  });

  test("wait until a vanished holder's lease has run out, and no longer", async () => {
    const world = openWorld({ changes: { deadlineMs: 60_000 } });
    const vanished = world.another({
      host: openWorld().host,
      between: (ledger) => ({ ...ledger, recordStart: () => new Promise(() => undefined) }),
      changes: { deadlineMs: 1_000 },
    });
    void vanished.dispatch({ id: "first" });
    await calm();
    expect(world.service.effects).toBe(0);
    const second = world.dispatch({ id: "second" });
    await calm();
    world.host.advance(1_000 + 5_000 + 1);
    await calm();
    // It had not begun, so whoever takes it runs it; the one who waited gets its result.
    expect(world.service.effects).toBe(1);
    expect(told(await second)).toBe("OK local_replay");
  });
});
