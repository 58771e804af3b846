import type { AnyStateMachine } from "xstate";
import { APPROVAL } from "../../engine/approval.ts";
import { OPERATION } from "../../engine/operation.ts";
import { STATUS_QUERY } from "../../engine/status-query.ts";
import type { StepNotice } from "../../dispatcher/observer.ts";

/** What is told of a machine when one of its runs begins. */
export interface WatchedMachine {
  /** The configuration as JSON text. Shape: a function is an object with its name as `type`. */
  readonly definition: string;
  /** The states that answer nothing more. */
  readonly finals: ReadonlySet<string>;
}

/** The machines that are watched, by name. */
export const WATCHED_MACHINES: Readonly<Record<StepNotice["machine"], WatchedMachine>> = {
  operation: watched(OPERATION.machine),
  status_query: watched(STATUS_QUERY.machine),
  approval: watched(APPROVAL.machine),
};

function watched(machine: AnyStateMachine): WatchedMachine {
  const finals = Object.values(machine.states).filter(({ type }) => type === "final");
  return { definition: JSON.stringify(machine.config, nameFunction), finals: new Set(finals.map(({ key }) => key)) };
}

function nameFunction(_member: string, value: unknown): unknown {
  return typeof value === "function" ? { type: value.name } : value;
}
