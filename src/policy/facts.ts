import type { ToolContract } from "../protocol/call.ts";
import { SETTLED_MEMBERS, UNKNOWN_MEMBERS, type SettledFacts } from "../protocol/facts.ts";

/** Whether a settled record may answer for these facts. Source: contract, end of section 3. */
export function agreesSettled(left: SettledFacts, right: SettledFacts): boolean {
  return SETTLED_MEMBERS.every((member) => left[member] === right[member]);
}

/** Whether an outcome still in doubt may answer for these facts. Source: contract, end of section 3. */
export function agreesUnknown(left: SettledFacts, right: SettledFacts): boolean {
  return UNKNOWN_MEMBERS.every((member) => left[member] === right[member]);
}

const CONTRACT_MEMBERS = Object.keys({
  name: true,
  input_schema_revision: true,
  output_schema_revision: true,
  effect_revision: true,
  handler_revision: true,
  producer_revision: true,
  policy_revision: true,
} satisfies Record<keyof ToolContract, true>) as readonly (keyof ToolContract)[];

/** Whether two contracts are of one tool in all its revisions: what was bound to one may run under the other. */
export function isSameContract(left: ToolContract, right: ToolContract): boolean {
  return CONTRACT_MEMBERS.every((member) => left[member] === right[member]);
}
