import * as fc from "fast-check";
import { abstractDigest, policyOf } from "./contract-model.ts";
import { readInput } from "./input-rules.ts";
import { ELIGIBLE_APPROVER, LAST_SECOND, TOOLS } from "./sample-facts.ts";
import type { DispatchStep } from "./steps.ts";
import { weighted } from "./weighted.ts";
import { requestOf } from "./world.ts";

/** How one presented approval differs from the right one. */
export interface ApprovalSketch {
  /** Units: seconds since the Unix epoch; null is a minute after the step. */
  readonly expiresAt: number | null;
  readonly approver: string;
  /** The call that it is for; null is the right one. */
  readonly callId: string | null;
  /** One member that has another value, with the digest unchanged; undefined takes it away. */
  readonly change: readonly [member: string, value: unknown] | null;
}

/** The approval that a sketch means for a dispatch; the empty object where there is nothing to approve. */
export function approvalFor(step: DispatchStep, sketch: ApprovalSketch): Readonly<Record<string, unknown>> {
  const read = readInput(step.proposal);
  if (typeof read === "string") return {};
  const { tool, input } = read;
  const context = { ...step.context, call_id: sketch.callId ?? step.context.call_id };
  const { response_id: _, ...boundContext } = context;
  const request = requestOf(step.principal, tool, input);
  const approval: Record<string, unknown> = {
    approval_id: `approval-${context.call_id}`,
    ...boundContext,
    tool_name: tool,
    subject_id: step.principal.subject_id,
    schema_version: TOOLS[tool].input,
    approval_revision: policyOf(step, tool),
    approval_digest: abstractDigest({ ...step, context }, tool, request, sketch.approver),
    expires_at: sketch.expiresAt ?? step.now + 60,
    approver_id: sketch.approver,
  };
  if (sketch.change === null) return approval;
  const [member, value] = sketch.change;
  approval[member] = value;
  if (value === undefined) Reflect.deleteProperty(approval, member);
  return approval;
}

/** The approval as people give it: for this call, by the right person, for a minute. */
export const RIGHT_APPROVAL: ApprovalSketch = {
  expiresAt: null,
  approver: ELIGIBLE_APPROVER,
  callId: null,
  change: null,
};

const members = [
  "approval_id",
  "operation_id",
  "call_id",
  "provider",
  "api_family",
  "adapter_revision",
  "idempotency_key",
  "tool_name",
  "subject_id",
  "schema_version",
  "approval_revision",
  "approval_digest",
  "expires_at",
  "approver_id",
] as const;

const wrongValues = [undefined, null, 0, "", " ", "0".repeat(64), [], {}, true] as const;

const wrongTimes = [1000.5, "1060", Number.NaN, Number.POSITIVE_INFINITY, LAST_SECOND + 1, -1] as const;

const sketches: fc.Arbitrary<ApprovalSketch> = fc.record({
  // Absolute times recur, so that the same approval is presented again after the clock has moved.
  expiresAt: weighted<number | null>([
    [6, null],
    [1, 1000],
    [1, 1030],
    [2, 1060],
    [1, LAST_SECOND],
  ]),
  approver: weighted([
    [12, ELIGIBLE_APPROVER],
    [1, "human-reviewer-2"],
  ]),
  callId: weighted<string | null>([
    [12, null],
    [1, "call-of-another"],
  ]),
  change: fc.oneof(
    { weight: 10, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...members), fc.constantFrom(...wrongValues)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("expires_at"), fc.constantFrom(...wrongTimes)) },
  ),
});

const noApproval = fc.constantFrom<unknown>(null, undefined, 0, "yes", true, [], {}, [{}]);

/** What is presented as approvals: mostly one that is right, sometimes none, several, wrong or malformed ones. */
export const presentations: fc.Arbitrary<readonly (ApprovalSketch | { readonly malformed: unknown })[]> = fc.oneof(
  { weight: 10, arbitrary: fc.constant([RIGHT_APPROVAL]) },
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 6,
    arbitrary: fc.array(
      fc.oneof({ weight: 4, arbitrary: sketches }, { weight: 1, arbitrary: fc.record({ malformed: noApproval }) }),
      { minLength: 1, maxLength: 3 },
    ),
  },
);
