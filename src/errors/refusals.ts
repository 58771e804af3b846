import type { Category, Outcome, Recovery } from "../protocol/result.ts";

/** One row of the catalogue of refusals: a no that is a value, told to the model. */
export interface RefusalRow {
  readonly kind: "refusal";
  readonly category: Category;
  readonly outcome: Exclude<Outcome, "committed">;
  readonly recovery: Recovery;
  /** Units: milliseconds. */
  readonly retryAfterMs: number | null;
  /** Exit status of a command whose only result is this refusal. */
  readonly exitStatus: 1;
  readonly httpStatus: number;
  /** The whole sentence that the model reads; fixed, without any part of the input. */
  readonly sentence: string;
  /** What the operator can do. */
  readonly remedy: string;
}

const knownNo = { kind: "refusal", outcome: "not_started", retryAfterMs: null, exitStatus: 1 } as const;
const inDoubt = { kind: "refusal", outcome: "unknown", retryAfterMs: null, exitStatus: 1 } as const;

/**
 * Every code a model can be told, in order of precedence: where several apply, the first one here decides.
 * Source: contract, sections 3 to 5. The sentences are this product's own.
 */
export const REFUSALS = {
  UNKNOWN_TOOL: {
    ...knownNo,
    category: "contract",
    recovery: "correct_input",
    httpStatus: 404,
    sentence: "No tool of that name is registered. Choose one of the tools that were offered.",
    remedy: "Register the tool with the gate, or stop offering its name to the model.",
  },
  INVALID_ARGUMENTS: {
    ...knownNo,
    category: "contract",
    recovery: "correct_input",
    httpStatus: 400,
    sentence:
      "The arguments do not fit the input schema of the tool. Nothing was done; propose the call again with corrected arguments.",
    remedy:
      "Compare the proposed arguments with the tool's input schema; nothing is coerced and no default is filled in.",
  },
  CALL_ID_CONFLICT: {
    ...knownNo,
    category: "conflict",
    recovery: "human_review",
    httpStatus: 409,
    sentence: "The identity of this call already stands for another request. Nothing was done.",
    remedy:
      "Find out why the provider call id was used twice: a changed request, or a query's identity used to dispatch.",
  },
  NOT_FOUND: {
    ...knownNo,
    category: "authorization",
    recovery: "none",
    httpStatus: 404,
    sentence: "Nothing of that reference is available to you. Nothing was done.",
    remedy: "Absent, foreign and forbidden look the same on purpose; the tool's `authorize` decided it.",
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    ...knownNo,
    category: "contract",
    recovery: "correct_input",
    httpStatus: 400,
    sentence: "The host bound no idempotency key to this call, and a tool that writes needs one. Nothing was done.",
    remedy: "Bind an idempotency key in the host's execution context; a model cannot supply it.",
  },
  IDEMPOTENCY_CONFLICT: {
    ...knownNo,
    category: "conflict",
    recovery: "human_review",
    httpStatus: 409,
    sentence: "The idempotency key of this call already stands for another request. Nothing was done for this one.",
    remedy: "Bind a new idempotency key to a new intent, or repeat the first request unchanged.",
  },
  BUSINESS_RULE_VIOLATION: {
    ...knownNo,
    category: "business",
    recovery: "human_review",
    httpStatus: 422,
    sentence: "The current state of the resource does not allow this. Nothing was done.",
    remedy: "Look at the resource: the tool's `precondition` refused its current state.",
  },
  APPROVAL_REQUIRED: {
    ...knownNo,
    category: "approval",
    recovery: "request_approval",
    httpStatus: 403,
    sentence: "A person has to approve exactly this call before it may run. Nothing was done.",
    remedy: "Show the call to an eligible approver and dispatch it again with the approval.",
  },
  APPROVAL_INVALID: {
    ...knownNo,
    category: "approval",
    recovery: "request_approval",
    httpStatus: 403,
    sentence: "No valid approval of exactly this call is at hand. Nothing was done.",
    remedy:
      "The approvals were expired, used, denied, by an ineligible person or for another call: ask for a new decision.",
  },
  TIMEOUT_BEFORE_EXECUTE: {
    ...knownNo,
    category: "execution",
    recovery: "retry_after",
    retryAfterMs: 1000,
    httpStatus: 503,
    sentence: "The deadline passed before the tool was started. This attempt did nothing.",
    remedy:
      "Raise `deadlineMs`, or find out which check took so long; another attempt of the same scope may still run.",
  },
  RATE_LIMIT: {
    ...knownNo,
    category: "dependency",
    recovery: "retry_after",
    retryAfterMs: 1000,
    httpStatus: 429,
    sentence: "The service behind the tool takes no more calls for now. Nothing was done.",
    remedy: "Slow down, or raise the limit of the service behind the tool.",
  },
  TOOL_ERROR: {
    ...knownNo,
    category: "execution",
    recovery: "human_review",
    httpStatus: 502,
    sentence: "The tool failed. It changed nothing.",
    remedy: "Look at the tool's own log; its raw error is never passed on.",
  },
  OUTPUT_CONTRACT_VIOLATION: {
    ...inDoubt,
    category: "execution",
    recovery: "human_review",
    httpStatus: 502,
    sentence:
      "The tool answered outside its output contract; its answer was discarded. What it did is not known; do not repeat the call.",
    remedy: "Mend the tool's output or its output schema; a write can be settled by a status query.",
  },
  OUTCOME_UNKNOWN: {
    ...inDoubt,
    category: "execution",
    recovery: "query_status",
    httpStatus: 504,
    sentence: "It is not known whether the effect took place. Do not repeat the call; ask for its status.",
    remedy:
      "Query the status with the status_ref and the request digest of the package; do not retry under another key.",
  },
  STATUS_CONFLICT: {
    ...inDoubt,
    category: "conflict",
    recovery: "human_review",
    httpStatus: 409,
    sentence: "What is known of the outcome contradicts this request. Do not repeat the call; a person has to look.",
    remedy:
      "Compare the query, the stored operation and the receipt; a disputed scope is held until a person has settled it downstream.",
  },
} as const satisfies Record<string, RefusalRow>;

/** A code that a model can be told. */
export type RefusalCode = keyof typeof REFUSALS;

/** Every refusal code, in order of precedence. */
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];

/** Whether a text is a refusal code (own members only). */
export function isRefusalCode(text: unknown): text is RefusalCode {
  return typeof text === "string" && Object.hasOwn(REFUSALS, text);
}

/** What a tool, or the last check before it, can say when it is known not to have started. */
export const NOT_STARTED_CODES = [
  "TIMEOUT_BEFORE_EXECUTE",
  "RATE_LIMIT",
  "TOOL_ERROR",
  "APPROVAL_INVALID",
  "NOT_FOUND",
  "BUSINESS_RULE_VIOLATION",
] as const satisfies readonly RefusalCode[];

/** A code of an attempt that is known not to have started its tool. */
export type NotStartedCode = (typeof NOT_STARTED_CODES)[number];
