import type { RefusalCode } from "../errors/refusals.ts";
import type { ExecutionContext, Principal, Proposal } from "../protocol/call.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Delivery, Outcome, Recovery, Status } from "../protocol/result.ts";
import type { Fault } from "../sample/faults.ts";

/** `schema_version` of a scenario file about the sample tools. */
export const SAMPLE_VERSION = "tool-cases-v2";
/** `schema_version` of a scenario file about the tools of a gate's own module. */
export const GATE_VERSION = "callgate-scenarios-v1";

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

/** How often tools have had their effect: in all, or by tool name; a tool that is left out has not. */
export type SideEffects = number | Readonly<Record<string, number>>;

/** What a step of a gate's own scenarios must come to. */
export interface GateAnswer extends Omit<ScenarioAnswer, "side_effect_count"> {
  /** Since the case began, lost answers included, as counted downstream. */
  readonly side_effects: SideEffects;
}

interface AnyStep {
  readonly step_id: string;
  readonly action: (typeof ACTIONS)[number];
  readonly proposal: Proposal;
  readonly execution_context: ExecutionContext;
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
  /** The earlier step whose package's status_ref a query asks about; null for a dispatch. */
  readonly status_ref_from: string | null;
}

/** One dispatch or status query of a case about the sample tools. */
export interface SampleStep extends AnyStep {
  readonly approval: (typeof APPROVALS)[number];
  readonly failure: Fault;
  readonly expected: ScenarioAnswer;
}

/** One dispatch or status query of a case about a gate's own tools. */
export interface GateStep extends AnyStep {
  /** One that every gate has, or one that this gate offers. */
  readonly approval: string;
  /** What goes wrong during the step, as the gate offers it. */
  readonly faults: readonly string[];
  /** How far the clock of deadlines and leases moves before the step. Units: milliseconds. */
  readonly advance_ms?: number;
  readonly expected: GateAnswer;
}

/** One dispatch or status query of a case. */
export type ScenarioStep = SampleStep | GateStep;

/** How the world of a case is set up. */
export interface WorldSetUp {
  /** One that the gate offers. */
  readonly name: string;
  readonly parameters: JsonObject;
}

/** Steps that share one fresh world and one principal. */
export interface ScenarioCase<Step extends ScenarioStep> {
  readonly id: string;
  readonly principal: Principal;
  readonly steps: readonly Step[];
}

/** Steps about the sample tools that share one fresh world and one principal. */
export type SampleCase = ScenarioCase<SampleStep>;

/** Steps about a gate's own tools that share one fresh world and one principal. */
export interface GateCase extends ScenarioCase<GateStep> {
  readonly world: WorldSetUp;
}

interface AnyDocument<Version extends string, Case> {
  readonly schema_version: Version;
  readonly contract: { readonly model_result: string; readonly protected_audit: string };
  readonly cases: readonly Case[];
}

/** A scenario file about the sample tools: data only. Source: contract, section 11. */
export type SampleDocument = AnyDocument<typeof SAMPLE_VERSION, SampleCase>;

/** A scenario file about a gate's own tools: data only. */
export interface GateDocument extends AnyDocument<typeof GATE_VERSION, GateCase> {
  /** Where an editor finds the schema of the file; nothing else looks at it. */
  readonly $schema?: string;
}

// A table, so that the compiler asks for every word of the type.
function namesOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
