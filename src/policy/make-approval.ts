import { approvalDigest, approvalSubject } from "../json/digests.ts";
import type { Approval } from "../protocol/approval.ts";
import type { BoundCall } from "../protocol/bound-call.ts";

/** A decision to be written down as an approval. */
export interface Decision {
  readonly bound: Pick<BoundCall, "principal" | "executionContext" | "toolContract"> & {
    readonly facts: Pick<BoundCall["facts"], "request_sha256">;
  };
  readonly approvalId: string;
  /** Who decided, as the host's own session knows them. */
  readonly approverId: string;
  /** Units: seconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The approval of exactly one call, and of no other. Source: contract, section 10. */
export function makeApproval({ bound, approvalId, approverId, expiresAt }: Decision): Approval {
  const { executionContext: context, principal, toolContract: contract, facts } = bound;
  return {
    approval_id: approvalId,
    operation_id: context.operation_id,
    call_id: context.call_id,
    provider: context.provider,
    api_family: context.api_family,
    adapter_revision: context.adapter_revision,
    idempotency_key: context.idempotency_key,
    tool_name: contract.name,
    subject_id: principal.subject_id,
    schema_version: contract.input_schema_revision,
    approval_revision: contract.policy_revision,
    approval_digest: approvalDigest(
      approvalSubject({ context, contract, requestSha256: facts.request_sha256 }),
      approverId,
    ),
    expires_at: expiresAt,
    approver_id: approverId,
  };
}
