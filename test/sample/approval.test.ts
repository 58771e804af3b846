import { expect, test } from "vitest";
import { sha256 } from "../../src/json/digests.ts";
import type { ExecutionContext } from "../../src/protocol/call.ts";
import { makeApproval } from "../../src/sample/approval.ts";

const CONTEXT: ExecutionContext = {
  provider: "openai",
  api_family: "responses",
  response_id: "turn-1",
  call_id: "call-1",
  operation_id: "operation-1",
  idempotency_key: "key-1",
  adapter_revision: "openai-responses-v1",
};
const CONTRACT = {
  name: "create_refund_draft",
  input_schema_revision: "input-1",
  output_schema_revision: "output-1",
  effect_revision: "effect-1",
  handler_revision: "handler-1",
  producer_revision: "producer-1",
  policy_revision: "policy-1",
};
const ORDER = {
  principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
  context: CONTEXT,
  contract: CONTRACT,
  requestSha256: sha256("a request"),
  approverId: "reviewer-1",
  now: 1_000,
};

// Members of the digest in canonical order, written down as the contract lists them.
const DIGEST = sha256(
  `{"adapter_revision":"openai-responses-v1","api_family":"responses","approval_revision":"policy-1",` +
    `"approver_id":"reviewer-1","call_id":"call-1","effect_revision":"effect-1","idempotency_key":"key-1",` +
    `"input_schema_revision":"input-1","operation_id":"operation-1","output_schema_revision":"output-1",` +
    `"provider":"openai","request_sha256":"${sha256("a request")}","response_id":"turn-1"}`,
);

test.each([
  ["valid", DIGEST, 1_060],
  ["expired", DIGEST, 999],
  ["mismatched", "0".repeat(64), 1_060],
] as const)("%s", (kind, approval_digest, expires_at) => {
  expect(makeApproval({ kind, ...ORDER })).toEqual({
    approval_id: "approval-call-1",
    operation_id: "operation-1",
    call_id: "call-1",
    provider: "openai",
    api_family: "responses",
    adapter_revision: "openai-responses-v1",
    idempotency_key: "key-1",
    tool_name: "create_refund_draft",
    subject_id: "user-1",
    schema_version: "input-1",
    approval_revision: "policy-1",
    approval_digest,
    expires_at,
    approver_id: "reviewer-1",
  });
});

test("an id that becomes too long is made all the same", () => {
  const context = { ...CONTEXT, call_id: "c".repeat(255) };
  expect(makeApproval({ kind: "valid", ...ORDER, context }).approval_id).toHaveLength(264);
});
