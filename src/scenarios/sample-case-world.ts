import { makeApproval } from "../sample/approval.ts";
import type { CallToApprove, CaseWorld } from "./case-world.ts";
import type { SampleStep } from "./document.ts";
import type { ScenarioWorld } from "./run.ts";

/** A sample world as that of a case. */
export function sampleCaseWorld(world: ScenarioWorld): CaseWorld<SampleStep> {
  const { tools, approvers, faults } = world;
  return {
    tools,
    approvers,
    arm: async ({ failure }) => {
      faults.arm(failure);
    },
    disarm: async () => {
      faults.disarm();
      return { isOutOfPlace: faults.reachedRead };
    },
    approvals: (step, call) => approvers.slice(0, 1).map((approverId) => approvalOf(step, call, approverId)),
    effects: async () => ({ total: world.sideEffectCount, byTool: {} }),
    close: async () => undefined,
  };
}

function approvalOf({ approval: kind, execution_context: context, now }: SampleStep, call: CallToApprove, by: string) {
  if (kind === "none") throw new TypeError("no approval is to be made");
  return makeApproval({ kind, context, now, ...call, approverId: by });
}
