import type { ApprovalEventType, ApprovalState } from "../protocol/approval-run.ts";
import type { Purpose } from "../protocol/call.ts";
import type { SettledFacts } from "../protocol/facts.ts";
import type { ApprovalKey, AttemptId, IdentityKey, ScopeKey, Sha256, StatusRef } from "../protocol/ids.ts";
import type { OperationContext, OperationState } from "../protocol/operation.ts";
import type { OutcomeRecord } from "../protocol/result.ts";
import type { JournalStep, JournalVerdict, StoredEntry } from "./journal.ts";

/** The right to write to one attempt. Both numbers must still be the stored ones, or nothing is written. */
export interface Hold {
  readonly attemptId: AttemptId;
  /** Raised by every write. */
  readonly version: number;
  /** Raised whenever the lease changes hands. */
  readonly fencing: number;
}

/** An attempt's state as it is to be stored, with the steps that led there since the last transaction. */
export interface NextState {
  readonly state: OperationState;
  readonly context: OperationContext;
  readonly steps: readonly JournalStep[];
}

/** An identity to be claimed by a dispatch, which is stored as an attempt, or by a query, which is only journalled. */
export interface IdentityClaim {
  readonly attemptId: AttemptId;
  readonly purpose: Purpose;
  readonly identity: IdentityKey;
  readonly fingerprint: Sha256;
  /** Units: seconds since the Unix epoch, as all times of the journal. */
  readonly at: number;
  /** The steps until now and the one that the answer leads to. Pure; called inside the transaction. */
  next(answer: "claimed" | "taken"): NextState | QueryStep;
}

/** What a status query has stored of itself: its steps alone. */
export interface QueryStep {
  readonly state: null;
  readonly steps: readonly JournalStep[];
}

/** Who stands in a scope, as a look-up sees it. */
export type ScopeView =
  | { readonly kind: "free" }
  /** `leaseExpired`: its holder has vanished, recovery may take it. */
  | { readonly kind: "busy"; readonly facts: SettledFacts; readonly leaseExpired: boolean }
  | { readonly kind: "uncertain"; readonly facts: SettledFacts; readonly leaseExpired: boolean }
  | { readonly kind: "settled"; readonly facts: SettledFacts; readonly record: OutcomeRecord }
  | { readonly kind: "disputed"; readonly facts: SettledFacts };

/** The one decision that an intent rests on. */
export interface IntentApproval {
  readonly key: ApprovalKey;
  readonly approvalId: string;
  readonly approverId: string;
  /** Units: seconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** What is to be reserved before a tool may be started. */
export interface Intent {
  readonly hold: Hold;
  /** Null for a read, which reserves nothing. */
  readonly scope: ScopeKey | null;
  readonly statusRef: StatusRef | null;
  /** Null for a read, which a policy waived. */
  readonly approval: IntentApproval | null;
  readonly next: NextState;
  /** Units: milliseconds from now. */
  readonly leaseMs: number;
  /** Read inside the transaction. Units: seconds since the Unix epoch. */
  now(): number;
  /** Looked at inside the transaction. */
  interruption(): "deadline.passed" | "call.cancelled" | null;
}

/** A step that the approval of a call took inside a transaction. Names only, for whoever watches. */
export interface ApprovalStep {
  /** Null where the approval was opened by it. */
  readonly event: ApprovalEventType | null;
  readonly from: ApprovalState;
  readonly to: ApprovalState;
}

/** What a transaction did to the approval of its call; empty where nothing, or where the call has none. */
export interface ApprovalSteps {
  readonly approvalSteps: readonly ApprovalStep[];
}

/** What became of an intent. All but `recorded` reserved nothing. */
export type IntentAnswer =
  | ({ readonly kind: "recorded"; readonly hold: Hold } & ApprovalSteps)
  | { readonly kind: "scope"; readonly view: Exclude<ScopeView, { kind: "free" }> }
  | { readonly kind: "interrupted"; readonly event: "deadline.passed" | "call.cancelled" }
  | { readonly kind: "approval.spent" }
  | ({ readonly kind: "approval.expired" } & ApprovalSteps)
  | { readonly kind: "fenced" };

/** What is stored just before a tool is called. */
export interface StartMarker {
  readonly hold: Hold;
  /** The step's own time and the approval's expiry are looked at inside the transaction. */
  now(): number;
}

/** What became of a start marker. Nothing may be called unless it is `started`. */
export type StartAnswer =
  | ({ readonly kind: "started"; readonly hold: Hold } & ApprovalSteps)
  | { readonly kind: "approval.expired" }
  | { readonly kind: "fenced" };

/** The recorded effects of a step, and what they need. */
export interface StepRecord {
  readonly hold: Hold;
  readonly next: NextState;
  readonly at: number;
  readonly effects: readonly RecordedEffect[];
}

/** A recorded effect, with its order's details. */
export type RecordedEffect =
  | { readonly type: "settle" | "markUncertain" | "markDisputed" | "releaseScope" }
  | { readonly type: "requestApproval"; readonly key: ApprovalKey };

/** What became of a write to an attempt. `fenced`: somebody else holds it; `moved`: an earlier write of this holder is there. */
export type WriteAnswer =
  | ({ readonly kind: "stored"; readonly hold: Hold } & ApprovalSteps)
  | { readonly kind: "fenced" }
  | { readonly kind: "moved" };

/** An attempt as it is stored. */
export interface StoredAttempt {
  readonly hold: Hold;
  readonly state: OperationState;
  /** Of an attempt that has ended, only how: its call may have been let go of. An owner's has its record. */
  readonly context: OperationContext;
  /** Whether the start marker is there. */
  readonly started: boolean;
}

/** Attempts whose lease had run out, taken. */
export interface ExpiredLeases {
  readonly attempts: readonly StoredAttempt[];
  /** When the next lease runs out, those just taken included; null when none is held. Units: milliseconds from now. */
  readonly nextEndMs: number | null;
}

/** The owner behind a status_ref: who holds the scope now, else who was released last. */
export interface OwnerView extends StoredAttempt {
  readonly scope: ScopeKey;
  readonly facts: SettledFacts;
  /** Whether its outcome ever was in doubt. */
  readonly doubted: boolean;
  readonly leaseExpired: boolean;
}

/**
 * Where attempts, identities, scopes, approvals, doubt and the journal are kept. Every method is one transaction: all of
 * it or nothing. Drivers bound their own waiting; every method answers or throws.
 * Errors: whatever a driver throws counts as not known to be stored; the dispatcher reads again.
 */
export interface Ledger {
  /** Binds a provider call identity. The same fingerprint may claim it again. */
  claimIdentity(claim: IdentityClaim): Promise<{ readonly kind: "claimed" | "taken"; readonly hold: Hold }>;
  /** Who stands in the scope now. */
  lookUpScope(scope: ScopeKey): Promise<ScopeView>;
  /**
   * Waits until it is worth looking again: the scope is busy no more, and if it is free it is this attempt's turn; or who
   * holds it has vanished. Resolves also when the signal aborts, and takes no place in line once it has.
   */
  awaitScope(scope: ScopeKey, attemptId: AttemptId, signal: AbortSignal): Promise<void>;
  /** Gives up waiting and the turn, if the attempt had it. Never throws. */
  leaveScope(scope: ScopeKey, attemptId: AttemptId): void;
  /**
   * Looks the scope up once more; where an outcome is still open that is the waiter's own, marks doubt on the status_ref.
   * @param isOurs whether what was waited for is what holds the scope now. Pure; called inside the transaction.
   */
  expireWait(scope: ScopeKey, statusRef: StatusRef, isOurs: (facts: SettledFacts) => boolean): Promise<ScopeView>;
  /** Checks scope, interruption, approval and expiry in this order; if all hold, reserves and stores. */
  recordIntent(intent: Intent): Promise<IntentAnswer>;
  /** Stores that the tool is about to be called, and consumes the approval. */
  recordStart(marker: StartMarker): Promise<StartAnswer>;
  /** Stores a step and carries out its recorded effects. */
  recordStep(record: StepRecord): Promise<WriteAnswer>;
  /** Appends the end of a status query to its journal. */
  recordQueryEnd(attemptId: AttemptId, steps: readonly JournalStep[], at: number): Promise<void>;
  /** Null when there is none. */
  findOwner(statusRef: StatusRef): Promise<OwnerView | null>;
  /** Takes the lease of an owner by compare-and-set and stores the step; null when the owner has changed. */
  takeOwner(hold: Hold, next: NextState, at: number, leaseMs: number): Promise<Hold | null>;
  /** The outcome behind the handle may be asked about from now on. */
  markDoubt(statusRef: StatusRef): Promise<void>;
  /**
   * Takes attempts whose lease has run out, raising their fencing number; those that had begun are in doubt from then on.
   * @param leaseMs how long the new lease of one is. Pure; called inside the transaction.
   */
  takeExpired(at: number, leaseMs: (attempt: StoredAttempt) => number): Promise<ExpiredLeases>;
  /** Null when there is none. */
  readAttempt(attemptId: AttemptId): Promise<StoredAttempt | null>;
  /** The journal of one attempt or status query, oldest first. */
  journal(attemptId: AttemptId): Promise<readonly StoredEntry[]>;
  /** Checks every chain and every checkpoint. */
  verifyJournal(): Promise<JournalVerdict>;
}
