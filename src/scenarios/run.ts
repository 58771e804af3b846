import type { Observer } from "../dispatcher/observer.ts";
import type { ReadGateModule } from "../dispatcher/read-gate-module.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import type { SimulatedHost } from "../host/simulated.ts";
import type { SampleWorld } from "../sample/world.ts";
import { CaseRun, type CaseOptions } from "./case-run.ts";
import type { GateDocument, ScenarioCase, ScenarioStep } from "./document.ts";
import { openGateCaseWorld } from "./gate-case-world.ts";
import type { ScenarioFile } from "./read.ts";
import type { RanCase } from "./report.ts";
import { sampleCaseWorld } from "./sample-case-world.ts";

/** What scenarios ask of a world. */
export type ScenarioWorld = Pick<SampleWorld, "tools" | "approvers" | "faults" | "sideEffectCount">;

/** How scenarios of the sample tools are run. */
export interface RunOptions {
  /** Opens a fresh world for each case; it keeps deadlines by this clock. */
  readonly openWorld: (clock: SimulatedHost) => ScenarioWorld;
  readonly interpreter?: InterpreterName | undefined;
  /** Makes a further observer of a case's gate; asked whenever a case is run. */
  readonly newObserver?: (() => Observer) | undefined;
}

/** How scenarios of a gate's own tools are run. */
export interface GateRunOptions {
  readonly module: ReadGateModule;
  readonly interpreter?: InterpreterName | undefined;
  /** Makes a further observer of a case's gate; asked whenever a case is run. */
  readonly newObserver?: (() => Observer) | undefined;
  /**
   * How long a step, or a function that the gate offers to scenarios, may take in real time.
   * Units: milliseconds. Default: 20,000.
   */
  readonly patienceMs?: number | undefined;
}

/** A case of a scenario file that can be run, any number of times. */
export interface RunnableCase {
  readonly id: string;
  readonly stepIds: readonly string[];
  /**
   * Runs the case, or its first steps only, in a fresh world behind a fresh gate.
   * Errors: SCENARIO_* at the JSON pointer of what cannot be run; there is no report then.
   */
  run(stepCount?: number): Promise<RanCase>;
}

const PATIENCE_MS = 20_000;

/** The cases of a file about the sample tools, in their order. */
export function sampleCases(file: ScenarioFile, options: RunOptions): readonly RunnableCase[] {
  const { openWorld, interpreter, newObserver } = options;
  return runnableCases(file, file.document.cases, {
    interpreter,
    newObserver,
    patienceMs: PATIENCE_MS,
    openWorld: async (_scenario, clock) => sampleCaseWorld(openWorld(clock)),
  });
}

/** The cases of a file about a gate's own tools, in their order. */
export function gateCases(file: ScenarioFile<GateDocument>, options: GateRunOptions): readonly RunnableCase[] {
  const { module, interpreter, newObserver, patienceMs = PATIENCE_MS } = options;
  return runnableCases(file, file.document.cases, {
    interpreter,
    newObserver,
    patienceMs,
    openWorld: ({ world }, clock) => openGateCaseWorld(module, world, { clock, patienceMs }),
  });
}

function runnableCases<Step extends ScenarioStep, Case extends ScenarioCase<Step>>(
  file: Pick<ScenarioFile, "placeOf">,
  scenarios: readonly Case[],
  options: CaseOptions<Step, Case>,
): readonly RunnableCase[] {
  return scenarios.map((scenario, index) => ({
    id: scenario.id,
    stepIds: scenario.steps.map(({ step_id }) => step_id),
    run: (stepCount) =>
      CaseRun.run(file, { ...scenario, steps: scenario.steps.slice(0, stepCount) }, `/cases/${index}`, options),
  }));
}
