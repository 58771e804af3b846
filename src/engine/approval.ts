import { approvalMachine, type ApprovalChange } from "../../machines/approval.ts";
import { APPROVAL_EFFECTS } from "../protocol/effects.ts";
import {
  APPROVAL_EVENTS,
  APPROVAL_STATES,
  type ApprovalContext,
  type ApprovalEvent,
  type ApprovalState,
} from "../protocol/approval-run.ts";
import { eventBug } from "./answer-changes.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { Change, MachineSpec } from "./machine-spec.ts";

/** The approval machine, steppable. */
export type ApprovalEngine = Engine<ApprovalState, ApprovalContext, ApprovalEvent, never>;

const changes = {
  keepDecision(context, event) {
    if (event.type !== "request.granted") throw eventBug("keepDecision");
    const { approvalId, approverId, expiresAt } = event;
    return { ...context, approvalId, approverId, expiresAt };
  },
  keepHolder(context, event) {
    if (event.type !== "grant.reserved") throw eventBug("keepHolder");
    return { ...context, holder: event.holder };
  },
  dropHolder: (context) => ({ ...context, holder: null }),
} satisfies Record<ApprovalChange, Change<ApprovalContext, ApprovalEvent>>;

/** The approval: its machine, its words, its changes of context. */
export const APPROVAL: MachineSpec<ApprovalState, ApprovalContext, ApprovalEvent, never> = {
  machine: approvalMachine,
  states: APPROVAL_STATES,
  events: APPROVAL_EVENTS,
  changes,
  effects: APPROVAL_EFFECTS,
};

/** Makes the approval steppable; it asks nothing. */
export function approvalEngine({
  interpreter,
}: { readonly interpreter?: InterpreterName | undefined } = {}): ApprovalEngine {
  return createEngine(APPROVAL, { guards: {}, interpreter });
}
