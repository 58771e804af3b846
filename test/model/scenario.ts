import { toStringMethod } from "fast-check";
import { describeStep } from "./step-text.ts";
import type { Step } from "./steps.ts";

/** Steps that happen together; the rounds themselves happen one after the other. */
export interface Scenario {
  readonly rounds: readonly Together[];
}

/** One round. */
export interface Together {
  readonly steps: readonly Step[];
  /** Whether the deadlines of the round pass while it runs. */
  readonly deadlinesPass: boolean;
  /** The steps whose callers give up meanwhile. */
  readonly givingUp: readonly number[];
  /** How many turns of the scheduler pass before deadlines do, or somebody gives up. */
  readonly patience: number;
}

/** A scenario that says in words what happens, for the report of a failed run. */
export function scenarioOf(rounds: readonly Together[]): Scenario {
  const lines = rounds.flatMap(({ steps, deadlinesPass, givingUp }, index) => [
    `round ${index}${deadlinesPass ? ", deadlines pass" : ""}`,
    ...steps.map((step, place) => `  ${describeStep(step)}${givingUp.includes(place) ? ", gives up" : ""}`),
  ]);
  return Object.assign({ rounds }, { [toStringMethod]: () => `\n${lines.join("\n")}\n` });
}
