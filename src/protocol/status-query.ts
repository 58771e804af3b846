import type { RefusalCode } from "../errors/refusals.ts";
import type { BoundCall } from "./bound-call.ts";
import type { Proposal } from "./call.ts";
import type { SettledFacts } from "./facts.ts";
import type { ScopeKey, Sha256, StatusRef } from "./ids.ts";
import type { Delivery, OutcomeRecord } from "./result.ts";

/** The states of a status query. */
export const STATUS_QUERY_STATES = [
  "proposed",
  "bound",
  "identified",
  "authorized",
  "asking",
  "answered",
  "conflict",
  "rejected",
] as const;

/** What a status query is. */
export type StatusQueryState = (typeof STATUS_QUERY_STATES)[number];

/** All that a status query remembers: plain data. */
export interface StatusQueryContext {
  readonly proposal: Proposal;
  /** The handle asked about. */
  readonly statusRef: StatusRef;
  /** The request digest that the host expects the operation to have. */
  readonly expectedRequestSha256: Sha256;
  /** Null until `host.bound`. */
  readonly bound: BoundCall | null;
  readonly refusal: RefusalCode | null;
  readonly delivery: Delivery | null;
  readonly record: OutcomeRecord | null;
}

/** Facts of the past that a status query answers. Plain data. */
export type StatusQueryEvent =
  | { readonly type: "host.bound"; readonly bound: BoundCall }
  | { readonly type: "identity.claimed" }
  | { readonly type: "identity.taken" }
  | { readonly type: "access.granted" }
  | { readonly type: "access.denied" }
  | { readonly type: "deadline.passed" }
  | { readonly type: "call.cancelled" }
  | { readonly type: "owner.absent" }
  | { readonly type: "owner.found"; readonly scope: ScopeKey; readonly facts: SettledFacts }
  | { readonly type: "owner.uncertain" }
  | { readonly type: "owner.reconciled"; readonly facts: SettledFacts; readonly record: OutcomeRecord }
  | { readonly type: "owner.settled"; readonly facts: SettledFacts; readonly record: OutcomeRecord }
  | { readonly type: "owner.disputed" }
  | { readonly type: "owner.released" };

/** Type of a status query event. */
export type StatusQueryEventType = StatusQueryEvent["type"];

/** The closed alphabet of the status query: each event with exactly the members it carries beside `type`. */
export const STATUS_QUERY_EVENTS = {
  "host.bound": ["bound"],
  "identity.claimed": [],
  "identity.taken": [],
  "access.granted": [],
  "access.denied": [],
  "deadline.passed": [],
  "call.cancelled": [],
  "owner.absent": [],
  "owner.found": ["scope", "facts"],
  "owner.uncertain": [],
  "owner.reconciled": ["facts", "record"],
  "owner.settled": ["facts", "record"],
  "owner.disputed": [],
  "owner.released": [],
} as const satisfies Record<StatusQueryEventType, readonly string[]>;
