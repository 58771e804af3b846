import { describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import { stateOf, stopProcess } from "./stopped-process.ts";
import { BEYOND_LEASES_MS, calm, latch, loseAnswer, openWorld, START_SECONDS, statusRefOf, told } from "./world.ts";

describe("two processes in small", () => {
  /** One process whose clock has stopped, so that it does not see its deadline; and one that goes on. */
  function twoProcesses() {
    const world = openWorld();
    const stalled = world.another({ host: simulatedHost(START_SECONDS) });
    return { world, stalled };
  }

  test.each(["begin", "answer"] as const)(
    "the lease is taken while the first still runs (held in %s): it is fenced",
    async (held) => {
      const { world, stalled } = twoProcesses();
      const gap = latch();
      const good = world.service.behaviour[held] as (...given: unknown[]) => unknown;
      Object.assign(world.service.behaviour, {
        [held]: async (...given: unknown[]) => {
          await gap.held;
          return good(...given);
        },
      });
      const first = stalled.dispatch({ id: "first" });
      await calm();
      world.host.advance(BEYOND_LEASES_MS);
      const second = world.dispatch({ id: "second" });
      expect(told(await second)).toBe("OUTCOME_UNKNOWN");
      gap.open();
      const answer = await first;
      expect(told(answer)).toBe("OUTCOME_UNKNOWN");
      expect(answer.protected_audit.downstream.status_ref).toBe(statusRefOf(world.gate, {}));
      expect(told(await world.query())).toBe("OK receipt_reconciled");
      expect(world.service.effects).toBe(1);
    },
  );

  test("the lease is taken between intent and start marker: the first calls nothing, the second runs it", async () => {
    const world = openWorld();
    const gap = latch();
    const stalled = world.another({
      host: simulatedHost(START_SECONDS),
      between: (ledger) => ({
        ...ledger,
        recordStart: async (marker) => {
          await gap.held;
          return ledger.recordStart(marker);
        },
      }),
    });
    const first = stalled.dispatch({ id: "first" });
    await calm();
    world.host.advance(BEYOND_LEASES_MS);
    expect(told(await world.dispatch({ id: "second" }))).toBe("OK local_replay");
    gap.open();
    // It can no longer speak for the outcome, though it is known by now: whoever asks is told.
    expect(told(await first)).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.query())).toBe("OK local_replay");
    expect(world.service.effects).toBe(1);
  });

  test("the answer to its intent is lost, and its lease taken before it reads again: it calls nothing", async () => {
    const world = openWorld();
    const gap = latch();
    const first = world.another({
      host: simulatedHost(START_SECONDS),
      between: (ledger) => ({
        ...ledger,
        recordIntent: async (intent) => {
          await ledger.recordIntent(intent);
          await gap.held;
          throw new Error("the answer is lost");
        },
      }),
    });
    const running = first.dispatch({ id: "first" });
    await calm();
    world.host.advance(BEYOND_LEASES_MS);
    const held = latch();
    world.service.behaviour.begin = () => held.held;
    const second = world.dispatch({ id: "second" });
    await calm();
    gap.open();
    await expect(running).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    held.open();
    expect(told(await second)).toBe("OK local_replay");
    expect(world.service.asked.filter((what) => what === "execute")).toHaveLength(1);
  });

  test("its step is lost, and its lease taken before it reads again: it leaves the attempt to whoever has it", async () => {
    const world = openWorld();
    const first = world.another({
      host: simulatedHost(START_SECONDS),
      between: (ledger) => ({
        ...ledger,
        recordStep: async () => {
          world.host.advance(BEYOND_LEASES_MS);
          await ledger.takeExpired(START_SECONDS, () => BEYOND_LEASES_MS);
          throw new Error("the step is lost");
        },
      }),
    });
    expect(told(await first.dispatch({ id: "first" }))).toBe("OUTCOME_UNKNOWN");
    expect(await stateOf(world)).toBe("executing");
    world.host.advance(BEYOND_LEASES_MS);
    await world.gate.recover();
    expect(told(await world.query())).toBe("OK receipt_reconciled");
  });

  test("a query's lease is taken while it waits for the receipt: it writes nothing", async () => {
    const { world, stalled } = twoProcesses();
    await loseAnswer(world);
    const gap = latch();
    const good = world.service.behaviour.receipt;
    world.service.behaviour.receipt = async (kept, request) => {
      await gap.held;
      return good(kept, request);
    };
    const first = stalled.query({ id: "first" });
    await calm();
    world.host.advance(BEYOND_LEASES_MS);
    world.service.behaviour.receipt = () => null;
    expect(told(await world.query({ id: "second" }))).toBe("OUTCOME_UNKNOWN");
    gap.open();
    expect(told(await first)).toBe("OUTCOME_UNKNOWN");
    expect(await stateOf(world)).toBe("unknown");
    world.service.behaviour.receipt = good;
    expect(told(await world.query({ id: "third" }))).toBe("OK receipt_reconciled");
  });

  test("two recoveries at once take each attempt once", async () => {
    const world = openWorld();
    await stopProcess(world, "after the intent");
    world.host.advance(BEYOND_LEASES_MS);
    const gates = [world.another(), world.another(), world.another()];
    await Promise.all(gates.map(({ gate }) => gate.recover()));
    expect(world.service.effects).toBe(1);
    expect(await stateOf(world)).toBe("fresh");
  });

  test("a recovered run keeps its lease as long as its tool may take", async () => {
    const changes = { deadlineMs: 60_000 };
    const world = openWorld({ changes });
    await stopProcess(world, "after the intent", {}, changes);
    world.host.advance(66_000);
    const gap = latch();
    world.service.behaviour.begin = () => gap.held;
    const recovered = world.gate.recover();
    await calm();
    world.host.advance(30_000);
    await world.another({ changes }).gate.recover();
    gap.open();
    await recovered;
    expect(await stateOf(world)).toBe("fresh");
  });

  test("simultaneous calls of many gates on one ledger run the tool once", async () => {
    const world = openWorld();
    const gates = [world, ...Array.from({ length: 7 }, () => world.another())];
    const running = Array.from({ length: 200 }, (_, index) =>
      (gates[index % 8] ?? world).dispatch({ id: `call-${index}` }),
    );
    const answers = (await Promise.all(running)).map(told);
    expect(answers.filter((answer) => answer === "OK fresh")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "OK local_replay")).toHaveLength(199);
    expect(world.service.effects).toBe(1);
  });
});
