import { CallgateError } from "../errors/callgate-error.ts";
import { environmentAllowsColor } from "../host/environment.ts";
import { findFiles, packageFiles, readFileWithin, type NamedFile } from "../host/files.ts";
import { LIMITS } from "../protocol/limits.ts";
import { sampleWorld } from "../sample/world.ts";
import { readScenarioFile, type ScenarioFile } from "../scenarios/read.ts";
import type { CaseReport, ScenarioReport } from "../scenarios/report.ts";
import { runScenarios } from "../scenarios/run.ts";
import { print } from "./output.ts";
import { reportText, type FileReport } from "./report-text.ts";
import { jsonText } from "./text.ts";

/** What `callgate run` is told. */
export interface RunCommand {
  readonly json: boolean;
  /** False: no colours, whatever the terminal can do. */
  readonly color: boolean;
}

const FIXTURES = "fixtures";
const EXTENSION = ".json";

/**
 * Runs scenario files, or the sample scenarios where none is named. All are read and checked before the first one runs.
 * Shape: 0 when every step passed, else 1.
 */
export async function run(paths: readonly string[], command: RunCommand): Promise<number> {
  const files = paths.length === 0 ? await packageFiles(FIXTURES, EXTENSION) : await findFiles(paths, EXTENSION);
  const scenarios: { readonly file: NamedFile; readonly scenario: ScenarioFile }[] = [];
  for (const file of files) {
    const bytes = await readFileWithin(file, LIMITS.fixtureBytes);
    scenarios.push({ file, scenario: await inFile(file, () => readScenarioFile(bytes)) });
  }
  const reports: FileReport[] = [];
  for (const { file, scenario } of scenarios) {
    const report = await inFile(file, () => runScenarios(scenario, { openWorld: sampleWorld }));
    reports.push({ file: file.label, report });
  }
  const useColor = command.color && process.stdout.isTTY && environmentAllowsColor();
  await print(command.json ? jsonText(summaryOf(reports)) : reportText(reports, useColor));
  return reports.every(({ report }) => report.passed) ? 0 : 1;
}

/** All reports as one. */
function summaryOf(reports: readonly FileReport[]): ScenarioReport {
  const cases: (CaseReport & { readonly file: string })[] = reports.flatMap(({ file, report }) =>
    report.cases.map(({ id, ...rest }) => ({ id, file, ...rest })),
  );
  return {
    passed: reports.every(({ report }) => report.passed),
    case_count: cases.length,
    step_count: reports.reduce((count, { report }) => count + report.step_count, 0),
    cases,
  };
}

/** An error of what a file says names the file. */
async function inFile<Result>(file: NamedFile, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    const { code, detail } = error;
    const at = error.at === null || error.at === "" ? file.label : `${file.label}, ${error.at}`;
    throw new CallgateError(code, { at, ...(detail === null ? {} : { detail }), cause: error });
  }
}
