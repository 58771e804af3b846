import type { RefusalCode } from "../errors/refusals.ts";
import type { ToolContract } from "./call.ts";
import type { PrincipalRef, Sha256, StatusRef } from "./ids.ts";
import type { JsonObject } from "./json.ts";

/** `schema_version` of what a model sees. */
export const MODEL_RESULT_VERSION = "tool-model-result-v2";
/** `schema_version` of what an auditor sees. */
export const AUDIT_VERSION = "tool-audit-v2";
/** `provenance.source_label` of every error. */
export const CONTROL_SOURCE = "offline-dispatcher";
/** `provenance.producer_revision` of every error. */
export const CONTROL_PRODUCER = "offline-dispatcher-v2";

/** Whether the call succeeded, failed knowingly, or nobody knows. */
export type Status = "succeeded" | "failed" | "unknown";
/** What became of the effect. */
export type Outcome = "not_started" | "committed" | "unknown";
/** How the answer came about. */
export type Delivery = "fresh" | "local_replay" | "receipt_reconciled";
/** What the caller may do next. */
export type Recovery = "none" | "correct_input" | "request_approval" | "retry_after" | "query_status" | "human_review";
/** Family of a refusal. */
export type Category = "contract" | "authorization" | "business" | "conflict" | "approval" | "execution" | "dependency";

/** The error member of a model result: one row of the catalogue. */
export interface ResultError {
  readonly code: RefusalCode;
  readonly category: Category;
  readonly safe_message: string;
  readonly recovery: Recovery;
  /** Units: milliseconds. */
  readonly retry_after_ms: number | null;
}

/** Where the answer comes from and how far it may be trusted. */
export interface Provenance {
  readonly source_label: string;
  readonly producer_revision: string;
  readonly resource_revision: string | null;
  /** Shape: UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly observed_at: string;
  readonly trust: "untrusted_data" | "trusted_control";
}

/** What a model sees: all of it, and nothing else. */
export interface ModelResult {
  readonly schema_version: typeof MODEL_RESULT_VERSION;
  readonly status: Status;
  readonly data: JsonObject | null;
  readonly error: ResultError | null;
  readonly execution: {
    readonly outcome: Outcome;
    readonly delivery: Delivery;
    readonly complete: true;
    readonly truncated: false;
  };
  readonly provenance: Provenance;
}

/** Evidence kept downstream of the gate. */
export interface Downstream {
  readonly request_id: string | null;
  readonly receipt_id: string | null;
  readonly status_ref: StatusRef | null;
}

/** The three digests that tie a result to its call. */
export interface Binding {
  readonly request_sha256: Sha256;
  readonly result_sha256: Sha256;
  readonly call_binding_sha256: Sha256;
}

/** What an auditor sees; no byte of it reaches a model. */
export interface ProtectedAudit {
  readonly schema_version: typeof AUDIT_VERSION;
  readonly visibility: "protected_audit";
  readonly operation_id: string;
  readonly principal_ref: PrincipalRef;
  readonly provider_context: {
    readonly provider: string;
    readonly api_family: string;
    readonly response_id: string;
    readonly call_id: string;
    readonly adapter_revision: string;
  };
  readonly tool_contract: ToolContract;
  readonly binding: Binding;
  readonly downstream: Downstream;
  readonly redactions: readonly [];
}

/** The only thing that leaves the dispatcher. */
export interface ResultPackage {
  readonly model_result: ModelResult;
  readonly protected_audit: ProtectedAudit;
}

/** What a finished run left behind, repeated by every replay: data, provenance and downstream evidence. */
export interface OutcomeRecord {
  readonly data: JsonObject;
  readonly source_label: string;
  readonly producer_revision: string;
  readonly resource_revision: string | null;
  readonly observed_at: string;
  readonly request_id: string | null;
  readonly receipt_id: string | null;
}
