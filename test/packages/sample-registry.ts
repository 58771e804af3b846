import { canonicalize } from "../../src/json/canonical.ts";
import type { ToolContract } from "../../src/protocol/call.ts";
import { codePointLength, isNonBlank } from "../../src/protocol/identifier.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import type { RegistryView, ToolView } from "../../src/protocol/registry-view.ts";

const REASONS: readonly JsonValue[] = ["duplicate", "damaged", "other"];
const ORDER_STATES: readonly JsonValue[] = ["paid", "pending", "refunded"];

const GET_ORDER: ToolView = {
  name: "get_order",
  risk: "read",
  contract: contractOf("get_order", "get-order", "read-order-v1", "orders-mock-v2"),
  sourceLabel: "orders",
  allowsSelfApproval: false,
  inputFits: (args) => hasExactly(args, ["order_ref"]) && isOrderRef(args["order_ref"]),
  outputFits: (output, args) =>
    hasExactly(output, ["order_ref", "status"]) &&
    output["order_ref"] === args["order_ref"] &&
    ORDER_STATES.includes(output["status"] ?? null) &&
    Buffer.byteLength(canonicalize(output)) <= 256,
};

const CREATE_REFUND_DRAFT: ToolView = {
  name: "create_refund_draft",
  risk: "write",
  contract: contractOf("create_refund_draft", "refund-draft", "create-refund-draft-v1", "refunds-mock-v2"),
  sourceLabel: "refunds",
  allowsSelfApproval: false,
  inputFits: (args) =>
    hasExactly(args, ["order_ref", "reason"]) &&
    isOrderRef(args["order_ref"]) &&
    REASONS.includes(args["reason"] ?? null),
  outputFits: (output, args) =>
    hasExactly(output, ["draft_id", "order_ref", "reason"]) &&
    typeof output["draft_id"] === "string" &&
    /^DRAFT-[1-9][0-9]{0,57}$/.test(output["draft_id"]) &&
    output["order_ref"] === args["order_ref"] &&
    output["reason"] === args["reason"] &&
    Buffer.byteLength(canonicalize(output)) <= 384,
};

/** The two tools of the contract's sample world, written by hand: only what judgement asks of them. */
export const SAMPLE_REGISTRY: RegistryView = {
  find: (name) => [GET_ORDER, CREATE_REFUND_DRAFT].find((tool) => tool.name === name) ?? null,
};

function contractOf(name: string, stem: string, effect: string, producer: string): ToolContract {
  return {
    name,
    input_schema_revision: `${stem}-input-v1`,
    output_schema_revision: `${stem}-output-v2`,
    effect_revision: effect,
    handler_revision: `${stem}-handler-v2`,
    producer_revision: producer,
    policy_revision: `${stem}-policy-v1`,
  };
}

function hasExactly(value: JsonValue, names: readonly string[]): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function isOrderRef(value: JsonValue | undefined): boolean {
  return isNonBlank(value) && codePointLength(value) <= 64;
}
