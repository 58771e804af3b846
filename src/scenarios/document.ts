import type { RefusalCode } from "../errors/refusals.ts";
import type { ExecutionContext, Principal, Proposal } from "../protocol/call.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Delivery, Outcome, Recovery, Status } from "../protocol/result.ts";
import type { Fault } from "../sample/faults.ts";

/** `schema_version` of a scenario file. */
export const SCENARIO_VERSION = "tool-cases-v2";

/** What a step does. */
export const ACTIONS = ["dispatch", "query_status"] as const;
/** Which approval a step brings along. */
export const APPROVALS = ["none", "valid", "expired", "mismatched"] as const;

/** Whether a call can have succeeded, failed or be in doubt. */
export const STATUSES = namesOf<Status>({ succeeded: true, failed: true, unknown: true });
/** What can have become of the effect. */
export const OUTCOMES = namesOf<Outcome>({ not_started: true, committed: true, unknown: true });
/** How an answer can come about. */
export const DELIVERIES = namesOf<Delivery>({ fresh: true, local_replay: true, receipt_reconciled: true });
/** What the caller can be told to do next. */
export const RECOVERIES = namesOf<Recovery>({
  none: true,
  correct_input: true,
  request_approval: true,
  retry_after: true,
  query_status: true,
  human_review: true,
});

/** What a step must come to. A success has code `OK` and recovery `none`. */
export interface ScenarioAnswer {
  readonly code: RefusalCode | "OK";
  readonly status: Status;
  readonly outcome: Outcome;
  readonly recovery: Recovery;
  readonly delivery: Delivery;
  readonly data: JsonObject | null;
  /** How often the tool that writes has run in this case, lost answers included. */
  readonly side_effect_count: number;
}

/** One dispatch or status query of a case. */
export interface ScenarioStep {
  readonly step_id: string;
  readonly action: (typeof ACTIONS)[number];
  readonly proposal: Proposal;
  readonly execution_context: ExecutionContext;
  readonly approval: (typeof APPROVALS)[number];
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
  readonly failure: Fault;
  /** The earlier step whose package's status_ref a query asks about; null for a dispatch. */
  readonly status_ref_from: string | null;
  readonly expected: ScenarioAnswer;
}

/** Steps that share one fresh world and one principal. */
export interface ScenarioCase {
  readonly id: string;
  readonly principal: Principal;
  readonly steps: readonly ScenarioStep[];
}

/** A scenario file: data only. Source: contract, section 11. */
export interface ScenarioDocument {
  readonly schema_version: typeof SCENARIO_VERSION;
  readonly contract: { readonly model_result: string; readonly protected_audit: string };
  readonly cases: readonly ScenarioCase[];
}

// A table, so that the compiler asks for every word of the type.
function namesOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
