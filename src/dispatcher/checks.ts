import { copyData } from "../json/copy.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { Proposal } from "../protocol/call.ts";
import type { AttemptId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Tool } from "../tools/tool.ts";
import type { AccessRequest } from "../tools/definition.ts";
import { diagnose, faultOfLateness, faultOfThrown, faultOfVerdict } from "./diagnostic.ts";
import type { House } from "./house.ts";
import type { Interruption, InterruptionEvent } from "./interruption.ts";

/** What a check of the tool's author said. Only the value `true` grants; what threw refuses. */
export type CheckAnswer =
  | { readonly kind: "granted" }
  | { readonly kind: "refused"; readonly threw: boolean }
  | { readonly kind: "interrupted"; readonly event: InterruptionEvent };

/** The parts of a run that checks look at. */
export interface CheckGround {
  readonly attemptId: AttemptId;
  readonly tool: Tool | null;
  readonly bound: BoundCall;
  readonly proposal: Proposal;
  readonly interruption: Interruption;
}

/** Whether the principal has access now. */
export function checkAccess(house: House, ground: CheckGround): Promise<CheckAnswer> {
  const { tool } = ground;
  return check(house, ground, "authorize", tool === null ? () => false : (request) => tool.authorize(request));
}

/** Whether the current state of the resource allows the effect. */
export function checkPrecondition(house: House, ground: CheckGround): Promise<CheckAnswer> {
  const { tool } = ground;
  return check(house, ground, "precondition", tool === null ? () => false : (tool.precondition ?? (() => true)));
}

async function check(
  { onDiagnostic }: House,
  ground: CheckGround,
  subject: "authorize" | "precondition",
  ask: (request: AccessRequest<JsonObject>) => unknown,
): Promise<CheckAnswer> {
  try {
    const raced = await ground.interruption.race(() => ask(accessRequest(ground)));
    if (raced.kind === "interrupted") {
      diagnose(onDiagnostic, ground, () => faultOfLateness(subject, raced.event));
      return raced;
    }
    if (raced.value === true) return { kind: "granted" };
    diagnose(onDiagnostic, ground, () => faultOfVerdict(subject, raced.value));
    return { kind: "refused", threw: false };
  } catch (error) {
    diagnose(onDiagnostic, ground, () => faultOfThrown(subject, error));
    return { kind: "refused", threw: true };
  }
}

/** What a tool's function is handed: its own copy of the arguments, so that it cannot change what others are handed. */
function accessRequest({ bound, proposal, interruption }: CheckGround): AccessRequest<JsonObject> {
  return {
    arguments: copyData(proposal.arguments) as JsonObject,
    principal: bound.principal,
    get signal() {
      return interruption.signal;
    },
  };
}
