import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interleavings } from "../model/arbitraries.ts";
import { crowds } from "../model/crowds.ts";
import { explainedRounds, type Round, type Told, withoutCount } from "../model/interleavings.ts";
import type { Scenario, Together } from "../model/scenario.ts";
import { describeStep } from "../model/step-text.ts";
import { newWorld } from "../model/world.ts";
import { passesDeadlines } from "./faulty-behaviour.ts";
import { type GateUnderTest, openGate, type Performed, withRealRef } from "./gate-under-test.ts";
import { watch } from "./invariants.ts";
import { numberOfRuns } from "./runs.ts";

/** Seeds of runs that once failed; they are tried first. */
const FORMER_FAILURES: readonly (readonly ["a few steps" | "a crowd in one scope", number])[] = [];

function fits(predicted: Told, told: Told): boolean {
  return isDeepStrictEqual(withoutCount(withRealRef(predicted)), withoutCount(told));
}

async function performTogether(gate: GateUnderTest, round: Together, scheduler: fc.Scheduler): Promise<Performed[]> {
  const { steps, deadlinesPass, givingUp, patience } = round;
  const turn = (what: string): Promise<void> => scheduler.schedule(Promise.resolve(), what);
  const afterPatience = async (what: string, action: () => void): Promise<void> => {
    for (let turns = 0; turns < patience; turns += 1) await turn("patience");
    await turn(what);
    action();
  };
  const impatience = new AbortController();
  const performed: Performed[] = [];
  const begun = steps.map(async (step, place) => {
    await turn("start");
    performed[place] = await gate.perform(step, givingUp.includes(place) ? impatience.signal : undefined);
  });
  if (deadlinesPass) begun.push(afterPatience("deadlines pass", () => gate.behind.passDeadlines()));
  if (givingUp.length > 0) begun.push(afterPatience("callers give up", () => impatience.abort()));
  const ended = Promise.all(begun);
  // Idle is more than answered: tools that nobody waits for any more come to their end before the next round.
  await Promise.race([ended.then(() => scheduler.waitIdle()), scheduler.waitIdle()]);
  expect(Object.keys(performed).length, "callers that were answered").toBe(steps.length);
  await ended;
  return performed;
}

describe.each(["table", "xstate"] as const)("steps at the same time, on %s", (interpreter) => {
  const isExplained = async (scheduler: fc.Scheduler, { rounds }: Scenario): Promise<void> => {
    const gate = openGate(interpreter, (where) => scheduler.schedule(Promise.resolve(), where));
    const see = watch(gate.behind);
    const told: Round[] = [];
    for (const round of rounds) {
      const { steps, deadlinesPass, givingUp } = round;
      for (const step of steps) if (step.kind !== "order") gate.setNow(step.now);
      const performed = await performTogether(gate, round, scheduler);
      const timePasses = deadlinesPass || steps.some(passesDeadlines);
      told.push({
        steps,
        told: performed.map((one) => one.told),
        mayBeLate: steps.map((_, place) => timePasses || givingUp.includes(place)),
        runs: gate.behind.runs,
      });
      for (const one of performed) see(one);
    }
    const explained = explainedRounds(newWorld(), told, fits);
    const odd = told[explained];
    const story = odd?.steps.map((step, place) => `${describeStep(step)}\n  was told ${fc.stringify(odd.told[place])}`);
    expect(explained, `rounds that some order explains; not this one:\n${story?.join("\n")}`).toBe(told.length);
    await gate.close();
  };

  const scenarios = { "a few steps": interleavings, "a crowd in one scope": crowds };

  test.each(FORMER_FAILURES)("some order explains every answer where once none did: %s, seed %i", async (of, seed) => {
    await fc.assert(fc.asyncProperty(fc.scheduler(), scenarios[of], isExplained), { seed, numRuns: 100 });
  });

  test.each(["a few steps", "a crowd in one scope"] as const)(
    "some order of the model's steps explains every answer: %s",
    async (of) => {
      const numRuns = numberOfRuns(interpreter === "table" ? 300 : 100);
      await fc.assert(fc.asyncProperty(fc.scheduler(), scenarios[of], isExplained), { numRuns });
    },
  );
});
