import { edited, valueIn, type Edits } from "./edited.ts";

/** A valid scenario document: one case that dispatches a write, loses its answer, and asks. */
export function sampleDocument(): object {
  const step = {
    step_id: "draft",
    action: "dispatch",
    proposal: { name: "create_refund_draft", arguments: { order_ref: "ORDER-7", reason: "other" } },
    execution_context: {
      provider: "openai",
      api_family: "responses",
      response_id: "turn-1",
      call_id: "call-1",
      operation_id: "operation-1",
      idempotency_key: "key-1",
      adapter_revision: "openai-responses-v1",
    },
    approval: "valid",
    now: 1_000,
    failure: "timeout_after_commit",
    status_ref_from: null,
    expected: {
      code: "OUTCOME_UNKNOWN",
      status: "unknown",
      outcome: "unknown",
      recovery: "query_status",
      delivery: "fresh",
      data: null,
      side_effect_count: 1,
    },
  };
  const ask = {
    ...structuredClone(step),
    step_id: "ask",
    action: "query_status",
    approval: "none",
    failure: "none",
    status_ref_from: "draft",
    expected: {
      code: "OK",
      status: "succeeded",
      outcome: "committed",
      recovery: "none",
      delivery: "receipt_reconciled",
      data: { draft_id: "DRAFT-1", order_ref: "ORDER-7", reason: "other" },
      side_effect_count: 1,
    },
  };
  ask.execution_context.call_id = "call-2";
  return {
    schema_version: "tool-cases-v2",
    contract: { model_result: "tool-model-result-v2", protected_audit: "tool-audit-v2" },
    cases: [
      {
        id: "lost-then-asked",
        principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
        steps: [step, ask],
      },
    ],
  };
}

/** The value at a JSON pointer of the sample document. */
export function valueAt(pointer: string): unknown {
  return valueIn(sampleDocument(), pointer);
}

/** The sample document with other values in their places. */
export function editedDocument(edits: Edits): object {
  return edited(sampleDocument(), edits);
}

/** The bytes of a text, or of a value as JSON with one member a line. */
export function bytesOf(content: object | string): Uint8Array {
  return new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content, null, 1));
}
