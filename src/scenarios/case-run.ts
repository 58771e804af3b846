import { createGate, type Gate } from "../dispatcher/gate.ts";
import type { Diagnostic } from "../dispatcher/diagnostic.ts";
import type { Observer } from "../dispatcher/observer.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import { simulatedHost, type SimulatedHost } from "../host/simulated.ts";
import { systemHost } from "../host/system.ts";
import { canonicalize } from "../json/canonical.ts";
import { requestSha256 } from "../json/digests.ts";
import type { Place } from "../json/place.ts";
import type { Principal } from "../protocol/call.ts";
import type { Sha256, StatusRef } from "../protocol/ids.ts";
import type { ResultPackage } from "../protocol/result.ts";
import type { Tool } from "../tools/tool.ts";
import type { CaseWorld } from "./case-world.ts";
import type { ScenarioCase, ScenarioStep } from "./document.ts";
import { answerIn, failureOf } from "./judge.ts";
import { Lifecycles } from "./lifecycles.ts";
import { patiently } from "./patience.ts";
import type { ScenarioFile } from "./read.ts";
import type { RanCase, StepDiagnostic, StepReport } from "./report.ts";

/** How a case is run. */
export interface CaseOptions<Step extends ScenarioStep, Case extends ScenarioCase<Step>> {
  /** Opens a fresh world for a case; it keeps deadlines by this clock. */
  openWorld(scenario: Case, clock: SimulatedHost): Promise<CaseWorld<Step>>;
  readonly interpreter: InterpreterName | undefined;
  /** Makes a further observer of a case's gate. */
  readonly newObserver: (() => Observer) | undefined;
  /** How long a dispatch or query may take in real time. Units: milliseconds. */
  readonly patienceMs: number;
}

type Places = Pick<ScenarioFile, "placeOf">;

/** One case, in its own world behind its own gate. */
export class CaseRun<Step extends ScenarioStep> {
  readonly #file: Places;
  readonly #scenario: ScenarioCase<Step>;
  readonly #at: string;
  readonly #host: SimulatedHost;
  readonly #world: CaseWorld<Step>;
  readonly #patienceMs: number;
  readonly #gate: Gate;
  readonly #lifecycles = new Lifecycles();
  /** Of the step that runs. */
  #diagnostics: StepDiagnostic[] = [];
  readonly #statusRefs = new Map<string, StatusRef | null>();

  private constructor(
    file: Places,
    scenario: ScenarioCase<Step>,
    at: string,
    host: SimulatedHost,
    world: CaseWorld<Step>,
    options: Pick<CaseOptions<Step, ScenarioCase<Step>>, "interpreter" | "newObserver" | "patienceMs">,
  ) {
    this.#file = file;
    this.#scenario = scenario;
    this.#at = at;
    this.#host = host;
    this.#world = world;
    this.#patienceMs = options.patienceMs;
    const { tools, approvers } = world;
    const { interpreter } = options;
    const watch = options.newObserver?.();
    const observer: Observer = (notice) => {
      this.#lifecycles.observe(notice);
      watch?.(notice);
    };
    const onDiagnostic = ({ subject, problems }: Diagnostic): void => {
      this.#diagnostics.push({ subject, problems });
    };
    this.#gate = createGate({ tools, approvers, host, interpreter, observer, onDiagnostic });
  }

  /**
   * Opens the world of a case, runs its steps, and closes the world whatever came of it.
   * Errors: SCENARIO_*.
   */
  static async run<Step extends ScenarioStep, Case extends ScenarioCase<Step>>(
    file: Places,
    scenario: Case,
    at: string,
    options: CaseOptions<Step, Case>,
  ): Promise<RanCase> {
    const beganAtMs = realMs();
    const host = simulatedHost(scenario.steps[0]?.now ?? 0);
    const world = await placed(file, `${at}/world`, () => options.openWorld(scenario, host));
    let ran: Omit<RanCase, "elapsedMs">;
    try {
      ran = await new CaseRun(file, scenario, at, host, world, options).#run();
    } catch (error) {
      // What failed first is told; a world that cannot be closed then is no news.
      await world.close().catch(() => undefined);
      throw error;
    }
    await placed(file, `${at}/world`, () => world.close());
    return { ...ran, elapsedMs: realMs() - beganAtMs };
  }

  async #run(): Promise<Omit<RanCase, "elapsedMs">> {
    const steps: StepReport[] = [];
    const stepElapsedMs: number[] = [];
    for (const [index, step] of this.#scenario.steps.entries()) {
      const at = `${this.#at}/steps/${index}`;
      const beganAtMs = realMs();
      steps.push(await placed(this.#file, at, () => this.#runStep(step, at)));
      stepElapsedMs.push(realMs() - beganAtMs);
    }
    await this.#gate.close();
    const { id } = this.#scenario;
    return { report: { id, passed: steps.every(({ passed }) => passed), steps }, stepElapsedMs };
  }

  async #runStep(step: Step, at: string): Promise<StepReport> {
    this.#host.setNow(step.now);
    this.#diagnostics = [];
    if ("advance_ms" in step) this.#host.advance(step.advance_ms ?? 0);
    const asked = step.status_ref_from === null ? null : this.#askedAbout(step.status_ref_from, at);
    const ask = asked === null ? this.#dispatchOf(step, at) : this.#queryOf(step, asked, at);
    await this.#world.arm(step);
    // What waits for the case's clock, and for nothing that moves it, would wait for ever.
    const answered = await patiently(this.#patienceMs, ask, () => this.#failure("SCENARIO_STUCK", at));
    const { isOutOfPlace } = await this.#world.disarm();
    if (isOutOfPlace) throw this.#failure("SCENARIO_FAULT_ON_READ", `${at}/failure`);
    return this.#report(step, at, answered, asked);
  }

  #dispatchOf(step: Step, at: string): () => Promise<ResultPackage> {
    const { principal } = this.#scenario;
    const { proposal, execution_context: executionContext } = step;
    const approvals = this.#approvals(step, at);
    return () => this.#gate.dispatch({ principal, proposal, executionContext, approvals });
  }

  #queryOf(step: Step, statusRef: StatusRef, at: string): () => Promise<ResultPackage> {
    const { principal } = this.#scenario;
    const { proposal, execution_context: executionContext } = step;
    const tool = this.#gate.registry.find(proposal.name);
    if (tool === null) throw this.#failure("SCENARIO_QUERY_UNREGISTERED", `${at}/proposal/name`);
    const expectedRequestSha256 = requestDigest(principal, tool, step);
    return () => this.#gate.queryStatus({ principal, proposal, executionContext, statusRef, expectedRequestSha256 });
  }

  #askedAbout(stepId: string, at: string): StatusRef {
    const statusRef = this.#statusRefs.get(stepId) ?? null;
    if (statusRef === null) throw this.#failure("SCENARIO_NO_STATUS_REF", `${at}/status_ref_from`);
    return statusRef;
  }

  #approvals(step: Step, at: string): readonly unknown[] {
    if (step.approval === "none") return [];
    const tool = this.#gate.registry.find(step.proposal.name);
    if (tool === null) throw this.#failure("SCENARIO_APPROVAL_UNREGISTERED", `${at}/approval`);
    const { principal } = this.#scenario;
    const call = { principal, contract: tool.contract, requestSha256: requestDigest(principal, tool, step) };
    return this.#world.approvals(step, call);
  }

  async #report(step: Step, at: string, answered: ResultPackage, asked: StatusRef | null): Promise<StepReport> {
    const { principal } = this.#scenario;
    const { binding, downstream } = answered.protected_audit;
    this.#statusRefs.set(step.step_id, downstream.status_ref);
    const lifecycle = this.#lifecycles.takeBegun();
    this.#lifecycles.noteOwner(lifecycle, downstream.status_ref);

    const call = { ...step.proposal, ...step.execution_context };
    const validationErrors = this.#gate.validateResult({ principal, call, package: answered });
    const { total, byTool: effectsByTool } = await this.#world.effects();
    const received = answerIn(answered, total);
    const { expected } = step;
    const place = placeOf(this.#file, at);
    const failure = failureOf({ place, expected, received, effectsByTool, lifecycle, validationErrors });
    const { code, ...answer } = received;
    return {
      step_id: step.step_id,
      passed: failure === null,
      actual_code: code,
      ...answer,
      lifecycle: lifecycle.states,
      owner_lifecycle: asked === null ? null : this.#lifecycles.ofOwner(asked),
      digests: binding,
      validation_errors: validationErrors,
      diagnostics: this.#diagnostics,
      failure,
    };
  }

  #failure(code: FailureCode, at: string): CallgateError {
    return new CallgateError(code, { at, detail: `on line ${placeOf(this.#file, at).line}` });
  }
}

/** What a world says of a failure has no place: it is that of what was being done. */
async function placed<Result>(file: Places, at: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallgateError) || error.at !== null) throw error;
    const { code, detail } = error;
    const line = `on line ${placeOf(file, at).line}`;
    throw new CallgateError(code, { at, detail: detail === null ? line : `${detail}, ${line}`, cause: error });
  }
}

function realMs(): number {
  return systemHost().monotonicMs();
}

function placeOf(file: Places, pointer: string): Place {
  return file.placeOf(pointer) ?? { line: 1, column: 1 };
}

function requestDigest(principal: Principal, { contract }: Tool, { proposal }: ScenarioStep): Sha256 {
  return requestSha256(principal, contract, canonicalize(proposal.arguments, { depth: 1 }));
}
