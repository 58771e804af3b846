import type { SettledFacts } from "../../protocol/facts.ts";
import type { ApprovalKey, AttemptId, ScopeKey, StatusRef } from "../../protocol/ids.ts";
import type { OperationContext, OperationState } from "../../protocol/operation.ts";
import { EMPTY_CHAIN, type ChainHead, type StoredEntry } from "../journal.ts";
import type { Hold, NextState, OwnerView, ScopeView, StoredAttempt } from "../ledger.ts";

/** What a reservation holds. */
export interface Reserved {
  readonly scope: ScopeKey;
  readonly statusRef: StatusRef;
  readonly facts: SettledFacts;
}

/** One attempt in memory. What it holds is never handed out to be changed: contexts are made anew by every step. */
export class AttemptRow {
  readonly attemptId: AttemptId;
  readonly entries: StoredEntry[] = [];
  head: ChainHead = EMPTY_CHAIN;
  state: OperationState;
  context: OperationContext;
  version = 1;
  fencing = 1;
  started = false;
  /** On the host's monotonic clock; null while nobody needs one. */
  leaseUntilMs: number | null = null;
  reserved: Reserved | null = null;
  /** The grant it holds, and until when it stands. */
  approval: { readonly key: ApprovalKey; readonly expiresAt: number } | null = null;

  constructor(attemptId: AttemptId, next: NextState) {
    this.attemptId = attemptId;
    this.state = next.state;
    this.context = next.context;
  }

  get hold(): Hold {
    return { attemptId: this.attemptId, version: this.version, fencing: this.fencing };
  }

  /** Whether a writer still may write. */
  check(hold: Hold): "held" | "fenced" | "moved" {
    if (hold.fencing !== this.fencing) return "fenced";
    return hold.version === this.version ? "held" : "moved";
  }

  /** Stores a state; the writer's next hold. */
  store(next: Pick<NextState, "state" | "context">): Hold {
    this.state = next.state;
    this.context = next.context;
    this.version += 1;
    return this.hold;
  }

  /** The attempt as the contract of ledgers describes it. */
  stored(): StoredAttempt {
    return { hold: this.hold, state: this.state, context: this.context, started: this.started };
  }

  /** Whether its holder had its time and has not come back. */
  hasLostLease(nowMs: number): boolean {
    return this.leaseUntilMs !== null && this.leaseUntilMs <= nowMs;
  }

  /** The attempt as a status query sees it. */
  asOwner(reserved: Reserved, doubted: boolean, nowMs: number): OwnerView {
    const { scope, facts } = reserved;
    return { ...this.stored(), scope, facts, doubted, leaseExpired: this.hasLostLease(nowMs) };
  }

  /** How the scope that it owns looks to others. */
  view(reserved: Reserved, nowMs: number): ScopeView {
    const { facts } = reserved;
    const leaseExpired = this.hasLostLease(nowMs);
    switch (this.state) {
      case "executing":
        return { kind: "busy", facts, leaseExpired };
      case "unknown":
      case "querying":
        return { kind: "uncertain", facts, leaseExpired };
      case "conflict":
        return { kind: "disputed", facts };
      case "fresh":
      case "receipt_reconciled": {
        const { record } = this.context;
        if (record === null) throw new TypeError("a settled owner has no record");
        return { kind: "settled", facts, record };
      }
      default:
        return { kind: "free" };
    }
  }
}
