import type { OperationEventType } from "./operation.ts";
import type { StatusQueryEventType } from "./status-query.ts";

/**
 * How an effect is carried out. *asked*: performed by the dispatcher and answered by exactly one event. *recorded*: part
 * of the ledger transaction that stores the step, not answered. *told*: handed to whoever fed the event, stored nowhere.
 */
export type EffectKind = "asked" | "recorded" | "told";

/** One row of an effect table. */
export interface EffectRow<EventType extends string> {
  readonly kind: EffectKind;
  /** The events that can answer it; empty unless it is asked. */
  readonly answers: readonly EventType[];
}

const asked = <EventType extends string>(...answers: EventType[]): EffectRow<EventType> => ({ kind: "asked", answers });
const recorded = { kind: "recorded", answers: [] } as const;
const told = { kind: "told", answers: [] } as const;

/** Every effect of the operation. */
export const OPERATION_EFFECTS = {
  claimIdentity: asked("identity.claimed", "identity.taken", "deadline.passed", "call.cancelled"),
  authorize: asked("access.granted", "access.denied", "deadline.passed", "call.cancelled"),
  lookUpScope: asked(
    "scope.settled",
    "scope.uncertain",
    "scope.disputed",
    "scope.busy",
    "scope.free",
    "deadline.passed",
    "call.cancelled",
  ),
  awaitScope: asked(
    "access.denied",
    "scope.settled",
    "scope.uncertain",
    "scope.disputed",
    "scope.busy",
    "scope.free",
    "wait.expired",
    "deadline.passed",
    "call.cancelled",
  ),
  checkBusiness: asked("business.permitted", "business.refused", "deadline.passed", "call.cancelled"),
  findWaiver: asked("approval.waived", "deadline.passed", "call.cancelled"),
  findApproval: asked("approval.absent", "approval.presented", "deadline.passed", "call.cancelled"),
  recordIntent: asked(
    "intent.recorded",
    "scope.settled",
    "scope.uncertain",
    "scope.disputed",
    "scope.busy",
    "approval.spent",
    "approval.expired",
    "deadline.passed",
    "call.cancelled",
  ),
  runTool: asked("tool.returned", "tool.refused", "tool.threw", "outcome.lost"),
  fetchReceipt: asked("receipt.found", "receipt.absent", "receipt.unavailable"),
  settle: recorded,
  markUncertain: recorded,
  markDisputed: recorded,
  releaseScope: recorded,
  requestApproval: recorded,
  declineQuery: told,
} as const satisfies Record<string, EffectRow<OperationEventType>>;

/** Name of an effect of the operation. */
export type OperationEffect = keyof typeof OPERATION_EFFECTS;

/** Every effect of the status query. */
export const STATUS_QUERY_EFFECTS = {
  claimIdentity: asked("identity.claimed", "identity.taken", "deadline.passed", "call.cancelled"),
  authorize: asked("access.granted", "access.denied", "deadline.passed", "call.cancelled"),
  findOwner: asked("owner.absent", "owner.found", "deadline.passed", "call.cancelled"),
  askOwner: asked("owner.uncertain", "owner.reconciled", "owner.settled", "owner.disputed", "owner.released"),
} as const satisfies Record<string, EffectRow<StatusQueryEventType>>;

/** Name of an effect of the status query. */
export type StatusQueryEffect = keyof typeof STATUS_QUERY_EFFECTS;

/** The approval has no effects: it is stepped inside ledger transactions. */
export const APPROVAL_EFFECTS = {} as const satisfies Record<string, EffectRow<never>>;
