import type { OperationStep } from "../engine/operation.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { JournalStep } from "../ledger/journal.ts";
import type { ApprovalStep, Hold, NextState, RecordedEffect, StoredAttempt } from "../ledger/ledger.ts";
import { approvalKey, approvalSubject } from "../json/digests.ts";
import type { Approval } from "../protocol/approval.ts";
import type { Proposal } from "../protocol/call.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { ApprovalKey, AttemptId } from "../protocol/ids.ts";
import type { OperationContext, OperationEvent, OperationState } from "../protocol/operation.ts";
import type { Tool } from "../tools/tool.ts";
import { diagnose } from "./diagnostic.ts";
import { faultOfStep } from "./explain.ts";
import { tell, type House } from "./house.ts";
import type { Interruption } from "./interruption.ts";
import { approvalNotice, runNotice } from "./observer.ts";

/** The event that answers an asked effect. */
export interface Answer {
  readonly event: OperationEvent;
  /** What was asked threw, so that the event is the cautious one. */
  readonly failed?: true;
}

/** What a run is made of. */
export interface OperationRunParts {
  readonly attemptId: AttemptId;
  readonly tool: Tool | null;
  readonly bound: BoundCall;
  readonly proposal: Proposal;
  readonly presented: number;
  readonly approvals: readonly Approval[];
  readonly interruption: Interruption;
  /** A clock that never goes back. Units: seconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * One attempt on its way through the operation machine. It keeps where the attempt is, what of it is stored, and the
 * steps since; what may follow what, only the machine knows.
 */
export class OperationRun {
  readonly parts: OperationRunParts;
  readonly #house: House;
  state: OperationState;
  context: OperationContext;
  /** Null until the identity was claimed. */
  hold: Hold | null = null;
  /** The state that the ledger has. */
  storedState: OperationState | null = null;
  /** Whether the tool's surroundings must be checked again because somebody else checked them before. */
  readonly isRecovered: boolean;
  /** Whether it ever waited in its scope's line. */
  hasWaited = false;
  #steps: JournalStep[] = [];
  #isStoredAhead = false;

  constructor(
    house: House,
    parts: OperationRunParts,
    from: { state: OperationState; context: OperationContext } | StoredAttempt,
  ) {
    this.#house = house;
    this.parts = parts;
    this.state = from.state;
    this.context = from.context;
    this.isRecovered = "hold" in from;
    if ("hold" in from) {
      this.hold = from.hold;
      this.storedState = from.state;
    }
  }

  /** Where an event would lead. Errors: INTERNAL for one that the state does not answer, which is a bug. */
  foresee(event: OperationEvent): OperationStep {
    const step = this.#house.operation.step(this.state, this.context, event);
    if (step.kind === "refused") throw new CallgateError("INTERNAL", { detail: `${step.code} in ${this.state}` });
    return step;
  }

  /** What is to be stored of a step: the steps since the last transaction, and this one. */
  toStore(step: OperationStep, failed?: boolean): NextState {
    return { state: step.to, context: step.context, steps: [...this.#steps, journalled(step, failed)] };
  }

  /** Goes where a step leads. */
  adopt(step: OperationStep, { event, failed }: Answer): void {
    this.state = step.to;
    this.context = step.context;
    if (this.#isStoredAhead) this.#isStoredAhead = false;
    else this.#steps.push(journalled(step, failed));
    const { attemptId: run, bound } = this.parts;
    const { refusal } = step.context;
    if (refusal !== null) diagnose(this.#house.onDiagnostic, this.parts, () => faultOfStep(this.parts, refusal, event));
    tell(this.#house, () => runNotice({ machine: "operation", run, source: null }, bound, step, failed === true));
  }

  /** Tells the steps that a transaction took the approval of this call through. */
  tellApproval(steps: readonly ApprovalStep[]): void {
    const { attemptId: source, bound } = this.parts;
    for (const step of steps) tell(this.#house, () => approvalNotice({ run: this.approvalKey(), source }, bound, step));
  }

  /** All steps until now are stored, under this hold. */
  isStored(hold: Hold, state: OperationState): void {
    this.hold = hold;
    this.storedState = state;
    this.#steps = [];
  }

  /** The step that is about to be adopted is stored already, by the transaction that answered. */
  isStoredAhead(hold: Hold, state: OperationState): void {
    this.isStored(hold, state);
    this.#isStoredAhead = true;
  }

  /** The approval run that this call is decided under. */
  approvalKey(): ApprovalKey {
    const { executionContext: context, toolContract: contract, facts } = this.parts.bound;
    return approvalKey(approvalSubject({ context, contract, requestSha256: facts.request_sha256 }));
  }

  /** The recorded effects of a step, with what they need. */
  recordedEffects(step: OperationStep): RecordedEffect[] {
    const effects: RecordedEffect[] = [];
    for (const { type } of step.effects) {
      switch (type) {
        case "settle":
        case "markUncertain":
        case "markDisputed":
        case "releaseScope":
          effects.push({ type });
          break;
        case "requestApproval":
          effects.push({ type, key: this.approvalKey() });
          break;
        default:
      }
    }
    return effects;
  }
}

/** A step as the journal keeps it. */
export function journalled({ event, to }: OperationStep, failed: boolean | undefined): JournalStep {
  return failed === true ? { event, state: to, failed } : { event, state: to };
}
