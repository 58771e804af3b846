import { CallgateError } from "../errors/callgate-error.ts";
import type { ScenarioCase, ScenarioStep } from "../scenarios/document.ts";
import type { ScenarioFile } from "../scenarios/read.ts";
import type { CaseReport, ScenarioReport } from "../scenarios/report.ts";

/** A case of a scenario file, on its own. */
export interface SingleCase {
  readonly id: string;
  readonly stepIds: readonly string[];
  /** Runs its first steps. Errors: those of the runner, placed in the whole file. */
  run(stepCount: number): Promise<CaseReport>;
}

/** A case, and how many of its steps are asked for. */
export interface SelectedCase {
  readonly scenario: SingleCase;
  readonly stepCount: number;
}

const ONLY_CASE = "/cases/0";

/** The cases of a file, each to be run as the only one of it. */
export function singleCases<Document extends { readonly cases: readonly ScenarioCase<ScenarioStep>[] }>(
  file: ScenarioFile<Document>,
  runFile: (file: ScenarioFile<Document>) => Promise<ScenarioReport>,
): readonly SingleCase[] {
  return file.document.cases.map((scenario, index) => {
    const inWhole = (pointer: string): string =>
      pointer.startsWith(ONLY_CASE) ? `/cases/${index}${pointer.slice(ONLY_CASE.length)}` : pointer;
    return {
      id: scenario.id,
      stepIds: scenario.steps.map(({ step_id }) => step_id),
      run: async (stepCount) => {
        const cases = [{ ...scenario, steps: scenario.steps.slice(0, stepCount) }];
        const document = { ...file.document, cases };
        const { cases: reports } = await placed(inWhole, () =>
          runFile({ document, placeOf: (pointer) => file.placeOf(inWhole(pointer)) }),
        );
        const [report] = reports;
        if (report === undefined) throw new TypeError("a case has come to nothing");
        return report;
      },
    };
  });
}

/**
 * The cases whose id contains the name, with all steps; and those with such steps, up to the last of them, since steps
 * depend on earlier ones.
 */
export function selectCases(cases: readonly SingleCase[], name: string): readonly SelectedCase[] {
  return cases.flatMap((scenario) => {
    const { id, stepIds } = scenario;
    const stepCount = id.includes(name) ? stepIds.length : stepIds.findLastIndex((stepId) => stepId.includes(name)) + 1;
    return stepCount === 0 ? [] : [{ scenario, stepCount }];
  });
}

async function placed<Result>(inWhole: (pointer: string) => string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallgateError) || error.at === null) throw error;
    const { code, at, detail } = error;
    throw new CallgateError(code, { at: inWhole(at), ...(detail === null ? {} : { detail }), cause: error });
  }
}
