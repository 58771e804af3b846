import { hash } from "node:crypto";
import type { ExecutionContext, Principal, Purpose, ToolContract } from "../protocol/call.ts";
import type { ApprovalKey, IdentityKey, PrincipalRef, ScopeKey, Sha256, StatusRef } from "../protocol/ids.ts";
import type { CanonicalText } from "../protocol/json.ts";
import type { Downstream } from "../protocol/result.ts";
import { quote } from "./canonical.ts";

// Every text below is the canonical form of a shape that is known beforehand: members sorted, only the values are written.

const SHA256 = /^[0-9a-f]{64}$/;
const STATUS_REF = /^status_[0-9a-f]{32}$/;

/** The SHA-256 of the UTF-8 bytes of a text. */
export function sha256(text: string): Sha256 {
  return hash("sha256", text) as Sha256;
}

/** Whether a value has the shape of a digest. */
export function isSha256(value: unknown): value is Sha256 {
  return typeof value === "string" && SHA256.test(value);
}

/** Whether a value has the shape of a status reference. */
export function isStatusRef(value: unknown): value is StatusRef {
  return typeof value === "string" && STATUS_REF.test(value);
}

/** The digest that stands for who acts; roles are no part of it. */
export function principalRef({ tenant_id, subject_id }: Principal): PrincipalRef {
  return `sha256:${sha256(`{"subject_id":${quote(subject_id)},"tenant_id":${quote(tenant_id)}}`)}` as PrincipalRef;
}

/**
 * The digest of the business intent: who wants what of which revisions of a tool; no call id, no idempotency key.
 * @param canonicalArguments canonical text of the arguments, written at depth 1
 */
export function requestSha256(
  { tenant_id, subject_id }: Principal,
  { name, input_schema_revision, output_schema_revision, effect_revision }: ToolContract,
  canonicalArguments: CanonicalText,
): Sha256 {
  return sha256(
    `{"arguments":${canonicalArguments},"effect_revision":${quote(effect_revision)},` +
      `"input_schema_revision":${quote(input_schema_revision)},` +
      `"output_schema_revision":${quote(output_schema_revision)},"subject_id":${quote(subject_id)},` +
      `"tenant_id":${quote(tenant_id)},"tool":${quote(name)}}`,
  );
}

/** The digest of a whole `model_result`. */
export function resultSha256(canonicalResult: CanonicalText): Sha256 {
  return sha256(canonicalResult);
}

/** The digest by which a call identity is compared: the call, what it asks for, and for which purpose. */
export function callFingerprint(call: ExecutionContext, purpose: Purpose, requestDigest: Sha256): Sha256 {
  return sha256(
    `{"adapter_revision":${quote(call.adapter_revision)},"api_family":${quote(call.api_family)},` +
      `"call_id":${quote(call.call_id)},"idempotency_key":${quoteOrNull(call.idempotency_key)},` +
      `"operation_id":${quote(call.operation_id)},"provider":${quote(call.provider)},"purpose":"${purpose}",` +
      `"request_sha256":"${requestDigest}","response_id":${quote(call.response_id)}}`,
  );
}

/** What an approval is bound to; everything of the approval digest but who approved. */
export interface ApprovalSubject {
  readonly provider: string;
  readonly api_family: string;
  readonly adapter_revision: string;
  readonly operation_id: string;
  readonly call_id: string;
  readonly response_id: string;
  readonly idempotency_key: string | null;
  readonly request_sha256: Sha256;
  readonly input_schema_revision: string;
  readonly output_schema_revision: string;
  readonly effect_revision: string;
  /** Revision of the tool's policy. */
  readonly approval_revision: string;
}

/** The subject of an approval of one exact call. */
export function approvalSubject(call: {
  readonly context: ExecutionContext;
  readonly contract: ToolContract;
  readonly requestSha256: Sha256;
}): ApprovalSubject {
  const { provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key } = call.context;
  const { input_schema_revision, output_schema_revision, effect_revision, policy_revision } = call.contract;
  return {
    provider,
    api_family,
    adapter_revision,
    operation_id,
    call_id,
    response_id,
    idempotency_key,
    request_sha256: call.requestSha256,
    input_schema_revision,
    output_schema_revision,
    effect_revision,
    approval_revision: policy_revision,
  };
}

/** The digest that an approval must carry. */
export function approvalDigest(subject: ApprovalSubject, approverId: string): Sha256 {
  return sha256(approvalText(subject, `"approver_id":${quote(approverId)},`));
}

/** The key of the approval run of a subject, whoever approves. */
export function approvalKey(subject: ApprovalSubject): ApprovalKey {
  return hash("sha256", approvalText(subject, "")) as ApprovalKey;
}

function approvalText(subject: ApprovalSubject, approverMember: string): string {
  return (
    `{"adapter_revision":${quote(subject.adapter_revision)},"api_family":${quote(subject.api_family)},` +
    `"approval_revision":${quote(subject.approval_revision)},${approverMember}"call_id":${quote(subject.call_id)},` +
    `"effect_revision":${quote(subject.effect_revision)},"idempotency_key":${quoteOrNull(subject.idempotency_key)},` +
    `"input_schema_revision":${quote(subject.input_schema_revision)},"operation_id":${quote(subject.operation_id)},` +
    `"output_schema_revision":${quote(subject.output_schema_revision)},"provider":${quote(subject.provider)},` +
    `"request_sha256":"${subject.request_sha256}","response_id":${quote(subject.response_id)}}`
  );
}

/** The key of an idempotency namespace. */
export function scopeKey({ tenant_id, subject_id }: Principal, toolName: string, idempotencyKey: string): ScopeKey {
  return `[${quote(tenant_id)},${quote(subject_id)},${quote(toolName)},${quote(idempotencyKey)}]` as ScopeKey;
}

/** The key of a provider call identity. */
export function identityKey({ tenant_id, subject_id }: Principal, context: ExecutionContext): IdentityKey {
  const { provider, api_family, response_id, call_id } = context;
  return `[${quote(tenant_id)},${quote(subject_id)},${quote(provider)},${quote(api_family)},${quote(response_id)},${quote(call_id)}]` as IdentityKey;
}

/** The handle by which the outcome of one request in one scope can be asked about. */
export function statusRef(scope: ScopeKey, requestDigest: Sha256): StatusRef {
  return `status_${sha256(`{"request_sha256":"${requestDigest}","scope":${scope}}`).slice(0, 32)}` as StatusRef;
}

/** The digest that ties a result and its evidence to one exact call. */
export function callBindingSha256(call: {
  readonly principal: Principal;
  readonly context: ExecutionContext;
  readonly contract: ToolContract;
  readonly requestSha256: Sha256;
  readonly resultSha256: Sha256;
  readonly downstream: Downstream;
}): Sha256 {
  const { principal, context, contract, downstream } = call;
  return sha256(
    `{"adapter_revision":${quote(context.adapter_revision)},"api_family":${quote(context.api_family)},` +
      `"call_id":${quote(context.call_id)},"downstream":{"receipt_id":${quoteOrNull(downstream.receipt_id)},` +
      `"request_id":${quoteOrNull(downstream.request_id)},"status_ref":${quoteOrNull(downstream.status_ref)}},` +
      `"idempotency_key":${quoteOrNull(context.idempotency_key)},"operation_id":${quote(context.operation_id)},` +
      `"provider":${quote(context.provider)},"request_sha256":"${call.requestSha256}",` +
      `"response_id":${quote(context.response_id)},"result_sha256":"${call.resultSha256}",` +
      `"subject_id":${quote(principal.subject_id)},"tenant_id":${quote(principal.tenant_id)},` +
      `"tool_contract":${toolContractText(contract)}}`,
  );
}

function toolContractText(contract: ToolContract): string {
  return (
    `{"effect_revision":${quote(contract.effect_revision)},"handler_revision":${quote(contract.handler_revision)},` +
    `"input_schema_revision":${quote(contract.input_schema_revision)},"name":${quote(contract.name)},` +
    `"output_schema_revision":${quote(contract.output_schema_revision)},` +
    `"policy_revision":${quote(contract.policy_revision)},"producer_revision":${quote(contract.producer_revision)}}`
  );
}

function quoteOrNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}
