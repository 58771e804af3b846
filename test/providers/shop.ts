import { createGate, type Gate } from "../../src/dispatcher/gate.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const ORDER = { type: "string", minLength: 1, maxLength: 64 } as const;
const evidence = {
  producerRevision: "shop-v1",
  resourceRevision: null,
  observedAt: "2026-07-19T00:00:00Z",
  requestId: null,
  receiptId: null,
};
const revisions = {
  inputSchema: "i1",
  outputSchema: "o1",
  effect: "e1",
  handler: "h1",
  producer: "shop-v1",
  policy: "p1",
};

/** Who acts in the tests. */
export const ADA = { tenant_id: "acme", subject_id: "ada", roles: [] } as const;

/** Tools with names that some provider does not take, and one without arguments. */
const SHOP_TOOLS = [
  defineTool({
    name: "orders.get",
    description: "Look an order up.",
    risk: "read",
    inputSchema: { type: "object", properties: { order: ORDER }, required: ["order"], additionalProperties: false },
    outputSchema: { type: "object", properties: { order: ORDER }, required: ["order"], additionalProperties: false },
    revisions,
    sourceLabel: "shop",
    deadlineMs: 2_000,
    authorize: () => true,
    execute: ({ arguments: { order } }) => ({ output: { order }, ...evidence }),
  }),
  defineTool({
    name: "shop:open?",
    description: "Whether the shop is open.",
    risk: "read",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: { open: { type: "boolean" } },
      required: ["open"],
      additionalProperties: false,
    },
    revisions,
    sourceLabel: "shop",
    deadlineMs: 2_000,
    authorize: () => true,
    execute: () => ({ output: { open: true }, ...evidence }),
  }),
];

/** A gate in front of a shop. */
export function openShop(): Gate {
  return createGate({ tools: SHOP_TOOLS, approvers: [] });
}
