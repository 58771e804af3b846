import type { ExecutionContext } from "../../src/protocol/call.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Delivery, Outcome, Recovery, Status } from "../../src/protocol/result.ts";
import { isHostError, isIdentifier, readInput, type SampleArguments } from "./input-rules.ts";
import {
  CATALOGUE,
  ELIGIBLE_APPROVER,
  LAST_SECOND,
  ORDERS,
  type Refusal,
  TOOLS,
  type ToolName,
} from "./sample-facts.ts";
import type { DispatchFault, DispatchStep, OrderStatus, QueryFault, QueryStep } from "./steps.ts";

/** What a caller must be told. */
export interface Prediction {
  readonly code: "OK" | Refusal;
  readonly status: Status;
  readonly outcome: Outcome;
  readonly recovery: Recovery;
  readonly delivery: Delivery;
  readonly data: JsonObject | null;
  readonly sideEffectCount: number;
  /** A handle made by `handleOf`. */
  readonly statusRef: string | null;
}

/** What a step must end in. */
export type Answer = Prediction | "host error";

/** Who holds a scope: the operation that ran, or may have run, in it. */
interface Owner {
  readonly handle: string;
  readonly scope: string;
  readonly request: string;
  readonly profile: string;
  state: "running" | "unknown" | "asked" | "settled" | "disputed";
  data: JsonObject | null;
  hasReceipt: boolean;
  reconciled: boolean;
}

/** Everything that an answer can depend on. Shape: plain data. */
export interface World {
  readonly orders: Map<string, { tenant: string; subject: string; status: OrderStatus }>;
  /** Call identity → what it stands for. */
  readonly identities: Map<string, string>;
  /** Scope → who holds it. */
  readonly owners: Map<string, Owner>;
  /** Handle → the last that gave its scope back. */
  readonly released: Map<string, Owner>;
  /** Handles whose outcome was ever in doubt. */
  readonly doubted: Set<string>;
  /** How often the write tool ran. */
  runs: number;
}

/** A world in which nothing has happened. */
export function newWorld(): World {
  const orders: World["orders"] = new Map();
  for (const [ref, [tenant, subject]] of Object.entries(ORDERS)) orders.set(ref, { tenant, subject, status: "paid" });
  return { orders, identities: new Map(), owners: new Map(), released: new Map(), doubted: new Set(), runs: 0 };
}

/** Where a step can be overtaken by others, and whether it waits for one of them. It is told whether it is late. */
export type Steps = Generator<"ready" | "waiting", Answer, boolean>;

type Who = { readonly tenant_id: string; readonly subject_id: string };

const tuple = (...members: readonly unknown[]): string => JSON.stringify(members);

/** The business intent of a call: what request_sha256 stands for. Source: contract, section 6. */
export function requestOf(who: Who, tool: ToolName, input: SampleArguments): string {
  const { input: inputRevision, output, effect } = TOOLS[tool];
  return tuple(who.tenant_id, who.subject_id, tool, input.order_ref, input.reason, inputRevision, output, effect);
}

function profileOf({ provider, api_family, adapter_revision }: ExecutionContext): string {
  return tuple(provider, api_family, adapter_revision);
}

function scopeOf(who: Who, tool: ToolName, key: string | null): string {
  return tuple(who.tenant_id, who.subject_id, tool, key);
}

/** What a status_ref stands for. Source: contract, section 6. */
export function handleOf(who: Who, tool: ToolName, key: string, input: SampleArguments): string {
  return tuple(scopeOf(who, tool, key), requestOf(who, tool, input));
}

/** What an approval digest stands for. Source: contract, section 6. */
export function abstractDigest(step: DispatchStep, tool: ToolName, request: string, approver: unknown): string {
  const { provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key } = step.context;
  const call = [provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key];
  const { input, output, effect, policy } = TOOLS[tool];
  return tuple("approval", call, request, input, output, effect, policy, approver);
}

function refuse(world: World, code: Refusal, statusRef: string | null = null): Prediction {
  const [outcome, recovery] = CATALOGUE[code];
  const status = outcome === "unknown" ? "unknown" : "failed";
  return { code, status, outcome, recovery, delivery: "fresh", data: null, sideEffectCount: world.runs, statusRef };
}

function succeed(world: World, data: JsonObject | null, delivery: Delivery, statusRef: string | null): Prediction {
  const code = "OK";
  const [status, outcome, recovery] = ["succeeded", "committed", "none"] as const;
  return { code, status, outcome, recovery, delivery, data, sideEffectCount: world.runs, statusRef };
}

/** Binds the call identity, or finds that it stands for something else. Source: contract, section 3, step 4. */
function claims(world: World, step: DispatchStep | QueryStep, request: string): boolean {
  const { provider, api_family, response_id, call_id, operation_id, idempotency_key, adapter_revision } = step.context;
  const { tenant_id, subject_id } = step.principal;
  const identity = tuple(tenant_id, subject_id, provider, api_family, response_id, call_id);
  const meaning = tuple(operation_id, idempotency_key, adapter_revision, step.kind, request);
  if (!world.identities.has(identity)) world.identities.set(identity, meaning);
  return world.identities.get(identity) === meaning;
}

function mayAccess(world: World, { principal, fault }: DispatchStep | QueryStep, orderRef: string): boolean {
  const order = world.orders.get(orderRef);
  if (order === undefined || order.tenant !== principal.tenant_id || fault === "authorize_throws") return false;
  return order.subject === principal.subject_id || principal.roles.includes("support_admin");
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
    approval_revision: TOOLS[tool].policy,
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
  const profile = profileOf(context);
  let late = yield "ready";
  if (late) return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!claims(world, step, request)) return refuse(world, "CALL_ID_CONFLICT");
  late = yield "ready";
  if (late || fault === "authorize_hangs") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!mayAccess(world, step, input.order_ref)) return refuse(world, "NOT_FOUND");
  if (!TOOLS[tool].write) return yield* reading(world, step, input.order_ref);

  const key = context.idempotency_key;
  if (key === null) return refuse(world, "IDEMPOTENCY_KEY_REQUIRED");
  const scope = scopeOf(principal, tool, key);
  const handle = handleOf(principal, tool, key, input);
  for (let held = world.owners.get(scope); held !== undefined; held = world.owners.get(scope)) {
    if (held.request !== request || held.profile !== profile) return refuse(world, "IDEMPOTENCY_CONFLICT");
    if (held.state === "settled") return succeed(world, held.data, "local_replay", handle);
    if (held.state === "disputed") return refuse(world, "STATUS_CONFLICT", handle);
    if (held.state !== "running" || late) {
      world.doubted.add(handle);
      return refuse(world, "OUTCOME_UNKNOWN", handle);
    }
    late = yield "waiting";
  }
  if (late || fault === "precondition_hangs") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (world.orders.get(input.order_ref)?.status !== "paid" || fault === "precondition_throws") {
    return refuse(world, "BUSINESS_RULE_VIOLATION");
  }
  if (step.approvals.length === 0) return refuse(world, "APPROVAL_REQUIRED");
  if (!step.approvals.some((value) => approves(value, step, tool, request))) return refuse(world, "APPROVAL_INVALID");

  const outcome = { state: "running", data: null, hasReceipt: false, reconciled: false } as const;
  const owner: Owner = { handle, scope, request, profile, ...outcome };
  world.owners.set(scope, owner);
  return yield* writing(world, step, owner, input);
}

function* reading(world: World, { fault }: DispatchStep, orderRef: string): Steps {
  if (yield "ready") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  const late = yield "ready";
  if (!late && isKnownNotStarted(fault)) return refuse(world, fault);
  if (!late && fault === "bad_output") return refuse(world, "OUTPUT_CONTRACT_VIOLATION");
  if (late || fault === "throws" || fault === "lost" || fault === "lost_without_receipt") {
    return refuse(world, "TOOL_ERROR");
  }
  const data = { order_ref: orderRef, status: world.orders.get(orderRef)?.status ?? null };
  return succeed(world, data, "fresh", null);
}

function* writing(world: World, { fault }: DispatchStep, owner: Owner, input: SampleArguments): Steps {
  if (yield "ready") return release(world, owner, "TIMEOUT_BEFORE_EXECUTE");
  if (!isKnownNotStarted(fault)) {
    world.runs += 1;
    owner.data = { draft_id: `DRAFT-${world.runs}`, ...input };
    owner.hasReceipt = fault === "none" || fault === "lost";
  }
  const late = yield "ready";
  if (!late && isKnownNotStarted(fault)) return release(world, owner, fault);
  if (!late && fault === "none") {
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
  if (yield "ready") return refuse(world, "TIMEOUT_BEFORE_EXECUTE");
  if (!claims(world, step, request)) return refuse(world, "CALL_ID_CONFLICT");
  if (yield "ready") return refuse(world, "OUTCOME_UNKNOWN", statusRef);
  if (!mayAccess(world, step, input.order_ref)) return refuse(world, "NOT_FOUND");

  const found = ownerOf(world, statusRef);
  const theirs = tuple(principal.tenant_id, principal.subject_id).slice(0, -1);
  if (found === undefined || !world.doubted.has(statusRef) || !found.scope.startsWith(`${theirs},`)) {
    return refuse(world, "NOT_FOUND");
  }
  const asked = {
    scope: context.idempotency_key === null ? null : scopeOf(principal, tool, context.idempotency_key),
    request,
    expected: expectedRequest === "own" ? request : expectedRequest,
    profile: profileOf(context),
  };
  const { scope, request: ran, profile } = found;
  if (asked.scope !== scope || asked.request !== ran || asked.expected !== ran || asked.profile !== profile) {
    return refuse(world, "STATUS_CONFLICT", statusRef);
  }
  if (yield "ready") return refuse(world, "OUTCOME_UNKNOWN", statusRef);

  const owner = ownerOf(world, statusRef);
  if (owner === undefined || world.released.get(statusRef) === owner) return refuse(world, "NOT_FOUND");
  if (owner.state === "unknown") {
    owner.state = "asked";
    const late = yield "ready";
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
