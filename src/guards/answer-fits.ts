import { isObject } from "../packages/expectation.ts";
import { bindingSha256 } from "../json/binding-digest.ts";
import { readAnswer } from "../packages/answer.ts";
import { SETTLED_MEMBERS, type ExecutionBinding } from "../protocol/facts.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { CopiedAnswer } from "../protocol/answer.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { ToolView } from "../protocol/registry-view.ts";

/** Whether what a tool answered keeps its whole contract against the call that it answers. */
export function answerFits(
  tool: ToolView | null,
  bound: BoundCall,
  args: JsonValue,
  copied: CopiedAnswer,
  extra: readonly string[] = [],
): boolean {
  const answer = readAnswer(copied, extra);
  if (tool === null || answer === null || !isObject(args)) return false;
  // What a read did leaves no receipt; one that claims to is not the read that was registered.
  if (bound.risk === "read" && answer.receiptId !== null) return false;
  return answer.producerRevision === bound.toolContract.producer_revision && tool.outputFits(answer.output, args);
}

/** Whether a receipt is that of this operation: what it was bound to downstream, and an output that fits. */
export function receiptFits(tool: ToolView | null, bound: BoundCall, args: JsonValue, receipt: CopiedAnswer): boolean {
  if (!answerFits(tool, bound, args, receipt, ["binding"]) || !isObject(receipt.value)) return false;
  const kept = receipt.value["binding"];
  const expected: ExecutionBinding = { ...bound.facts, status_ref: bound.statusRef };
  if (typeof kept === "string") return kept === bindingSha256(expected);
  if (!isObject(kept)) return false;
  const binding = kept;
  const says = (member: string, value: string | null): boolean =>
    Object.hasOwn(binding, member) && binding[member] === value;
  return says("status_ref", expected.status_ref) && SETTLED_MEMBERS.every((member) => says(member, expected[member]));
}
