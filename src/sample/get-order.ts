import { compiledTool } from "../tools/compiled-tool.ts";
import type { Tool } from "../tools/tool.ts";
import { getOrderInput, getOrderOutput } from "./compiled-checks.ts";
import type { FaultProbe } from "./faults.ts";
import { maySeeOrder, type SampleOrder } from "./orders.ts";
import { SAMPLE_SCHEMAS } from "./schemas.ts";

/** When every answer of the sample tools was observed. */
export const SAMPLE_OBSERVED_AT = "2026-07-19T00:00:00Z";

/** The sample tool that reads. Source: contract, section 9. */
export function getOrder(orders: ReadonlyMap<string, SampleOrder>, faults: FaultProbe): Tool {
  return compiledTool(
    {
      name: "get_order",
      description: "Look up the status of an order.",
      risk: "read",
      inputSchema: SAMPLE_SCHEMAS.getOrderInput,
      outputSchema: SAMPLE_SCHEMAS.getOrderOutput,
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
    },
    { inputSchema: getOrderInput, outputSchema: getOrderOutput },
  );
}
