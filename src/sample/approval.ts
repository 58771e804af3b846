import { approvalDigest, approvalSubject } from "../json/digests.ts";
import type { Approval } from "../protocol/approval.ts";
import type { ExecutionContext, Principal, ToolContract } from "../protocol/call.ts";
import type { Sha256 } from "../protocol/ids.ts";
import { LIMITS } from "../protocol/limits.ts";

/** What an approval is made for. */
export interface ApprovalOrder {
  /** Anything but `valid` has exactly that one fault. */
  readonly kind: "valid" | "expired" | "mismatched";
  readonly principal: Principal;
  readonly context: ExecutionContext;
  readonly contract: ToolContract;
  readonly requestSha256: Sha256;
  readonly approverId: string;
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
}

const NO_DIGEST = "0".repeat(64);

/** An approval of exactly one call, as the sample world's approver gives it. Source: contract, sections 10 and 11. */
export function makeApproval(order: ApprovalOrder): Approval {
  const { kind, principal, context, contract, requestSha256, approverId, now } = order;
  return {
    approval_id: `approval-${context.call_id}`,
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
    approval_digest:
      kind === "mismatched"
        ? NO_DIGEST
        : approvalDigest(approvalSubject({ context, contract, requestSha256 }), approverId),
    expires_at: kind === "expired" ? now - 1 : now + LIMITS.approvalLifeSeconds,
    approver_id: approverId,
  };
}
