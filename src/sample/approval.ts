import { makeApproval as decidedApproval } from "../policy/make-approval.ts";
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
  const approval = decidedApproval({
    bound: { principal, executionContext: context, toolContract: contract, facts: { request_sha256: requestSha256 } },
    approvalId: `approval-${context.call_id}`,
    approverId,
    expiresAt: kind === "expired" ? now - 1 : now + LIMITS.approvalLifeSeconds,
  });
  return kind === "mismatched" ? { ...approval, approval_digest: NO_DIGEST } : approval;
}
