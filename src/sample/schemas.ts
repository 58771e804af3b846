import { WHITE_SPACE_CLASS } from "../protocol/limits.ts";

/** Why a draft of a refund is prepared. */
export const REFUND_REASONS = ["duplicate", "damaged", "other"] as const;

/** An argument that names an order; one of white space only is an empty one. */
const ORDER_REF = {
  type: "string",
  maxLength: 64,
  pattern: `[^${WHITE_SPACE_CLASS}]`,
  description: "Reference of the order, as ORDER-7",
} as const;

const REASON = { type: "string", enum: REFUND_REASONS } as const;

/**
 * The schemas of the sample tools. They are compiled ahead of time: `npm run validators` writes compiled-checks.ts anew.
 * Source: contract, section 9.
 */
export const SAMPLE_SCHEMAS = {
  getOrderInput: {
    type: "object",
    properties: { order_ref: ORDER_REF },
    required: ["order_ref"],
    additionalProperties: false,
  },
  getOrderOutput: {
    type: "object",
    properties: { order_ref: { type: "string" }, status: { type: "string", enum: ["paid", "pending", "refunded"] } },
    required: ["order_ref", "status"],
    additionalProperties: false,
  },
  createRefundDraftInput: {
    type: "object",
    properties: { order_ref: ORDER_REF, reason: REASON },
    required: ["order_ref", "reason"],
    additionalProperties: false,
  },
  createRefundDraftOutput: {
    type: "object",
    properties: {
      draft_id: { type: "string", maxLength: 64, pattern: "^DRAFT-[1-9][0-9]*$" },
      order_ref: { type: "string" },
      reason: REASON,
    },
    required: ["draft_id", "order_ref", "reason"],
    additionalProperties: false,
  },
} as const;
