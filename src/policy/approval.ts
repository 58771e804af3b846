import { approvalDigest, approvalSubject } from "../json/digests.ts";
import type { Approval } from "../protocol/approval.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import { LIMITS } from "../protocol/limits.ts";

/** What an approval is judged against. */
export interface ApprovalGround {
  readonly bound: BoundCall;
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
  /** The people who may approve. */
  readonly approvers: ReadonlySet<string>;
  readonly allowsSelfApproval: boolean;
}

/**
 * The approval that carries the call furthest: the valid one that expires last, or null if none is valid.
 * Source: contract, section 10.
 */
export function findValidApproval(approvals: readonly Approval[], ground: ApprovalGround): Approval | null {
  let best: Approval | null = null;
  for (const approval of approvals) {
    if (best !== null && approval.expires_at <= best.expires_at) continue;
    if (isValidApproval(approval, ground)) best = approval;
  }
  return best;
}

function isValidApproval(approval: Approval, ground: ApprovalGround): boolean {
  const { bound, now } = ground;
  const { executionContext: context, principal, toolContract } = bound;
  return (
    bound.risk !== null &&
    isIdentifier(approval.approval_id) &&
    isIdentifier(approval.approver_id) &&
    ground.approvers.has(approval.approver_id) &&
    (ground.allowsSelfApproval || approval.approver_id !== principal.subject_id) &&
    Number.isInteger(approval.expires_at) &&
    now < approval.expires_at &&
    approval.expires_at <= LIMITS.latestSecond &&
    approval.operation_id === context.operation_id &&
    approval.call_id === context.call_id &&
    approval.provider === context.provider &&
    approval.api_family === context.api_family &&
    approval.adapter_revision === context.adapter_revision &&
    approval.idempotency_key === context.idempotency_key &&
    approval.tool_name === toolContract.name &&
    approval.subject_id === principal.subject_id &&
    approval.schema_version === toolContract.input_schema_revision &&
    approval.approval_revision === toolContract.policy_revision &&
    approval.approval_digest ===
      approvalDigest(
        approvalSubject({ context, contract: toolContract, requestSha256: bound.facts.request_sha256 }),
        approval.approver_id,
      )
  );
}
