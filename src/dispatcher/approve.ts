import { CallgateError } from "../errors/callgate-error.ts";
import { makeApproval } from "../policy/make-approval.ts";
import type { Approval } from "../protocol/approval.ts";
import { LIMITS } from "../protocol/limits.ts";
import { bindCall } from "./bind.ts";
import { newAttemptId, readClock, type House } from "./house.ts";
import { readApproveRequest, type ApproveRequest } from "./request.ts";

/**
 * Writes down that a person approved exactly this call. Who it was is the host's word: give only what its own session
 * says, never anything that came from a model or a client.
 * Errors: APPROVER_INELIGIBLE; APPROVAL_IMPOSSIBLE; a host error for a malformed request.
 */
export function approve(house: House, request: ApproveRequest): Approval {
  const { approverId, lifeSeconds, ...call } = readApproveRequest(request);
  const now = readClock(house.host);
  const tool = house.registry.find(call.proposal.name);
  if (tool === null) throw new CallgateError("APPROVAL_IMPOSSIBLE", { detail: "the tool is not registered" });
  if (tool.risk !== "write") throw new CallgateError("APPROVAL_IMPOSSIBLE", { detail: "the tool only reads" });
  if (!tool.inputFits(call.proposal.arguments)) {
    throw new CallgateError("APPROVAL_IMPOSSIBLE", { detail: "the arguments do not fit the tool" });
  }
  if (now + lifeSeconds > LIMITS.latestSecond) {
    throw new CallgateError("APPROVAL_IMPOSSIBLE", { detail: "it would expire after the last second there is" });
  }
  const isOwnCall = approverId === call.principal.subject_id && !tool.allowsSelfApproval;
  if (!house.approvers.has(approverId) || isOwnCall) throw new CallgateError("APPROVER_INELIGIBLE");
  return makeApproval({
    bound: bindCall(call, tool, "dispatch"),
    approvalId: newAttemptId(house.host),
    approverId,
    expiresAt: now + lifeSeconds,
  });
}
