import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { changed } from "../model/sample-facts.ts";
import type { Registered } from "../model/steps.ts";
import {
  authorize,
  executeRead,
  executeRefund,
  precondition,
  queryReceipt,
  refundProducer,
} from "./faulty-behaviour.ts";

const WHITE_SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const ORDER_REF = { type: "string", maxLength: 64, pattern: `[^${WHITE_SPACE}]` } as const;
const REASON = { type: "string", enum: ["duplicate", "damaged", "other"] } as const;
const DRAFT_ID = { type: "string", maxLength: 64, pattern: "^DRAFT-[1-9][0-9]*$" } as const;
const STATUS = { type: "string", enum: ["paid", "pending", "refunded"] } as const;

const getOrder = defineTool({
  name: "get_order",
  description: "Reads an order.",
  risk: "read",
  inputSchema: { type: "object", properties: { order_ref: ORDER_REF }, required: ["order_ref"] },
  outputSchema: {
    type: "object",
    properties: { order_ref: { type: "string" }, status: STATUS },
    required: ["order_ref", "status"],
  },
  revisions: {
    inputSchema: "get-order-input-v1",
    outputSchema: "get-order-output-v2",
    effect: "read-order-v1",
    handler: "get-order-handler-v2",
    producer: "orders-mock-v2",
    policy: "get-order-policy-v1",
  },
  sourceLabel: "orders",
  limits: { outputBytes: 256, outputDepth: 1 },
  outputEquals: { order_ref: "order_ref" },
  deadlineMs: 500,
  authorize: ({ arguments: { order_ref }, principal }) => authorize(order_ref, principal),
  execute: ({ arguments: { order_ref } }) => executeRead(order_ref),
});

const createRefundDraft = (registered: Registered): Tool =>
  defineTool({
    name: "create_refund_draft",
    description: "Drafts a refund.",
    risk: "write",
    inputSchema: {
      type: "object",
      properties: { order_ref: ORDER_REF, reason: REASON },
      required: ["order_ref", "reason"],
    },
    outputSchema: {
      type: "object",
      properties: { draft_id: DRAFT_ID, order_ref: { type: "string" }, reason: REASON },
      required: ["draft_id", "order_ref", "reason"],
    },
    revisions: {
      inputSchema: "refund-draft-input-v1",
      outputSchema: "refund-draft-output-v2",
      effect: "create-refund-draft-v1",
      handler: registered === "new_handler" ? changed("refund-draft-handler-v2") : "refund-draft-handler-v2",
      producer: refundProducer(registered),
      policy: registered === "new_policy" ? changed("refund-draft-policy-v1") : "refund-draft-policy-v1",
    },
    sourceLabel: "refunds",
    limits: { outputBytes: 384, outputDepth: 1 },
    outputEquals: { order_ref: "order_ref", reason: "reason" },
    deadlineMs: 800,
    authorize: ({ arguments: { order_ref }, principal }) => authorize(order_ref, principal),
    precondition: ({ arguments: { order_ref } }) => precondition(order_ref),
    execute: ({ arguments: { order_ref, reason }, principal, idempotencyKey, binding }) => {
      const scope = JSON.stringify([principal.tenant_id, principal.subject_id, idempotencyKey]);
      return executeRefund(order_ref, reason, scope, binding);
    },
    queryReceipt: ({ statusRef }) => queryReceipt(statusRef),
  });

/** The two sample tools, with everything that can go wrong in a step, as they are registered. */
export const FAULTY_TOOLS: Readonly<Record<Registered, readonly Tool[]>> = {
  first: [getOrder, createRefundDraft("first")],
  new_handler: [getOrder, createRefundDraft("new_handler")],
  new_producer: [getOrder, createRefundDraft("new_producer")],
  new_policy: [getOrder, createRefundDraft("new_policy")],
};
