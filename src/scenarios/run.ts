import type { Observer } from "../dispatcher/observer.ts";
import type { ReadGateModule } from "../dispatcher/read-gate-module.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import type { SimulatedHost } from "../host/simulated.ts";
import type { SampleWorld } from "../sample/world.ts";
import { CaseRun, type CaseOptions } from "./case-run.ts";
import type { GateDocument, ScenarioCase, ScenarioStep } from "./document.ts";
import { openGateCaseWorld } from "./gate-case-world.ts";
import type { ScenarioFile } from "./read.ts";
import type { CaseReport, ScenarioReport } from "./report.ts";
import { sampleCaseWorld } from "./sample-case-world.ts";

/** What scenarios ask of a world. */
export type ScenarioWorld = Pick<SampleWorld, "tools" | "approvers" | "faults" | "sideEffectCount">;

/** How scenarios of the sample tools are run. */
export interface RunOptions {
  /** Opens a fresh world for each case; it keeps deadlines by this clock. */
  readonly openWorld: (clock: SimulatedHost) => ScenarioWorld;
  readonly interpreter?: InterpreterName | undefined;
  /** Makes a further observer of a case's gate; asked for every case, in order. */
  readonly newObserver?: (() => Observer) | undefined;
}

/** How scenarios of a gate's own tools are run. */
export interface GateRunOptions {
  readonly module: ReadGateModule;
  readonly interpreter?: InterpreterName | undefined;
  /** Makes a further observer of a case's gate; asked for every case, in order. */
  readonly newObserver?: (() => Observer) | undefined;
  /** How long a step may take in real time. Units: milliseconds. Default: 20,000. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 20_000;

/**
 * Runs every case of a scenario file, each in a fresh world behind a fresh gate, and reports what every step came to.
 * Errors: SCENARIO_* at the JSON pointer of a step that cannot be run; there is no report then.
 */
export function runScenarios(file: ScenarioFile, options: RunOptions): Promise<ScenarioReport> {
  const { openWorld, interpreter, newObserver } = options;
  return runCases(file, file.document.cases, {
    interpreter,
    newObserver,
    patienceMs: PATIENCE_MS,
    openWorld: async (_scenario, clock) => sampleCaseWorld(openWorld(clock)),
  });
}

/** The same for scenarios of a gate's own tools. Errors: SCENARIO_*; there is no report then. */
export function runGateScenarios(file: ScenarioFile<GateDocument>, options: GateRunOptions): Promise<ScenarioReport> {
  const { module, interpreter, newObserver, patienceMs = PATIENCE_MS } = options;
  return runCases(file, file.document.cases, {
    interpreter,
    newObserver,
    patienceMs,
    openWorld: ({ world }, clock) => openGateCaseWorld(module, world, clock),
  });
}

async function runCases<Step extends ScenarioStep, Case extends ScenarioCase<Step>>(
  file: Pick<ScenarioFile, "placeOf">,
  scenarios: readonly Case[],
  options: CaseOptions<Step, Case>,
): Promise<ScenarioReport> {
  const cases: CaseReport[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    cases.push(await CaseRun.run(file, scenario, `/cases/${index}`, options));
  }
  return {
    passed: cases.every(({ passed }) => passed),
    case_count: cases.length,
    step_count: cases.reduce((count, { steps }) => count + steps.length, 0),
    cases,
  };
}
