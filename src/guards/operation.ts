import type { OperationGuard } from "../../machines/operation.ts";
import { findValidApproval } from "../policy/approval.ts";
import { agreesSettled, agreesUnknown } from "../policy/facts.ts";
import type { OperationContext, OperationEvent } from "../protocol/operation.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import { answerFits, receiptFits } from "./answer-fits.ts";

/** What the answers to the machines' questions look at beside context and event. */
export interface GuardGround {
  readonly registry: RegistryView;
  /** The people who may approve. */
  readonly approvers: ReadonlySet<string>;
}

type Guard = (context: OperationContext, event: OperationEvent) => boolean;

/** The answers to every question of the operation machine. Total and pure: the same context and event, the same answer. */
export function operationGuards({ registry, approvers }: GuardGround): Record<OperationGuard, Guard> {
  const toolOf = (context: OperationContext) => registry.find(context.proposal.name);
  const isWrite: Guard = ({ bound }) => bound?.risk === "write";

  return {
    toolUnregistered: (context) => toolOf(context) === null,
    argumentsMisfit: (context) => toolOf(context)?.inputFits(context.proposal.arguments) !== true,
    writeWithoutKey: ({ bound }) => bound?.risk === "write" && bound.scope === null,
    isWrite,
    isRead: ({ bound }) => bound?.risk === "read",
    matchesSettled: ({ bound }, event) =>
      event.type === "scope.settled" && bound !== null && agreesSettled(bound.facts, event.facts),
    matchesUnknown: ({ bound }, event) =>
      (event.type === "scope.uncertain" || event.type === "scope.disputed" || event.type === "scope.busy") &&
      bound !== null &&
      agreesUnknown(bound.facts, event.facts),
    approvalValid: (context, event) => {
      const { bound } = context;
      if (event.type !== "approval.presented" || bound === null) return false;
      const allowsSelfApproval = toolOf(context)?.allowsSelfApproval === true;
      return findValidApproval(event.approvals, { bound, now: event.now, approvers, allowsSelfApproval }) !== null;
    },
    outputFits: (context, event) =>
      event.type === "tool.returned" &&
      context.bound !== null &&
      answerFits(toolOf(context), context.bound, context.proposal.arguments, event.answer),
    writeOutputMisfits: (context, event) =>
      event.type === "outcome.lost" &&
      event.answer !== null &&
      context.bound?.risk === "write" &&
      !answerFits(toolOf(context), context.bound, context.proposal.arguments, event.answer),
    queryMatches: ({ bound }, event) =>
      event.type === "status.queried" &&
      bound !== null &&
      bound.scope !== null &&
      bound.scope === event.query.scope &&
      bound.statusRef === event.query.statusRef &&
      bound.facts.request_sha256 === event.query.expectedRequestSha256 &&
      agreesUnknown(bound.facts, event.query.facts),
    receiptMatches: (context, event) =>
      event.type === "receipt.found" &&
      context.bound !== null &&
      receiptFits(toolOf(context), context.bound, context.proposal.arguments, event.receipt),
  };
}
