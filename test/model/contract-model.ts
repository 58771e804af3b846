import { isHostError, isIdentifier, readInput, type SampleArguments } from "./input-rules.ts";
import { changed, ELIGIBLE_APPROVER, LAST_SECOND, type Refusal, TOOLS, type ToolName } from "./sample-facts.ts";
import type { DispatchFault, DispatchStep, QueryFault, QueryStep } from "./steps.ts";
import {
  type Answer,
  changeOrder,
  claims,
  handleOf,
  mayAccess,
  type Owner,
  type Prediction,
  originOf,
  refuse,
  requestOf,
  scopeOf,
  succeed,
  tuple,
  type World,
} from "./world.ts";

/**
 * Where a step can be overtaken by others. Shape: named for what comes next; nothing but the name and the world decides
 * how a step goes on from there.
 */
export type Pause =
  | "to claim"
  | "to ask for access"
  | "to look up"
  | "waiting"
  | "to check business"
  | "to reserve"
  | "to start"
  | "to end"
  | "to ask the owner"
  | "to hear of the receipt";

/** A step on its way. At each pause it is told whether it is late. */
export type Steps = Generator<Pause, Answer, boolean>;

/** The policy revision that approvals of a step are bound to. */
export function policyOf({ registered }: DispatchStep, tool: ToolName): string {
  return registered === "new_policy" ? changed(TOOLS[tool].policy) : TOOLS[tool].policy;
}

/** What an approval digest stands for. Source: contract, section 6. */
export function abstractDigest(step: DispatchStep, tool: ToolName, request: string, approver: unknown): string {
  const { provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key } = step.context;
  const call = [provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key];
  const { input, output, effect } = TOOLS[tool];
  const policy = policyOf(step, tool);
  return tuple("approval", call, request, input, output, effect, policy, approver);
}

/** Whether one presented value is a valid approval of this call. Source: contract, section 10. */
function approves(value: unknown, step: DispatchStep, tool: ToolName, request: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const given = new Map<string, unknown>(Object.entries(value));
  const { response_id: _, ...boundContext } = step.context;
  const wanted = {
    ...boundContext,
    tool_name: step.proposal.name,
    subject_id: step.principal.subject_id,
    schema_version: TOOLS[tool].input,
    approval_revision: policyOf(step, tool),
    approver_id: ELIGIBLE_APPROVER,
    approval_digest: abstractDigest(step, tool, request, ELIGIBLE_APPROVER),
  };
  const expires = given.get("expires_at");
  return (
    Object.entries(wanted).every(([member, right]) => given.get(member) === right) &&
    isIdentifier(given.get("approval_id")) &&
    typeof expires === "number" &&
    Number.isInteger(expires) &&
    step.now < expires &&
    expires <= LAST_SECOND
  );
}

/** One dispatch. Source: contract, section 3; what a busy scope means for the callers that wait: this design. */
export function* dispatching(world: World, step: DispatchStep): Steps {
  if (isHostError(step)) return "host error";
  const read = readInput(step.proposal);
  if (typeof read === "string") return refuse(world, read);
  const { tool, input } = read;
  const { principal, context, fault } = step;
  const request = requestOf(principal, tool, input);
  const origin = originOf(step);
  const hasNewHandler = step.registered === "new_handler";
  let late = yield "to claim";
  if (late) return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!claims(world, step, request)) return refuse(world, "CALL_ID_CONFLICT");
  late = yield "to ask for access";
  if (late || fault === "authorize_hangs") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!mayAccess(world, step, input.order_ref)) return refuse(world, "NOT_FOUND");
  late = yield "to look up";
  if (late) return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!TOOLS[tool].write) return yield* reading(world, step, input.order_ref);

  const key = context.idempotency_key;
  if (key === null) return refuse(world, "IDEMPOTENCY_KEY_REQUIRED");
  const scope = scopeOf(principal, tool, key);
  const handle = handleOf(principal, tool, key, input);
  for (;;) {
    const held = world.owners.get(scope);
    if (held === undefined) {
      late = yield "to check business";
      if (late || fault === "precondition_hangs") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
      const isPaid = world.orders.get(input.order_ref)?.status === "paid";
      if (!isPaid || fault === "precondition_throws") return refuse(world, "BUSINESS_RULE_VIOLATION");
      const { approvals } = step;
      if (approvals.length === 0) return refuse(world, "APPROVAL_REQUIRED");
      if (!approvals.some((value) => approves(value, step, tool, request))) return refuse(world, "APPROVAL_INVALID");
      late = yield "to reserve";
      if (world.owners.has(scope)) continue;
      if (late) return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
      break;
    }
    if (held.request !== request || held.origin !== origin) return refuse(world, "IDEMPOTENCY_CONFLICT");
    if (held.state === "settled" && held.hasNewHandler !== hasNewHandler) return refuse(world, "IDEMPOTENCY_CONFLICT");
    if (held.state === "settled") return succeed(world, held.data, "local_replay", handle);
    if (held.state === "disputed") return refuse(world, "STATUS_CONFLICT", handle);
    if (held.state !== "running" || late) {
      world.doubted.add(handle);
      return refuse(world, "OUTCOME_UNKNOWN", handle);
    }
    do late = yield "waiting";
    while (!late && world.owners.get(scope)?.state === "running");
    if (!late && !mayAccess(world, step, input.order_ref)) return refuse(world, "NOT_FOUND");
    if (!late) late = yield "to look up";
    if (late && !world.owners.has(scope)) return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  }
  const outcome = { state: "running", data: null, hasReceipt: false, reconciled: false } as const;
  const owner: Owner = { handle, scope, request, origin, hasNewHandler, ...outcome };
  world.owners.set(scope, owner);
  return yield* writing(world, step, owner, input);
}

function* reading(world: World, { fault }: DispatchStep, orderRef: string): Steps {
  if (yield "to start") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  const late = yield "to end";
  if (!late && isKnownNotStarted(fault)) return refuse(world, fault);
  if (!late && fault === "bad_output") return refuse(world, "OUTPUT_CONTRACT_VIOLATION");
  if (late || fault === "throws" || fault === "lost" || fault === "lost_without_receipt") {
    return refuse(world, "TOOL_ERROR");
  }
  const data = { order_ref: orderRef, status: world.orders.get(orderRef)?.status ?? null };
  return succeed(world, data, "fresh", null);
}

function* writing(world: World, { fault }: DispatchStep, owner: Owner, input: SampleArguments): Steps {
  if (yield "to start") return release(world, owner, "TIMEOUT_BEFORE_EXECUTE");
  const answers = fault === "none" || fault === "hands_over";
  if (!isKnownNotStarted(fault)) {
    world.runs += 1;
    owner.data = { draft_id: `DRAFT-${world.runs}`, ...input };
    owner.hasReceipt = answers || fault === "lost";
  }
  if (fault === "hands_over") changeOrder(world, { orderRef: input.order_ref, subject: "user-2" });
  const late = yield "to end";
  if (!late && isKnownNotStarted(fault)) return release(world, owner, fault);
  if (!late && answers) {
    owner.state = "settled";
    return succeed(world, owner.data, "fresh", owner.handle);
  }
  owner.state = "unknown";
  world.doubted.add(owner.handle);
  const broken = !late && fault === "bad_output";
  return refuse(world, broken ? "OUTPUT_CONTRACT_VIOLATION" : "OUTCOME_UNKNOWN", owner.handle);
}

/** Nothing was done, and that is known: the scope is free again. */
function release(world: World, owner: Owner, code: Refusal): Prediction {
  world.owners.delete(owner.scope);
  world.released.set(owner.handle, owner);
  return refuse(world, code);
}

function isKnownNotStarted(fault: DispatchFault): fault is "RATE_LIMIT" | "TOOL_ERROR" | "TIMEOUT_BEFORE_EXECUTE" {
  return fault === "RATE_LIMIT" || fault === "TOOL_ERROR" || fault === "TIMEOUT_BEFORE_EXECUTE";
}

/** One status query. Source: contract, section 4. */
export function* querying(world: World, step: QueryStep): Steps {
  const { principal, proposal, context, statusRef, expectedRequest, fault } = step;
  if (isHostError(step) || statusRef === null) return "host error";
  const read = readInput(proposal);
  if (typeof read === "string") return refuse(world, read);
  const { tool, input } = read;
  const request = requestOf(principal, tool, input);
  if (yield "to claim") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!claims(world, step, request)) return refuse(world, "CALL_ID_CONFLICT");
  if (yield "to ask for access") return refuse(world, "OUTCOME_UNKNOWN", statusRef);
  if (!mayAccess(world, step, input.order_ref)) return refuse(world, "NOT_FOUND");
  if (yield "to look up") return refuse(world, "OUTCOME_UNKNOWN", statusRef);

  const found = ownerOf(world, statusRef);
  const theirs = tuple(principal.tenant_id, principal.subject_id).slice(0, -1);
  if (found === undefined || !world.doubted.has(statusRef) || !found.scope.startsWith(`${theirs},`)) {
    return refuse(world, "NOT_FOUND");
  }
  const asked = {
    scope: context.idempotency_key === null ? null : scopeOf(principal, tool, context.idempotency_key),
    request,
    expected: expectedRequest === "own" ? request : expectedRequest,
    origin: originOf(step),
  };
  const { scope, request: ran, origin } = found;
  if (asked.scope !== scope || asked.request !== ran || asked.expected !== ran || asked.origin !== origin) {
    return refuse(world, "STATUS_CONFLICT", statusRef);
  }
  if (yield "to ask the owner") return refuse(world, "OUTCOME_UNKNOWN", statusRef);

  const owner = ownerOf(world, statusRef);
  if (owner === undefined || world.released.get(statusRef) === owner) return refuse(world, "NOT_FOUND");
  if (owner.state === "unknown") {
    owner.state = "asked";
    const late = yield "to hear of the receipt";
    owner.state = answerOfReceipt(owner, late, fault);
    owner.reconciled = owner.state === "settled";
  }
  if (owner.state === "settled") {
    return succeed(world, owner.data, owner.reconciled ? "receipt_reconciled" : "local_replay", statusRef);
  }
  return refuse(world, owner.state === "disputed" ? "STATUS_CONFLICT" : "OUTCOME_UNKNOWN", statusRef);
}

function answerOfReceipt(owner: Owner, late: boolean, fault: QueryFault): Owner["state"] {
  if (late || fault === "receipt_withheld") return "unknown";
  if (fault === "receipt_contradicts") return "disputed";
  return owner.hasReceipt ? "settled" : "unknown";
}

/** Who holds the status_ref now, else the last one that gave it back. */
function ownerOf(world: World, handle: string): Owner | undefined {
  return world.owners.values().find((owner) => owner.handle === handle) ?? world.released.get(handle);
}

/** Lets a step run to its end with nobody else about. */
export function alone(steps: Steps): Answer {
  let next = steps.next(false);
  while (next.done !== true) {
    if (next.value === "waiting") throw new TypeError("nobody is there to be waited for");
    next = steps.next(false);
  }
  return next.value;
}
