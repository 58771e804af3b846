import { CallgateError } from "../../errors/callgate-error.ts";
import { parseKept } from "../../json/parse.ts";
import type { SettledFacts } from "../../protocol/facts.ts";
import type { ApprovalKey, AttemptId, ScopeKey, StatusRef } from "../../protocol/ids.ts";
import type { OperationContext, OperationState } from "../../protocol/operation.ts";
import type { OutcomeRecord } from "../../protocol/result.ts";
import type { Hold, NextState, OwnerView, ScopeView, StoredAttempt } from "../ledger.ts";
import { Chain } from "./memory-journal.ts";

/** What a reservation holds. */
export interface Reserved {
  readonly scope: ScopeKey;
  readonly statusRef: StatusRef;
  readonly facts: SettledFacts;
}

/** The grant that a reservation holds, and until when it stands. */
export interface HeldGrant {
  readonly key: ApprovalKey;
  /** Units: seconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** What an ended attempt still knows beside its journal: how it ended, and nothing of its call. One for all that ended alike. */
const endings = new Map<string, OperationContext>();

function endingOf({ refusal, delivery }: OperationContext): OperationContext {
  const known = endings.get(`${refusal}/${delivery}`);
  if (known !== undefined) return known;
  const ending = { proposal: { name: "", arguments: null }, bound: null, refusal, delivery, record: null };
  endings.set(`${refusal}/${delivery}`, ending);
  return ending;
}

/**
 * One attempt in memory. What it holds is never handed out to be changed: contexts are made anew by every step. Once it has
 * ended it keeps little: a record is read back from the journal, which has it anyway.
 */
export class AttemptRow extends Chain {
  state: OperationState;
  context: OperationContext;
  version = 1;
  fencing = 1;
  started = false;
  /** On the host's monotonic clock; null while nobody needs one. */
  leaseUntilMs: number | null = null;
  reserved: Reserved | null = null;
  approval: HeldGrant | null = null;

  constructor(attemptId: AttemptId, next: NextState) {
    super(attemptId);
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

  /** Lets go of all that an ended attempt needs no more. */
  end(): void {
    this.context = endingOf(this.context);
    this.trim();
    this.approval = null;
  }

  /** The attempt as the contract of ledgers describes it. */
  stored(): StoredAttempt {
    return { hold: this.hold, state: this.state, context: this.context, started: this.started };
  }

  /** Whether its holder had its time and has not come back. */
  hasLostLease(nowMs: number): boolean {
    return this.leaseUntilMs !== null && this.leaseUntilMs <= nowMs;
  }

  /** The attempt as a status query sees it. Errors: LEDGER_CORRUPT. */
  asOwner({ scope, facts }: Reserved, doubted: boolean, nowMs: number): OwnerView {
    const stored = this.stored();
    const context = this.#isSettled ? { ...stored.context, record: this.#record() } : stored.context;
    return { ...stored, context, scope, facts, doubted, leaseExpired: this.hasLostLease(nowMs) };
  }

  /** How the scope that it owns looks to others. Errors: LEDGER_CORRUPT. */
  view({ facts }: Reserved, nowMs: number): ScopeView {
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
      case "receipt_reconciled":
        return { kind: "settled", facts, record: this.#record() };
      default:
        return { kind: "free" };
    }
  }

  get #isSettled(): boolean {
    return this.state === "fresh" || this.state === "receipt_reconciled";
  }

  /** The record of a settled attempt, as the last entry of its journal has it. */
  #record(): OutcomeRecord {
    const { detail } = parseKept(this.lastText()) as unknown as { readonly detail: { readonly record?: unknown } };
    const record = detail.record ?? null;
    if (record === null) throw new CallgateError("LEDGER_CORRUPT", { at: `attempt ${this.attemptId}` });
    return record as OutcomeRecord;
  }
}
