import { describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import { countingHost } from "./counting-host.ts";
import { DEADLINE_MS, type NoteToolChanges } from "./note-tools.ts";
import { never, stateOf, stopProcess } from "./stopped-process.ts";
import { BEYOND_LEASES_MS, calm, loseAnswer, openWorld, START_SECONDS, told, type World } from "./world.ts";

describe("an attempt whose holder has vanished", () => {
  test("had reserved nothing: it is abandoned", async () => {
    const world = openWorld();
    await stopProcess(world, "before the intent");
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(world.service.effects).toBe(0);
    expect(told(await world.dispatch({ id: "call-2" }))).toBe("OK fresh");
  });

  test("had not begun: it runs", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("fresh");
    expect(told(await world.dispatch({ id: "call-2" }))).toBe("OK local_replay");
    expect(world.service.effects).toBe(1);
  });

  test.each([
    ["after the start marker", 0, "OUTCOME_UNKNOWN"],
    ["after the effect", 1, "OK receipt_reconciled"],
  ] as const)("may have begun, stopped %s: it is unknown until asked about", async (where, effects, answer) => {
    const world = openWorld();
    await stopProcess(world, where);
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("unknown");
    expect(told(await world.dispatch({ id: "call-2" }))).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.query())).toBe(answer);
    expect(world.service.effects).toBe(effects);
  });

  test("was being asked about: it is unknown again", async () => {
    const world = openWorld();
    await loseAnswer(world);
    await stopProcess(world, "while it asks for a receipt", { id: "query-0" });
    expect(await stateOf(world)).toBe("querying");
    expect(told(await world.query({ id: "query-1" }))).toBe("OUTCOME_UNKNOWN");
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("unknown");
    expect(told(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
  });

  test("was a read: nobody waits for it, and it ends", async () => {
    const world = openWorld();
    await stopProcess(world, "after the start marker", { tool: "read_note" });
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(await world.ledger.takeExpired(START_SECONDS, () => 1)).toMatchObject({ attempts: [], nextEndMs: null });
    expect(told(await world.dispatch({ tool: "read_note" }))).toBe("OK fresh");
  });

  test("is left alone as long as its lease lasts", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(DEADLINE_MS + 5_000 - 1);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("executing");
    world.host.advance(1);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("fresh");
  });
});

describe("an attempt that had not begun is looked at again before it runs", () => {
  interface Look {
    readonly look: (world: World) => void;
    readonly refusal: string;
    readonly failed?: true;
  }
  const throwing = (): never => {
    throw new Error("no");
  };
  const looks: Readonly<Record<string, Look>> = {
    "access is gone": {
      look: ({ service: { behaviour } }) => {
        behaviour.authorize = () => false;
      },
      refusal: "NOT_FOUND",
    },
    "authorize throws": {
      look: ({ service: { behaviour } }) => {
        behaviour.authorize = throwing;
      },
      refusal: "NOT_FOUND",
      failed: true,
    },
    "authorize hangs past its own deadline": {
      look: ({ service: { behaviour } }) => {
        behaviour.authorize = never;
      },
      refusal: "TIMEOUT_BEFORE_EXECUTE",
    },
    "business forbids it": {
      look: ({ service: { behaviour } }) => {
        behaviour.precondition = () => false;
      },
      refusal: "BUSINESS_RULE_VIOLATION",
    },
    "precondition throws": {
      look: ({ service: { behaviour } }) => {
        behaviour.precondition = throwing;
      },
      refusal: "BUSINESS_RULE_VIOLATION",
      failed: true,
    },
    "precondition hangs past its own deadline": {
      look: ({ service: { behaviour } }) => {
        behaviour.precondition = never;
      },
      refusal: "TIMEOUT_BEFORE_EXECUTE",
    },
    "its approval has expired": {
      look: ({ host }) => {
        host.setNow(START_SECONDS + 60);
      },
      refusal: "APPROVAL_INVALID",
    },
  };

  test.each(Object.entries(looks))("%s: it does not, and everything is given back", async (_what, expected) => {
    const { look, refusal, failed = false } = expected;
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    const { ...good } = world.service.behaviour;
    look(world);
    const recovered = world.gate.recover();
    await calm();
    world.host.advance(DEADLINE_MS);
    await recovered;
    expect(await stateOf(world)).toBe("rejected");
    const steps = world.notices.filter(({ machine }) => machine === "operation");
    expect(steps).toMatchObject([{ event: "tool.refused", next: "rejected", refusal, failed }]);
    expect(world.service.effects).toBe(0);
    Object.assign(world.service.behaviour, good);
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("the last moment of its approval is still in time", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    world.host.setNow(START_SECONDS + 59);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("fresh");
  });

  test.each<[string, NoteToolChanges]>([
    ["handler", { handler: "write-handler-v2" }],
    ["effect", { effect: "write-effect-v2" }],
  ])("its tool has another %s now, which nobody approved: it does not run", async (_what, changes) => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    const later = world.another({ changes });
    await later.gate.recover();
    expect(world.service.effects).toBe(0);
    expect(await stateOf(world)).toBe("rejected");
    expect(told(await later.dispatch({ id: "call-2" }))).toBe("OK fresh");
  });

  test("its tool is registered no more: it does not run", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    const later = world.another({ tools: [] });
    await later.gate.recover();
    expect(await stateOf(world)).toBe("rejected");
    expect(later.notices).toMatchObject([{ event: "tool.refused", refusal: "TOOL_ERROR" }, { machine: "approval" }]);
    expect(told(await world.dispatch({ id: "call-2" }))).toBe("OK fresh");
  });

  test("one that may have begun is unknown, whatever is registered now", async () => {
    const world = openWorld();
    await stopProcess(world, "after the effect");
    world.host.advance(BEYOND_LEASES_MS);
    await world.another({ tools: [] }).gate.recover();
    expect(await stateOf(world)).toBe("unknown");
    expect(told(await world.query())).toBe("OK receipt_reconciled");
  });
});

describe("when recovery runs", () => {
  const ways: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "before the first call of a gate": (world) => world.dispatch({ id: "other", key: "key-2" }),
    "before the first query of a gate": (world) =>
      world.query({ id: "other", key: "key-2", about: `status_${"0".repeat(32)}` }),
    "when a call meets the attempt": async (world) => {
      await world.dispatch({ id: "other", key: "key-2" });
      return world.dispatch({ id: "another" });
    },
  };
  test.each(Object.keys(ways))("%s", async (when) => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    const later = world.another();
    world.host.advance(BEYOND_LEASES_MS);
    await ways[when]?.(later);
    expect(await stateOf(world)).toBe("fresh");
  });

  test("when a call meets an attempt whose lease ran out since", async () => {
    const world = openWorld();
    const away = simulatedHost(START_SECONDS);
    const later = world.another({ host: away });
    await later.dispatch({ id: "other", key: "key-2" });
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    expect(told(await later.dispatch({ id: "call-2" }))).toBe("OK local_replay");
  });

  test("when a query meets an attempt whose lease ran out since", async () => {
    const world = openWorld();
    await loseAnswer(world);
    await stopProcess(world, "while it asks for a receipt", { id: "query-0" });
    world.host.advance(BEYOND_LEASES_MS);
    expect(told(await world.query({ id: "query-1" }))).toBe("OK receipt_reconciled");
  });

  test("by itself, when a lease runs out that was held when the gate was opened", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    const later = world.another();
    await later.dispatch({ id: "other", key: "key-2" });
    expect(await stateOf(world)).toBe("executing");
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    expect(await stateOf(world)).toBe("fresh");
  });

  test("again, when the ledger was away", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    let isAway = false;
    const later = world.another({
      between: (ledger) => ({
        ...ledger,
        takeExpired: (at, leaseMs) => (isAway ? Promise.reject(new Error("away")) : ledger.takeExpired(at, leaseMs)),
      }),
    });
    await later.dispatch({ id: "other", key: "key-2" });
    isAway = true;
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    expect(await stateOf(world)).toBe("executing");
    isAway = false;
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    expect(await stateOf(world)).toBe("fresh");
  });

  test("at the next call, when it failed at the first", async () => {
    let isAway = true;
    const world = openWorld({
      between: (ledger) => ({
        ...ledger,
        takeExpired: (at, leaseMs) => (isAway ? Promise.reject(new Error("away")) : ledger.takeExpired(at, leaseMs)),
      }),
    });
    await expect(world.dispatch()).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    await expect(world.query()).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    isAway = false;
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("not at all for what a gate has settled", async () => {
    const world = openWorld();
    await world.dispatch();
    await loseAnswer(world, { id: "call-2", key: "key-2" });
    const before = world.notices.length;
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(world.notices.length).toBe(before);
  });

  test("a call does not wait for it longer than for its own deadline", async () => {
    const world = openWorld({ changes: { deadlineMs: 60_000 } });
    await stopProcess(world, "after the intent", {}, { deadlineMs: 60_000 });
    world.host.advance(70_000);
    world.service.behaviour.begin = never;
    const quick = world.another({ changes: { deadlineMs: 60_000 } });
    const caller = new AbortController();
    const running = quick.dispatch({ id: "other", key: "key-2", signal: caller.signal });
    await calm();
    caller.abort();
    expect(told(await running)).toBe("TIMEOUT_BEFORE_EXECUTE");
  });

  test("keeps a process alive no longer than it takes", async () => {
    const host = countingHost();
    const world = openWorld({ host });
    await stopProcess(world, "after the intent");
    host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(await stateOf(world)).toBe("fresh");
    expect(host.alarms).toBe(0);
  });

  test("one failing attempt does not keep the others from being settled", async () => {
    const world = openWorld();
    await stopProcess(world, "after the effect", { id: "call-1", key: "key-1" });
    await stopProcess(world, "after the intent", { id: "call-2", key: "key-2" });
    world.host.advance(BEYOND_LEASES_MS);
    let calls = 0;
    const later = world.another({
      between: (ledger) => ({
        ...ledger,
        recordStep: (record) => {
          calls += 1;
          return calls === 1 ? Promise.reject(new Error("away")) : ledger.recordStep(record);
        },
        readAttempt: (attempt) => (calls === 1 ? Promise.reject(new Error("away")) : ledger.readAttempt(attempt)),
      }),
    });
    await later.gate.recover();
    expect(told(await later.dispatch({ id: "call-3", key: "key-2" }))).toBe("OK local_replay");
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    expect(await stateOf(world)).toBe("unknown");
  });
});
