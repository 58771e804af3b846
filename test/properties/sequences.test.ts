import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sequences } from "../model/arbitraries.ts";
import { alone, dispatching, querying } from "../model/contract-model.ts";
import type { Scenario } from "../model/scenario.ts";
import { describeStep } from "../model/step-text.ts";
import type { Step } from "../model/steps.ts";
import { type Answer, changeOrder, newWorld, type World } from "../model/world.ts";
import { openGate, withRealRef } from "./gate-under-test.ts";
import { watch, watchDoubt } from "./invariants.ts";
import { numberOfRuns } from "./runs.ts";

/** Seeds of runs that once failed; they are tried first. */
const FORMER_FAILURES: readonly number[] = [];

function predict(world: World, step: Step): Answer | null {
  if (step.kind === "dispatch") return alone(dispatching(world, step));
  if (step.kind === "query") return alone(querying(world, step));
  changeOrder(world, step);
  return null;
}

describe.each(["table", "xstate"] as const)("steps one after the other, on %s", (interpreter) => {
  const agrees = async ({ rounds }: Scenario): Promise<void> => {
    const model = newWorld();
    const gate = openGate(interpreter, () => Promise.resolve());
    const see = watch(gate.behind);
    const seeDoubt = watchDoubt();
    for (const [index, step] of rounds.flatMap(({ steps }) => steps).entries()) {
      if (step.kind !== "order") gate.setNow(step.now);
      const predicted = withRealRef(predict(model, step));
      const performed = await gate.perform(step);
      expect(performed.told, `step ${index}: ${describeStep(step)}`).toEqual(predicted);
      see(performed);
      seeDoubt(step, performed);
    }
    await gate.close();
  };

  test.each(FORMER_FAILURES)("the gate agrees with the model where it once did not: seed %i", async (seed) => {
    await fc.assert(fc.asyncProperty(sequences, agrees), { seed, numRuns: 100 });
  });

  test("the gate agrees with the model", async () => {
    await fc.assert(fc.asyncProperty(sequences, agrees), {
      numRuns: numberOfRuns(interpreter === "table" ? 1000 : 250),
    });
  });
});
