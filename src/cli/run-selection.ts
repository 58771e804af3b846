import type { RunnableCase } from "../scenarios/run.ts";

/** A case, and how many of its steps are asked for. */
export interface SelectedCase {
  readonly scenario: RunnableCase;
  readonly stepCount: number;
}

/**
 * The cases whose id contains the name, with all steps; and those with such steps, up to the last of them, since steps
 * depend on earlier ones.
 */
export function selectCases(cases: readonly RunnableCase[], name: string): readonly SelectedCase[] {
  return cases.flatMap((scenario) => {
    const { id, stepIds } = scenario;
    const stepCount = id.includes(name) ? stepIds.length : stepIds.findLastIndex((stepId) => stepId.includes(name)) + 1;
    return stepCount === 0 ? [] : [{ scenario, stepCount }];
  });
}
