import type { GateDocument } from "../../src/scenarios/document.ts";
import type { ScenarioFile } from "../../src/scenarios/read.ts";
import { reportOf, type ScenarioReport } from "../../src/scenarios/report.ts";
import {
  gateCases,
  sampleCases,
  type GateRunOptions,
  type RunnableCase,
  type RunOptions,
} from "../../src/scenarios/run.ts";

/** Runs every case of a file about the sample tools. */
export function runScenarios(file: ScenarioFile, options: RunOptions): Promise<ScenarioReport> {
  return runAll(sampleCases(file, options));
}

/** Runs every case of a file about a gate's own tools. */
export function runGateScenarios(file: ScenarioFile<GateDocument>, options: GateRunOptions): Promise<ScenarioReport> {
  return runAll(gateCases(file, options));
}

async function runAll(cases: readonly RunnableCase[]): Promise<ScenarioReport> {
  const reports = [];
  for (const scenario of cases) reports.push((await scenario.run()).report);
  return reportOf(reports);
}
