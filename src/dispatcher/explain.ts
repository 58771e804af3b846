import type { BoundCall } from "../protocol/bound-call.ts";
import type { Proposal } from "../protocol/call.ts";
import type { OperationEvent } from "../protocol/operation.ts";
import type { RefusalCode } from "../errors/refusals.ts";
import type { Tool } from "../tools/tool.ts";
import { answerProblems, receiptProblems } from "./answer-problems.ts";
import type { Fault } from "./diagnostic.ts";

/** A call, and the tool that it is one of. */
interface Ground {
  readonly tool: Tool | null;
  readonly bound: BoundCall;
  readonly proposal: Proposal;
}

/** Why arguments were refused. */
export function faultOfArguments({ tool, proposal }: Pick<Ground, "tool" | "proposal">): Fault | null {
  return tool === null ? null : { subject: "arguments", problems: tool.inputProblems(proposal.arguments) };
}

/** Why the event of a step led to a refusal, where that lies in arguments, answer or receipt. */
export function faultOfStep(ground: Ground, refusal: RefusalCode | null, event: OperationEvent): Fault | null {
  const { tool, bound, proposal } = ground;
  if (tool === null) return null;
  if (refusal === "INVALID_ARGUMENTS") return faultOfArguments(ground);
  if (refusal === "OUTPUT_CONTRACT_VIOLATION" && "answer" in event && event.answer !== null) {
    return { subject: "execute", problems: answerProblems(tool, bound, proposal.arguments, event.answer) };
  }
  if (refusal === "STATUS_CONFLICT" && event.type === "receipt.found") {
    return { subject: "queryReceipt", problems: receiptProblems(tool, bound, proposal.arguments, event.receipt) };
  }
  return null;
}
