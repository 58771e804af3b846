import type { Observer } from "../dispatcher/observer.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { environmentAllowsColor } from "../host/environment.ts";
import { findFiles, packageFiles, readFileWithin, type NamedFile } from "../host/files.ts";
import { LIMITS } from "../protocol/limits.ts";
import { sampleWorld } from "../sample/world.ts";
import { readGateScenarioFile, readScenarioFile } from "../scenarios/read.ts";
import type { CaseReport, ScenarioReport } from "../scenarios/report.ts";
import { runGateScenarios, runScenarios } from "../scenarios/run.ts";
import { print } from "./output.ts";
import { reportText, type FileReport } from "./report-text.ts";
import { jsonText } from "./text.ts";

/** What `callgate run` is told. */
export interface RunCommand {
  readonly json: boolean;
  /** False: no colours, whatever the terminal can do. */
  readonly color: boolean;
  /** The module of a gate of one's own. Undefined: the sample tools. */
  readonly gate?: string | undefined;
  /** Makes a further observer of each case's gate. */
  readonly newObserver?: (() => Observer) | undefined;
}

const FIXTURES = "fixtures";
const EXTENSION = ".json";

/** A scenario file that was read, and is still to be run. */
interface Runnable {
  readonly file: NamedFile;
  run(): Promise<ScenarioReport>;
}

/**
 * Runs scenario files, or the sample scenarios where none is named. All are read and checked before the first one runs.
 * Files that a folder has for another gate are passed over; one that is named is refused.
 * Shape: 0 when every step passed, else 1.
 */
export async function run(paths: readonly string[], command: RunCommand): Promise<number> {
  const read = await readerFor(command);
  if (paths.length === 0 && command.gate !== undefined) {
    throw new CallgateError("USAGE", { detail: "with --gate, the scenario files or their folders are named as well" });
  }
  const files = paths.length === 0 ? await packageFiles(FIXTURES, EXTENSION) : await findFiles(paths, EXTENSION);
  const scenarios: Runnable[] = [];
  for (const file of files) {
    const bytes = await readFileWithin(file, LIMITS.fixtureBytes);
    try {
      scenarios.push({ file, run: await inFile(file, () => read(bytes)) });
    } catch (error) {
      if (!isOfAnotherGate(error) || paths.includes(file.path)) throw error;
    }
  }
  if (scenarios.length === 0)
    throw new CallgateError("NO_SCENARIOS", { detail: "none is about the tools of this gate" });
  const reports: FileReport[] = [];
  for (const scenario of scenarios) {
    reports.push({ file: scenario.file.label, report: await inFile(scenario.file, () => scenario.run()) });
  }
  const useColor = command.color && process.stdout.isTTY && environmentAllowsColor();
  await print(command.json ? jsonText(summaryOf(reports)) : reportText(reports, useColor));
  return reports.every(({ report }) => report.passed) ? 0 : 1;
}

/** How files are read, and how each is then run. */
async function readerFor({ gate, newObserver }: RunCommand): Promise<(bytes: Uint8Array) => Runnable["run"]> {
  if (gate === undefined) {
    return (bytes) => {
      const scenario = readScenarioFile(bytes);
      return () => runScenarios(scenario, { openWorld: sampleWorld, newObserver });
    };
  }
  const { loadScenarioGate } = await import("./gate-file.ts");
  const { module, offered } = await loadScenarioGate(gate);
  return (bytes) => {
    const scenario = readGateScenarioFile(bytes, offered);
    return () => runGateScenarios(scenario, { module, newObserver });
  };
}

function isOfAnotherGate(error: unknown): boolean {
  return error instanceof CallgateError && error.code === "FIXTURE_OF_ANOTHER_GATE";
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
