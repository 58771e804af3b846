import * as fc from "fast-check";
import type { Step } from "./steps.ts";

/** One line that says what happens in a step, for the report of a failed run. */
export function describeStep(step: Step): string {
  if (step.kind === "order") return `${step.orderRef} of ${step.subject} becomes ${step.status}`;
  const { principal, proposal, context } = step;
  const about =
    step.kind === "query"
      ? `about ${step.statusRef}, expecting ${step.expectedRequest}`
      : `approvals ${fc.stringify(step.approvals.map(shortened))}`;
  return [
    `at ${step.now}, ${step.registered}: ${step.kind} ${proposal.name} ${fc.stringify(proposal.arguments)}`,
    `by ${principal.tenant_id}/${principal.subject_id} [${principal.roles.join(" ")}]`,
    `as ${context.adapter_revision} ${context.response_id}/${context.call_id} ${context.operation_id}`,
    `key ${context.idempotency_key}, ${about}, fault ${step.fault} #${step.variant}`,
  ].join(" ");
}

function shortened(approval: unknown): unknown {
  if (typeof approval !== "object" || approval === null) return approval;
  const entries = Object.entries(approval);
  return Object.fromEntries(
    entries.map(([member, value]) => [member, typeof value === "string" && value.length > 80 ? "(digest)" : value]),
  );
}
