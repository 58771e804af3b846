import { COMMON_APPROVALS, type ReadGateModule } from "../dispatcher/read-gate-module.ts";
import { LIMITS } from "../protocol/limits.ts";
import { ACTIONS, type GateCase, type GateStep, type SideEffects, type WorldSetUp } from "./document.ts";
import {
  ANSWER_MEMBERS,
  answerOf,
  contextOf,
  hashedObjectOf,
  newIdOf,
  principalOf,
  proposalOf,
  refuseReferences,
} from "./read-parts.ts";
import type { Shape } from "./shape.ts";

/** The names that a gate offers to its scenario files; nothing else can be named in one. */
export interface OfferedNames {
  readonly worlds: readonly string[];
  readonly faults: readonly string[];
  readonly approvals: readonly string[];
  /** Tools that write: those whose effects are counted. */
  readonly writingTools: readonly string[];
}

const STEP_MEMBERS = [
  ...["step_id", "action", "proposal", "execution_context", "approval"],
  ...["now", "faults", "status_ref_from", "expected"],
] as const;
/** How many faults a step may have. */
export const MOST_FAULTS = 16;

/** The names that a gate's module offers; null where it offers nothing to scenarios. */
export function offeredNames({ scenarios, toolsWith }: ReadGateModule): OfferedNames | null {
  if (scenarios === null) return null;
  const { tools } = toolsWith(() => undefined);
  return {
    worlds: [...scenarios.worlds.keys()],
    faults: [...scenarios.faults.keys()],
    approvals: [...COMMON_APPROVALS, ...scenarios.approvals.keys()],
    writingTools: tools.filter(({ risk }) => risk === "write").map(({ name }) => name),
  };
}

/** A case of `callgate-scenarios-v1`. Errors: FIXTURE_INVALID. */
export function gateCaseOf(shape: Shape, ids: Set<string>, offered: OfferedNames): GateCase {
  const { id, principal, world, steps } = shape.members(["id", "principal", "world", "steps"]);
  const stepIds = new Set<string>();
  return {
    id: newIdOf(id, ids, "an earlier case"),
    principal: principalOf(principal),
    world: worldOf(world, offered),
    steps: steps.items(1, LIMITS.casesOrSteps).map((item) => stepOf(item, stepIds, offered)),
  };
}

function worldOf(shape: Shape, offered: OfferedNames): WorldSetUp {
  const { name, parameters } = shape.members(["name", "parameters"]);
  return { name: offeredBy(name, offered.worlds, "world"), parameters: hashedObjectOf(parameters) };
}

function stepOf(shape: Shape, stepIds: Set<string>, offered: OfferedNames): GateStep {
  const given = shape.members(STEP_MEMBERS, ["advance_ms"]);
  const { advance_ms } = given;
  const earlier = new Set(stepIds);
  const expected = given.expected.members([...ANSWER_MEMBERS, "side_effects"]);
  const step: GateStep = {
    step_id: newIdOf(given.step_id, stepIds, "an earlier step of the case"),
    action: given.action.oneOf(ACTIONS),
    proposal: proposalOf(given.proposal),
    execution_context: contextOf(given.execution_context),
    approval: offeredBy(given.approval, offered.approvals, "approval"),
    now: given.now.integer(0, LIMITS.latestApprovalSecond),
    ...(advance_ms === undefined ? {} : { advance_ms: advance_ms.integer(1, LIMITS.integerMagnitude) }),
    faults: faultsOf(given.faults, offered),
    status_ref_from: given.status_ref_from.identifierOrNull(),
    expected: { ...answerOf(expected), side_effects: sideEffectsOf(expected.side_effects, offered) },
  };
  // A query may meet a fault: what answers it is a service as well.
  if (step.action === "query_status" && step.approval !== "none") {
    throw given.approval.failure("a query takes no approval");
  }
  refuseReferences(step, given.status_ref_from, earlier);
  return step;
}

function faultsOf(shape: Shape, offered: OfferedNames): readonly string[] {
  const names = new Set<string>();
  return shape.items(0, MOST_FAULTS).map((item) => {
    const name = offeredBy(item, offered.faults, "fault");
    if (names.has(name)) throw item.failure("it stands there already");
    names.add(name);
    return name;
  });
}

function sideEffectsOf(shape: Shape, offered: OfferedNames): SideEffects {
  if (typeof shape.value === "number") return shape.integer(0, LIMITS.integerMagnitude);
  const counts = Object.entries<Shape | undefined>(shape.members([], offered.writingTools));
  return Object.fromEntries(
    counts.flatMap(([tool, count]) =>
      count === undefined ? [] : [[tool, count.integer(0, LIMITS.integerMagnitude)] as const],
    ),
  );
}

function offeredBy(shape: Shape, names: readonly string[], thing: string): string {
  if (names.length === 0) throw shape.failure(`the gate offers no ${thing}`);
  return shape.oneOf(names);
}
