import type { JsonObject } from "../../src/protocol/json.ts";
import type { Delivery, Outcome, Recovery, Status } from "../../src/protocol/result.ts";
import type { SampleArguments } from "./input-rules.ts";
import { CATALOGUE, ORDERS, type Refusal, TOOLS, type ToolName } from "./sample-facts.ts";
import type { DispatchStep, OrderStatus, OrderStep, QueryStep } from "./steps.ts";

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
export interface Owner {
  readonly handle: string;
  readonly scope: string;
  readonly request: string;
  /** A text of `originOf`. */
  readonly origin: string;
  readonly hasNewHandler: boolean;
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

/** An order changes. */
export function changeOrder(world: World, change: Partial<OrderStep> & Pick<OrderStep, "orderRef">): void {
  const order = world.orders.get(change.orderRef);
  if (order === undefined) return;
  const { status = order.status, subject = order.subject } = change;
  world.orders.set(change.orderRef, { ...order, status, subject });
}

/** A principal, as far as namespaces depend on it. */
type Who = { readonly tenant_id: string; readonly subject_id: string };

/** Several members as one text. */
export const tuple = (...members: readonly unknown[]): string => JSON.stringify(members);

/** The business intent of a call: what request_sha256 stands for. Source: contract, section 6. */
export function requestOf(who: Who, tool: ToolName, input: SampleArguments): string {
  const { input: inputRevision, output, effect } = TOOLS[tool];
  return tuple(who.tenant_id, who.subject_id, tool, input.order_ref, input.reason, inputRevision, output, effect);
}

/** What must be equal beside the request, even for an outcome in doubt. Source: contract, end of section 3. */
export function originOf({ context, registered }: DispatchStep | QueryStep): string {
  return tuple(context.provider, context.api_family, context.adapter_revision, registered === "new_producer");
}

/** The idempotency namespace of a call. */
export function scopeOf(who: Who, tool: ToolName, key: string | null): string {
  return tuple(who.tenant_id, who.subject_id, tool, key);
}

/** What a status_ref stands for. Source: contract, section 6. */
export function handleOf(who: Who, tool: ToolName, key: string, input: SampleArguments): string {
  return tuple(scopeOf(who, tool, key), requestOf(who, tool, input));
}

/** A refusal, as its row of the catalogue says. */
export function refuse(world: World, code: Refusal, statusRef: string | null = null): Prediction {
  const [outcome, recovery] = CATALOGUE[code];
  const status = outcome === "unknown" ? "unknown" : "failed";
  return { code, status, outcome, recovery, delivery: "fresh", data: null, sideEffectCount: world.runs, statusRef };
}

/** A success. */
export function succeed(
  world: World,
  data: JsonObject | null,
  delivery: Delivery,
  statusRef: string | null,
): Prediction {
  const code = "OK";
  const [status, outcome, recovery] = ["succeeded", "committed", "none"] as const;
  return { code, status, outcome, recovery, delivery, data, sideEffectCount: world.runs, statusRef };
}

/** Binds the call identity, or finds that it stands for something else. Source: contract, section 3, step 4. */
export function claims(world: World, step: DispatchStep | QueryStep, request: string): boolean {
  const { provider, api_family, response_id, call_id, operation_id, idempotency_key, adapter_revision } = step.context;
  const { tenant_id, subject_id } = step.principal;
  const identity = tuple(tenant_id, subject_id, provider, api_family, response_id, call_id);
  const meaning = tuple(operation_id, idempotency_key, adapter_revision, step.kind, request);
  if (!world.identities.has(identity)) world.identities.set(identity, meaning);
  return world.identities.get(identity) === meaning;
}

/** Whether the order is there and may be seen; no answer tells which it was. Source: contract, section 3, step 5. */
export function mayAccess(world: World, { principal, fault }: DispatchStep | QueryStep, orderRef: string): boolean {
  const order = world.orders.get(orderRef);
  if (order === undefined || order.tenant !== principal.tenant_id || fault === "authorize_throws") return false;
  return order.subject === principal.subject_id || principal.roles.includes("support_admin");
}
