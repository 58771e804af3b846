import { operationMachine, type OperationChange, type OperationGuard } from "../../machines/operation.ts";
import { recordOf } from "../packages/answer.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import { OPERATION_EFFECTS, type OperationEffect } from "../protocol/effects.ts";
import {
  OPERATION_EVENTS,
  OPERATION_STATES,
  type OperationContext,
  type OperationEvent,
  type OperationEventType,
  type OperationState,
} from "../protocol/operation.ts";
import type { OutcomeRecord } from "../protocol/result.ts";
import { codeOf, deliveryOf } from "./action-params.ts";
import { eventBug, refused, succeeded } from "./answer-changes.ts";
import { createEngine, type Engine, type EngineOptions } from "./engine.ts";
import type { Change, MachineSpec } from "./machine-spec.ts";
import type { Stepped } from "./step.ts";

/** A step of an operation. */
export type OperationStep = Stepped<OperationState, OperationContext, OperationEventType, OperationEffect>;

/** The operation machine, steppable. */
export type OperationEngine = Engine<OperationState, OperationContext, OperationEvent, OperationEffect>;

const changes = {
  bindCall(context, event) {
    if (event.type !== "host.bound") throw eventBug("bindCall");
    return { ...context, bound: event.bound };
  },
  refuse: (context, _event, params) => refused(context, codeOf(params)),
  refuseAsTold(context, event) {
    if (event.type !== "tool.refused") throw eventBug("refuseAsTold");
    return refused(context, event.code);
  },
  succeed: (context, event, params) => succeeded(context, deliveryOf(params), recordIn(context, event)),
} satisfies Record<OperationChange, Change<OperationContext, OperationEvent>>;

/** The operation: its machine, its words, its changes of context. */
export const OPERATION: MachineSpec<OperationState, OperationContext, OperationEvent, OperationEffect> = {
  machine: operationMachine,
  states: OPERATION_STATES,
  events: OPERATION_EVENTS,
  changes,
  effects: OPERATION_EFFECTS,
};

/** Makes the operation steppable. Errors: MACHINE_INCOMPLETE for a guard that is not answered. */
export function operationEngine(
  options: EngineOptions<OperationContext, OperationEvent, OperationGuard>,
): OperationEngine {
  return createEngine(OPERATION, options);
}

function recordIn({ bound }: OperationContext, event: OperationEvent): OutcomeRecord {
  if (event.type === "scope.settled") return event.record;
  if (event.type === "tool.returned") return recordOf(event.answer, boundOf(bound));
  if (event.type === "receipt.found") return recordOf(event.receipt, boundOf(bound), ["binding"]);
  throw eventBug("succeed");
}

function boundOf(bound: BoundCall | null): BoundCall {
  if (bound === null) throw new TypeError("an operation succeeded that was never bound");
  return bound;
}
