import type { Observer } from "../dispatcher/observer.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { environmentAllowsColor } from "../host/environment.ts";
import { findFiles, packageFiles, readFileWithin, type NamedFile } from "../host/files.ts";
import { LIMITS } from "../protocol/limits.ts";
import { sampleWorld } from "../sample/world.ts";
import { readGateScenarioFile, readScenarioFile } from "../scenarios/read.ts";
import type { RanCase } from "../scenarios/report.ts";
import { gateCases, sampleCases, type RunnableCase } from "../scenarios/run.ts";
import type { ReporterName } from "./report-names.ts";
import { summaryOf, type RunReport } from "./report-parts.ts";
import { terminalProgress } from "./report-progress.ts";
import { deliver, reportingPlan } from "./reporters.ts";
import { selectCases, type SelectedCase } from "./run-selection.ts";

/** What `callgate run` is told. */
export interface RunCommand {
  /** JSON on the standard output, whatever else is reported. */
  readonly json: boolean;
  /** False: no colours, whatever the terminal can do. */
  readonly color: boolean;
  /** The module of a gate of one's own. Undefined: the sample tools. */
  readonly gate?: string | undefined;
  /** Makes a further observer of each case's gate. */
  readonly newObserver?: (() => Observer) | undefined;
  /** How it is reported. Undefined: for people. */
  readonly reporters?: readonly ReporterName[] | undefined;
  /** Where the one report goes that is not for people. Undefined: to the standard output. */
  readonly outputFile?: string | undefined;
  /** Runs only cases and steps whose id contains this, and the steps before them. */
  readonly name?: string | undefined;
  /** Runs no further case after one that failed. */
  readonly bail?: boolean | undefined;
}

const FIXTURES = "fixtures";
const EXTENSION = ".json";

/** A scenario file that was read, and what is still to be run of it. */
interface Runnable {
  readonly file: NamedFile;
  readonly selected: readonly SelectedCase[];
}

/**
 * Runs scenario files, or the sample scenarios where none is named. All are read and checked before the first one runs.
 * Files that a folder has for another gate are passed over; one that is named is refused.
 * Shape: 0 when every step passed, else 1.
 */
export async function run(paths: readonly string[], command: RunCommand): Promise<number> {
  const { json, reporters = [], outputFile, name = "", bail = false } = command;
  const plan = reportingPlan({ json, reporters, outputFile });
  const read = await readerFor(command);
  if (paths.length === 0 && command.gate !== undefined) {
    throw new CallgateError("USAGE", { detail: "with --gate, the scenario files or their folders are named as well" });
  }
  const files = paths.length === 0 ? await packageFiles(FIXTURES, EXTENSION) : await findFiles(paths, EXTENSION);
  const scenarios: Runnable[] = [];
  for (const file of files) {
    const bytes = await readFileWithin(file, LIMITS.fixtureBytes);
    try {
      scenarios.push({ file, selected: selectCases(await inFile(file, () => read(bytes)), name) });
    } catch (error) {
      if (!isOfAnotherGate(error) || paths.includes(file.path)) throw error;
    }
  }
  const chosen = scenarios.filter(({ selected }) => selected.length > 0);
  if (chosen.length === 0) {
    const nothing =
      scenarios.length === 0
        ? command.gate === undefined
          ? "none is about the sample tools; name the gate of these by --gate"
          : "none is about the tools of this gate"
        : "none has a case or step whose id contains the name of -t";
    throw new CallgateError("NO_SCENARIOS", { detail: nothing });
  }
  const report = await runAll(chosen, { json, bail });
  const useColor = command.color && process.stdout.isTTY && environmentAllowsColor();
  await deliver(plan, report, useColor);
  return summaryOf(report).passed ? 0 : 1;
}

async function runAll(
  scenarios: readonly Runnable[],
  { json, bail }: { readonly json: boolean; readonly bail: boolean },
): Promise<RunReport> {
  const all = scenarios.flatMap(({ file, selected }) => selected.map((one) => ({ file, ...one })));
  const byFile = new Map<NamedFile, RanCase[]>();
  const progress = json ? null : terminalProgress();
  let done = 0;
  try {
    for (const { file, scenario, stepCount } of all) {
      await progress?.show(done, all.length);
      const ran = await inFile(file, () => scenario.run(stepCount));
      byFile.set(file, [...(byFile.get(file) ?? []), ran]);
      done += 1;
      if (bail && !ran.report.passed) break;
    }
  } finally {
    await progress?.clear();
  }
  const files = [...byFile].map(([file, cases]) => ({ file: file.label, cases }));
  return { files, notRunCount: all.length - done };
}

/** How the cases of files are read. */
async function readerFor({ gate, newObserver }: RunCommand): Promise<(bytes: Uint8Array) => readonly RunnableCase[]> {
  if (gate === undefined)
    return (bytes) => sampleCases(readScenarioFile(bytes), { openWorld: sampleWorld, newObserver });
  const { loadScenarioGate } = await import("./gate-file.ts");
  const { module, offered } = await loadScenarioGate(gate);
  return (bytes) => gateCases(readGateScenarioFile(bytes, offered), { module, newObserver });
}

function isOfAnotherGate(error: unknown): boolean {
  return error instanceof CallgateError && error.code === "FIXTURE_OF_ANOTHER_GATE";
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
