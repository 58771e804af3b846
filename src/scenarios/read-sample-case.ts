import { LIMITS } from "../protocol/limits.ts";
import { FAULTS } from "../sample/faults.ts";
import { ACTIONS, APPROVALS, type SampleCase, type SampleStep } from "./document.ts";
import {
  ANSWER_MEMBERS,
  answerOf,
  contextOf,
  newIdOf,
  principalOf,
  proposalOf,
  refuseReferences,
} from "./read-parts.ts";
import type { Shape } from "./shape.ts";

const STEP_MEMBERS = [
  ...["step_id", "action", "proposal", "execution_context", "approval"],
  ...["now", "failure", "status_ref_from", "expected"],
] as const;

/** A case of `tool-cases-v2`. Errors: FIXTURE_INVALID. */
export function sampleCaseOf(shape: Shape, ids: Set<string>): SampleCase {
  const { id, principal, steps } = shape.members(["id", "principal", "steps"]);
  const stepIds = new Set<string>();
  return {
    id: newIdOf(id, ids, "an earlier case"),
    principal: principalOf(principal),
    steps: steps.items(1, LIMITS.casesOrSteps).map((item) => stepOf(item, stepIds)),
  };
}

function stepOf(shape: Shape, stepIds: Set<string>): SampleStep {
  const given = shape.members(STEP_MEMBERS);
  const earlier = new Set(stepIds);
  const expected = given.expected.members([...ANSWER_MEMBERS, "side_effect_count"]);
  const step: SampleStep = {
    step_id: newIdOf(given.step_id, stepIds, "an earlier step of the case"),
    action: given.action.oneOf(ACTIONS),
    proposal: proposalOf(given.proposal),
    execution_context: contextOf(given.execution_context),
    approval: given.approval.oneOf(APPROVALS),
    now: given.now.integer(0, LIMITS.latestApprovalSecond),
    failure: given.failure.oneOf(FAULTS),
    status_ref_from: given.status_ref_from.identifierOrNull(),
    expected: {
      ...answerOf(expected),
      side_effect_count: expected.side_effect_count.integer(0, LIMITS.integerMagnitude),
    },
  };
  if (step.action === "query_status") {
    if (step.approval !== "none") throw given.approval.failure("a query takes no approval");
    if (step.failure !== "none") throw given.failure.failure("a query takes no failure");
  }
  refuseReferences(step, given.status_ref_from, earlier);
  return step;
}
