import { statusQueryMachine, type StatusQueryChange, type StatusQueryGuard } from "../../machines/status-query.ts";
import { STATUS_QUERY_EFFECTS, type StatusQueryEffect } from "../protocol/effects.ts";
import {
  STATUS_QUERY_EVENTS,
  STATUS_QUERY_STATES,
  type StatusQueryContext,
  type StatusQueryEvent,
  type StatusQueryEventType,
  type StatusQueryState,
} from "../protocol/status-query.ts";
import { codeOf, deliveryOf } from "./action-params.ts";
import { eventBug, refused, succeeded } from "./answer-changes.ts";
import { createEngine, type Engine, type EngineOptions } from "./engine.ts";
import type { Change, MachineSpec } from "./machine-spec.ts";
import type { Stepped } from "./step.ts";

/** A step of a status query. */
export type StatusQueryStep = Stepped<StatusQueryState, StatusQueryContext, StatusQueryEventType, StatusQueryEffect>;

/** The status query machine, steppable. */
export type StatusQueryEngine = Engine<StatusQueryState, StatusQueryContext, StatusQueryEvent, StatusQueryEffect>;

const changes = {
  bindCall(context, event) {
    if (event.type !== "host.bound") throw eventBug("bindCall");
    return { ...context, bound: event.bound };
  },
  refuse: (context, _event, params) => refused(context, codeOf(params)),
  succeed(context, event, params) {
    if (event.type !== "owner.reconciled" && event.type !== "owner.settled") throw eventBug("succeed");
    return succeeded(context, deliveryOf(params), event.record);
  },
} satisfies Record<StatusQueryChange, Change<StatusQueryContext, StatusQueryEvent>>;

/** The status query: its machine, its words, its changes of context. */
export const STATUS_QUERY: MachineSpec<StatusQueryState, StatusQueryContext, StatusQueryEvent, StatusQueryEffect> = {
  machine: statusQueryMachine,
  states: STATUS_QUERY_STATES,
  events: STATUS_QUERY_EVENTS,
  changes,
  effects: STATUS_QUERY_EFFECTS,
};

/** Makes the status query steppable. Errors: MACHINE_INCOMPLETE for a guard that is not answered. */
export function statusQueryEngine(
  options: EngineOptions<StatusQueryContext, StatusQueryEvent, StatusQueryGuard>,
): StatusQueryEngine {
  return createEngine(STATUS_QUERY, options);
}
