import { readFileSync } from "node:fs";
import type { ExecutionContext, Principal } from "../../src/protocol/call.ts";
import { approvalFor, RIGHT_APPROVAL } from "./approval-sketches.ts";
import { alone, dispatching, querying } from "./contract-model.ts";
import type { DispatchFault, DispatchStep } from "./steps.ts";
import { type Answer, newWorld } from "./world.ts";

interface FixtureStep {
  readonly step_id: string;
  readonly action: "dispatch" | "query_status";
  readonly proposal: { readonly name: string; readonly arguments: unknown };
  readonly execution_context: ExecutionContext;
  readonly approval: "none" | "valid" | "expired" | "mismatched";
  readonly now: number;
  readonly failure: string;
  readonly status_ref_from: string | null;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** One case of a scenario file. */
export interface FixtureCase {
  readonly id: string;
  readonly principal: Principal;
  readonly steps: readonly FixtureStep[];
}

const FAULTS: ReadonlyMap<string, DispatchFault> = new Map([
  ["none", "none"],
  ["timeout_before_execute", "TIMEOUT_BEFORE_EXECUTE"],
  ["rate_limit", "RATE_LIMIT"],
  ["tool_error", "TOOL_ERROR"],
  ["timeout_after_commit", "lost"],
  ["timeout_after_commit_receipt_unavailable", "lost_without_receipt"],
]);

/** The cases of a scenario file that is known to be in order. */
export function casesOf(file: string): readonly FixtureCase[] {
  const root: { readonly cases: readonly FixtureCase[] } = JSON.parse(readFileSync(file, "utf8"));
  return root.cases;
}

/** What the model predicts for each step of a case, as the members of `expected`. */
export function predictionsOf({ principal, steps }: FixtureCase): readonly Readonly<Record<string, unknown>>[] {
  const world = newWorld();
  const handles = new Map<string, string>();
  return steps.map((step) => {
    const answer = predict(world, principal, step, handles);
    if (answer === "host error") return { code: answer };
    if (answer.statusRef !== null) handles.set(step.step_id, answer.statusRef);
    const { sideEffectCount: side_effect_count, statusRef: _, ...members } = answer;
    return { ...members, side_effect_count };
  });
}

function predict(
  world: ReturnType<typeof newWorld>,
  principal: Principal,
  { action, proposal, execution_context: context, approval, now, failure, status_ref_from }: FixtureStep,
  handles: ReadonlyMap<string, string>,
): Answer {
  const call = { principal, proposal, context, registered: "first", now, variant: 0 } as const;
  if (action === "query_status") {
    const statusRef = handles.get(status_ref_from ?? "") ?? null;
    return alone(querying(world, { kind: "query", ...call, statusRef, expectedRequest: "own", fault: "none" }));
  }
  const bare: DispatchStep = { kind: "dispatch", ...call, approvals: [], fault: FAULTS.get(failure) ?? "none" };
  const sketch = {
    ...RIGHT_APPROVAL,
    expiresAt: approval === "expired" ? now - 1 : null,
    change: approval === "mismatched" ? (["approval_digest", "0".repeat(64)] as const) : null,
  };
  return alone(dispatching(world, { ...bare, approvals: approval === "none" ? [] : [approvalFor(bare, sketch)] }));
}
