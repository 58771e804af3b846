import { createGate, type Gate } from "../dispatcher/gate.ts";
import type { InterpreterName } from "../engine/engine.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import { simulatedHost, type SimulatedHost } from "../host/simulated.ts";
import { canonicalize } from "../json/canonical.ts";
import { requestSha256 } from "../json/digests.ts";
import type { Place } from "../json/place.ts";
import type { Principal } from "../protocol/call.ts";
import type { Sha256, StatusRef } from "../protocol/ids.ts";
import type { ResultPackage } from "../protocol/result.ts";
import { makeApproval } from "../sample/approval.ts";
import type { SampleWorld } from "../sample/world.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ScenarioCase, ScenarioStep } from "./document.ts";
import { answerIn, differencesBetween, lostIn } from "./judge.ts";
import { Lifecycles } from "./lifecycles.ts";
import type { ScenarioFile } from "./read.ts";
import type { CaseReport, ScenarioReport, StepReport } from "./report.ts";

/** What scenarios ask of a world. */
export type ScenarioWorld = Pick<SampleWorld, "tools" | "approvers" | "faults" | "sideEffectCount">;

/** How scenarios are run. */
export interface RunOptions {
  /** Opens a fresh world for each case; it keeps deadlines by this clock. */
  readonly openWorld: (clock: SimulatedHost) => ScenarioWorld;
  readonly interpreter?: InterpreterName | undefined;
}

/**
 * Runs every case of a scenario file, each in a fresh world behind a fresh gate, and reports what every step came to.
 * Errors: SCENARIO_* at the JSON pointer of a step that cannot be run; there is no report then.
 */
export async function runScenarios(file: ScenarioFile, options: RunOptions): Promise<ScenarioReport> {
  const cases: CaseReport[] = [];
  for (const [index, scenario] of file.document.cases.entries()) {
    cases.push(await new CaseRun(file, scenario, `/cases/${index}`, options).run());
  }
  return {
    passed: cases.every(({ passed }) => passed),
    case_count: cases.length,
    step_count: cases.reduce((count, { steps }) => count + steps.length, 0),
    cases,
  };
}

class CaseRun {
  readonly #file: ScenarioFile;
  readonly #scenario: ScenarioCase;
  readonly #at: string;
  readonly #host: SimulatedHost;
  readonly #world: ScenarioWorld;
  readonly #gate: Gate;
  readonly #lifecycles = new Lifecycles();
  readonly #statusRefs = new Map<string, StatusRef | null>();

  constructor(file: ScenarioFile, scenario: ScenarioCase, at: string, { openWorld, interpreter }: RunOptions) {
    this.#file = file;
    this.#scenario = scenario;
    this.#at = at;
    this.#host = simulatedHost(0);
    this.#world = openWorld(this.#host);
    const { tools, approvers } = this.#world;
    this.#gate = createGate({ tools, approvers, host: this.#host, interpreter, observer: this.#lifecycles.observe });
  }

  async run(): Promise<CaseReport> {
    const steps: StepReport[] = [];
    for (const [index, step] of this.#scenario.steps.entries()) {
      steps.push(await this.#runStep(step, `${this.#at}/steps/${index}`));
    }
    await this.#gate.close();
    return { id: this.#scenario.id, passed: steps.every(({ passed }) => passed), steps };
  }

  async #runStep(step: ScenarioStep, at: string): Promise<StepReport> {
    this.#host.setNow(step.now);
    const asked = step.status_ref_from === null ? null : this.#askedAbout(step.status_ref_from, at);
    const answered = asked === null ? await this.#dispatch(step, at) : await this.#query(step, asked, at);
    return this.#report(step, at, answered, asked);
  }

  async #dispatch(step: ScenarioStep, at: string): Promise<ResultPackage> {
    const { principal } = this.#scenario;
    const { proposal, execution_context: executionContext, failure } = step;
    const { faults } = this.#world;
    const approvals = this.#approvals(step, at);
    faults.arm(failure);
    const answered = await this.#gate.dispatch({ principal, proposal, executionContext, approvals });
    faults.disarm();
    if (faults.reachedRead) throw this.#failure("SCENARIO_FAULT_ON_READ", `${at}/failure`);
    return answered;
  }

  async #query(step: ScenarioStep, statusRef: StatusRef, at: string): Promise<ResultPackage> {
    const { principal } = this.#scenario;
    const { proposal, execution_context: executionContext } = step;
    const tool = this.#gate.registry.find(proposal.name);
    if (tool === null) throw this.#failure("SCENARIO_QUERY_UNREGISTERED", `${at}/proposal/name`);
    const expectedRequestSha256 = requestDigest(principal, tool, step);
    return this.#gate.queryStatus({ principal, proposal, executionContext, statusRef, expectedRequestSha256 });
  }

  #askedAbout(stepId: string, at: string): StatusRef {
    const statusRef = this.#statusRefs.get(stepId) ?? null;
    if (statusRef === null) throw this.#failure("SCENARIO_NO_STATUS_REF", `${at}/status_ref_from`);
    return statusRef;
  }

  #approvals(step: ScenarioStep, at: string): readonly unknown[] {
    const { approval: kind, now } = step;
    if (kind === "none") return [];
    const tool = this.#gate.registry.find(step.proposal.name);
    if (tool === null) throw this.#failure("SCENARIO_APPROVAL_UNREGISTERED", `${at}/approval`);
    const { principal } = this.#scenario;
    const { contract } = tool;
    const made = { kind, principal, context: step.execution_context, contract, now };
    return this.#world.approvers
      .slice(0, 1)
      .map((approverId) => makeApproval({ ...made, requestSha256: requestDigest(principal, tool, step), approverId }));
  }

  #report(step: ScenarioStep, at: string, answered: ResultPackage, asked: StatusRef | null): StepReport {
    const { principal } = this.#scenario;
    const { binding, downstream } = answered.protected_audit;
    this.#statusRefs.set(step.step_id, downstream.status_ref);
    const lifecycle = this.#lifecycles.takeBegun();
    this.#lifecycles.noteOwner(lifecycle, downstream.status_ref);

    const call = { ...step.proposal, ...step.execution_context };
    const validationErrors = this.#gate.validateResult({ principal, call, package: answered });
    const received = answerIn(answered, this.#world.sideEffectCount);
    const differences = differencesBetween(step.expected, received);
    const passed = validationErrors.length === 0 && differences.length === 0;
    const { code, ...answer } = received;
    return {
      step_id: step.step_id,
      passed,
      actual_code: code,
      ...answer,
      lifecycle: [...lifecycle.states],
      owner_lifecycle: asked === null ? null : this.#lifecycles.ofOwner(asked),
      digests: binding,
      validation_errors: validationErrors,
      failure: passed
        ? null
        : {
            place: this.#placeOf(at),
            differences,
            lost_in: lostIn(lifecycle, step.expected, received),
          },
    };
  }

  #failure(code: FailureCode, at: string): CallgateError {
    return new CallgateError(code, { at, detail: `on line ${this.#placeOf(at).line}` });
  }

  #placeOf(pointer: string): Place {
    return this.#file.placeOf(pointer) ?? { line: 1, column: 1 };
  }
}

function requestDigest(principal: Principal, { contract }: Tool, { proposal }: ScenarioStep): Sha256 {
  return requestSha256(principal, contract, canonicalize(proposal.arguments, { depth: 1 }));
}
