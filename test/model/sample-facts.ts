import type { Outcome, Recovery } from "../../src/protocol/result.ts";

/** The second opinion's own copy of the error catalogue: code → outcome, recovery. Source: contract, section 5. */
export const CATALOGUE = {
  UNKNOWN_TOOL: ["not_started", "correct_input"],
  INVALID_ARGUMENTS: ["not_started", "correct_input"],
  OUTPUT_CONTRACT_VIOLATION: ["unknown", "human_review"],
  NOT_FOUND: ["not_started", "none"],
  BUSINESS_RULE_VIOLATION: ["not_started", "human_review"],
  CALL_ID_CONFLICT: ["not_started", "human_review"],
  IDEMPOTENCY_KEY_REQUIRED: ["not_started", "correct_input"],
  IDEMPOTENCY_CONFLICT: ["not_started", "human_review"],
  APPROVAL_REQUIRED: ["not_started", "request_approval"],
  APPROVAL_INVALID: ["not_started", "request_approval"],
  TIMEOUT_BEFORE_EXECUTE: ["not_started", "retry_after"],
  OUTCOME_UNKNOWN: ["unknown", "query_status"],
  STATUS_CONFLICT: ["unknown", "human_review"],
  RATE_LIMIT: ["not_started", "retry_after"],
  TOOL_ERROR: ["not_started", "human_review"],
} as const satisfies Record<string, readonly [Outcome, Recovery]>;

/** Code of a refusal. */
export type Refusal = keyof typeof CATALOGUE;

/** The two sample tools, as far as answers depend on them. Source: contract, section 9. */
export const TOOLS = {
  get_order: {
    write: false,
    input: "get-order-input-v1",
    output: "get-order-output-v2",
    effect: "read-order-v1",
    policy: "get-order-policy-v1",
  },
  create_refund_draft: {
    write: true,
    input: "refund-draft-input-v1",
    output: "refund-draft-output-v2",
    effect: "create-refund-draft-v1",
    policy: "refund-draft-policy-v1",
  },
} as const;

/** The revision in place of another that was changed. */
export function changed(revision: string): string {
  return `${revision}-changed`;
}

/** Name of a sample tool. */
export type ToolName = keyof typeof TOOLS;

/** Whether a tool of this name is registered. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

/** The values that `reason` may have. */
export const REASONS: readonly unknown[] = ["duplicate", "damaged", "other"];

/** The only person whose approvals count. */
export const ELIGIBLE_APPROVER = "human-reviewer-1";

/** The sample orders: order → tenant, subject. Source: contract, section 9. */
export const ORDERS = {
  "ORDER-7": ["tenant-a", "user-1"],
  "ORDER-8": ["tenant-a", "user-2"],
  "ORDER-9": ["tenant-b", "user-1"],
} as const;

/** The registered profiles: provider, api family, adapter revision. Source: contract, section 8. */
export const PROFILE_ROWS = [
  ["openai", "responses", "openai-responses-v1"],
  ["anthropic", "messages", "anthropic-messages-v1"],
  ["google", "interactions", "gemini-interactions-v1"],
] as const;

/** The last second that there is. Source: contract, section 2. */
export const LAST_SECOND = 253_402_300_799;
