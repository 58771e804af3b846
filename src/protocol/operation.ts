import type { NotStartedCode, RefusalCode } from "../errors/refusals.ts";
import type { CopiedAnswer } from "./answer.ts";
import type { Approval } from "./approval.ts";
import type { BoundCall } from "./bound-call.ts";
import type { Proposal } from "./call.ts";
import type { SettledFacts } from "./facts.ts";
import type { ScopeKey, Sha256, StatusRef } from "./ids.ts";
import type { Delivery, OutcomeRecord } from "./result.ts";

/** The states of an operation. */
export const OPERATION_STATES = [
  "proposed",
  "bound",
  "identified",
  "authorized",
  "unclaimed",
  "permitted",
  "approved",
  "executing",
  "fresh",
  "unknown",
  "querying",
  "receipt_reconciled",
  "conflict",
  "replayed",
  "joined",
  "rejected",
] as const;

/** What an operation is. */
export type OperationState = (typeof OPERATION_STATES)[number];

/** All that an operation remembers: plain data, stored with its state. */
export interface OperationContext {
  readonly proposal: Proposal;
  /** Null until `host.bound`. */
  readonly bound: BoundCall | null;
  /** The code it ended with, or is in doubt with. */
  readonly refusal: RefusalCode | null;
  /** Set by success. */
  readonly delivery: Delivery | null;
  readonly record: OutcomeRecord | null;
}

/** What a status query says of the operation it asks about. */
export interface QueryFacts {
  /** Null when the query's call has no key. */
  readonly scope: ScopeKey | null;
  readonly statusRef: StatusRef;
  /** The request digest that the host expects the operation to have. */
  readonly expectedRequestSha256: Sha256;
  readonly facts: SettledFacts;
}

/** Facts of the past that an operation answers. Plain data. */
export type OperationEvent =
  | { readonly type: "host.bound"; readonly bound: BoundCall }
  | { readonly type: "identity.claimed" }
  | { readonly type: "identity.taken" }
  | { readonly type: "access.granted" }
  | { readonly type: "access.denied" }
  | { readonly type: "approval.waived" }
  | { readonly type: "scope.settled"; readonly facts: SettledFacts; readonly record: OutcomeRecord }
  | { readonly type: "scope.uncertain"; readonly facts: SettledFacts }
  | { readonly type: "scope.disputed"; readonly facts: SettledFacts }
  | { readonly type: "scope.busy"; readonly facts: SettledFacts }
  | { readonly type: "scope.free" }
  | { readonly type: "wait.expired" }
  | { readonly type: "business.permitted" }
  | { readonly type: "business.refused" }
  | { readonly type: "approval.absent" }
  /** `now` in seconds since the Unix epoch. */
  | { readonly type: "approval.presented"; readonly approvals: readonly Approval[]; readonly now: number }
  | { readonly type: "approval.spent" }
  | { readonly type: "approval.expired" }
  | { readonly type: "intent.recorded" }
  | { readonly type: "deadline.passed" }
  | { readonly type: "call.cancelled" }
  | { readonly type: "tool.returned"; readonly answer: CopiedAnswer }
  | { readonly type: "tool.refused"; readonly code: NotStartedCode }
  | { readonly type: "tool.threw" }
  /** `answer` is null when none came. */
  | { readonly type: "outcome.lost"; readonly answer: CopiedAnswer | null }
  | { readonly type: "status.queried"; readonly query: QueryFacts }
  | { readonly type: "receipt.found"; readonly receipt: CopiedAnswer }
  | { readonly type: "receipt.absent" }
  | { readonly type: "receipt.unavailable" };

/** Type of an operation event. */
export type OperationEventType = OperationEvent["type"];

/** The closed alphabet of the operation: each event with exactly the members it carries beside `type`. */
export const OPERATION_EVENTS = {
  "host.bound": ["bound"],
  "identity.claimed": [],
  "identity.taken": [],
  "access.granted": [],
  "access.denied": [],
  "approval.waived": [],
  "scope.settled": ["facts", "record"],
  "scope.uncertain": ["facts"],
  "scope.disputed": ["facts"],
  "scope.busy": ["facts"],
  "scope.free": [],
  "wait.expired": [],
  "business.permitted": [],
  "business.refused": [],
  "approval.absent": [],
  "approval.presented": ["approvals", "now"],
  "approval.spent": [],
  "approval.expired": [],
  "intent.recorded": [],
  "deadline.passed": [],
  "call.cancelled": [],
  "tool.returned": ["answer"],
  "tool.refused": ["code"],
  "tool.threw": [],
  "outcome.lost": ["answer"],
  "status.queried": ["query"],
  "receipt.found": ["receipt"],
  "receipt.absent": [],
  "receipt.unavailable": [],
} as const satisfies Record<OperationEventType, readonly string[]>;
