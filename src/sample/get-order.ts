import { WHITE_SPACE_CLASS } from "../protocol/limits.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";
import type { FaultProbe } from "./faults.ts";
import { maySeeOrder, type SampleOrder } from "./orders.ts";

/** When every answer of the sample tools was observed. */
export const SAMPLE_OBSERVED_AT = "2026-07-19T00:00:00Z";

/** Schema of the argument that names an order; one of white space only is an empty one. */
export const ORDER_REF_SCHEMA = {
  type: "string",
  maxLength: 64,
  pattern: `[^${WHITE_SPACE_CLASS}]`,
  description: "Reference of the order, as ORDER-7",
} as const;

/** The sample tool that reads. Source: contract, section 9. */
export function getOrder(orders: ReadonlyMap<string, SampleOrder>, faults: FaultProbe): Tool {
  return defineTool({
    name: "get_order",
    description: "Look up the status of an order.",
    risk: "read",
    inputSchema: {
      type: "object",
      properties: { order_ref: ORDER_REF_SCHEMA },
      required: ["order_ref"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { order_ref: { type: "string" }, status: { type: "string", enum: ["paid", "pending", "refunded"] } },
      required: ["order_ref", "status"],
      additionalProperties: false,
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
    authorize: ({ arguments: { order_ref }, principal }) => maySeeOrder(orders.get(order_ref), principal),
    execute: ({ arguments: { order_ref } }) => {
      faults.refuseStart();
      faults.noteRead();
      const order = orders.get(order_ref);
      if (order === undefined) throw new Error("the order is gone");
      return {
        output: { order_ref, status: order.status },
        producerRevision: "orders-mock-v2",
        resourceRevision: order.revision,
        observedAt: SAMPLE_OBSERVED_AT,
        requestId: "orders-request-1",
        receiptId: null,
      };
    },
  });
}
