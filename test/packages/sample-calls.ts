import { REFUSAL_CODES, type RefusalCode } from "../../src/errors/refusals.ts";
import { canonicalize } from "../../src/json/canonical.ts";
import { callFingerprint, identityKey, requestSha256, scopeKey, statusRef } from "../../src/json/digests.ts";
import { buildError, buildSuccess } from "../../src/packages/build.ts";
import type { BoundCall } from "../../src/protocol/bound-call.ts";
import { PROFILES, unregisteredContract, type Call, type Principal } from "../../src/protocol/call.ts";
import type { Delivery, OutcomeRecord, ResultPackage } from "../../src/protocol/result.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";

/** Who acts in the tests. */
export const PRINCIPAL: Principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: ["agent"] };

/** A call of the sample write tool. */
export const WRITE: Call = {
  name: "create_refund_draft",
  arguments: { order_ref: "ORDER-7", reason: "damaged" },
  ...PROFILES[0],
  response_id: "response-1",
  call_id: "call-1",
  operation_id: "operation-1",
  idempotency_key: "key-1",
};

/** A call of the sample read tool. */
export const READ: Call = {
  ...WRITE,
  ...PROFILES[1],
  name: "get_order",
  arguments: { order_ref: "ORDER-7" },
  call_id: "call-2",
  operation_id: "operation-2",
  idempotency_key: null,
};

/** What the first run of each sample tool leaves behind. */
export const RECORDS: Readonly<Record<string, OutcomeRecord>> = {
  create_refund_draft: {
    data: { draft_id: "DRAFT-1", order_ref: "ORDER-7", reason: "damaged" },
    source_label: "refunds",
    producer_revision: "refunds-mock-v2",
    resource_revision: "draft-1-r1",
    observed_at: "2026-07-19T00:00:00Z",
    request_id: "refund-request-1",
    receipt_id: "refund-receipt-1",
  },
  get_order: {
    data: { order_ref: "ORDER-7", status: "paid" },
    source_label: "orders",
    producer_revision: "orders-mock-v2",
    resource_revision: "order-7-r3",
    observed_at: "2026-07-19T00:00:00Z",
    request_id: "orders-request-1",
    receipt_id: null,
  },
};

/** A call as the host binds it. */
export function boundCall(call: Call, principal: Principal = PRINCIPAL): BoundCall {
  const { name, arguments: args, ...executionContext } = call;
  const tool = SAMPLE_REGISTRY.find(name);
  const toolContract = tool?.contract ?? unregisteredContract(name);
  const request_sha256 = requestSha256(principal, toolContract, canonicalize(args, { depth: 1 }));
  const key = executionContext.idempotency_key;
  const scope = tool?.risk === "write" && key !== null ? scopeKey(principal, name, key) : null;
  return {
    principal,
    executionContext,
    risk: tool?.risk ?? null,
    toolContract,
    sourceLabel: tool?.sourceLabel ?? null,
    facts: { request_sha256, ...executionContext, ...toolContract },
    fingerprint: callFingerprint(executionContext, "dispatch", request_sha256),
    identity: identityKey(principal, executionContext),
    scope,
    statusRef: scope === null ? null : statusRef(scope, request_sha256),
  };
}

/** The package of a success of a sample call. */
export function successOf(call: Call, delivery: Delivery = "fresh"): ResultPackage {
  const bound = boundCall(call);
  const record = RECORDS[call.name];
  if (record === undefined) throw new TypeError("no sample tool of that name");
  return buildSuccess({ bound, record, delivery, downstreamStatusRef: bound.statusRef });
}

/** The package of an error of a call. */
export function errorOf(call: Call, code: RefusalCode): ResultPackage {
  const bound = boundCall(call);
  return buildError({ bound, code, statusRef: bound.statusRef, observedAtSeconds: 1_000_000_000 });
}

/** For each code a call that it can be said of. */
export const REFUSED: readonly (readonly [RefusalCode, Call])[] = REFUSAL_CODES.map((code) => {
  if (code === "UNKNOWN_TOOL") return [code, { ...WRITE, name: "delete_everything" }];
  if (code === "INVALID_ARGUMENTS") return [code, { ...WRITE, arguments: { order_ref: 7 } }];
  if (code === "IDEMPOTENCY_KEY_REQUIRED") return [code, { ...WRITE, idempotency_key: null }];
  return [code, WRITE];
});
