import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/dispatcher/diagnostic.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { DEADLINE_MS } from "./note-tools.ts";
import { troubleWith, type Fallible } from "./troubled-ledger.ts";
import { calm, latch, openWorld, START_SECONDS, told, type World } from "./world.ts";

/** A call that waits behind another's run; what it asks of the ledger at the given call hangs until it is let go on. */
async function waitBehind(method: Fallible, call: number) {
  const world = openWorld();
  const [run, ledger] = [latch(), latch()];
  world.service.behaviour.begin = () => run.held;
  // Its deadline is far away.
  const holder = world.another({ host: simulatedHost(START_SECONDS) }).dispatch({ id: "holder" });
  await calm();
  const diagnostics: Diagnostic[] = [];
  const waiting = world.another({
    between: troubleWith(method, call, (carryOut) => ledger.held.then(carryOut)),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const caller = new AbortController();
  const waiter = waiting.dispatch({ id: "waiter", signal: caller.signal });
  await calm();
  return { waiting, holder, waiter, caller, run, ledger, diagnostics };
}

const INTERRUPTIONS: Readonly<Record<string, (world: World, caller: AbortController) => void>> = {
  "the deadline": ({ host }) => {
    host.advance(DEADLINE_MS);
  },
  "its caller": (_world, caller) => {
    caller.abort();
  },
};

describe.each(Object.entries(INTERRUPTIONS))("a wait that is ended by %s", (_by, interrupt) => {
  test.each([
    ["is answered from what was settled in the last moment", false, "OK local_replay", "scope.settled"],
    ["stays open where the outcome was lost in the last moment", true, "OUTCOME_UNKNOWN", "wait.expired"],
  ] as const)("%s", async (_what, isLost, tells, event) => {
    const { waiting, holder, waiter, caller, run, ledger } = await waitBehind("expireWait", 1);
    interrupt(waiting, caller);
    await calm();
    if (isLost) run.fail(new Error("the answer is lost"));
    else run.open();
    await holder;
    ledger.open();
    expect(told(await waiter)).toBe(tells);
    expect(waiting.notices.at(-1)?.event).toBe(event);
  });

  test("while the scope is looked up after it, is answered by a last look", async () => {
    const { waiting, holder, waiter, caller, run } = await waitBehind("lookUpScope", 2);
    run.open();
    expect(told(await holder)).toBe("OK fresh");
    await calm();
    interrupt(waiting, caller);
    expect(told(await waiter)).toBe("OK local_replay");
  });

  test("while access is asked for again, is told nothing of what was settled meanwhile", async () => {
    const { waiting, holder, waiter, caller, run } = await waitBehind("expireWait", 2);
    const { authorize } = waiting.service.behaviour;
    run.open();
    waiting.service.behaviour.authorize = () => new Promise(() => undefined);
    expect(told(await holder)).toBe("OK fresh");
    await calm();
    interrupt(waiting, caller);
    expect(told(await waiter)).toBe("TIMEOUT_BEFORE_EXECUTE");
    waiting.service.behaviour.authorize = authorize;
    expect(told(await waiting.dispatch({ id: "afterwards" }))).toBe("OK local_replay");
  });

  test("is not blamed on a check that was not asked", async () => {
    const { waiting, waiter, caller, diagnostics } = await waitBehind("expireWait", 2);
    interrupt(waiting, caller);
    expect(told(await waiter)).toBe("OUTCOME_UNKNOWN");
    expect(diagnostics).toEqual([]);
  });
});
