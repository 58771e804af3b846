import { approvalKey, approvalSubject } from "../../src/json/digests.ts";
import type { Hold, IntentApproval, Ledger, NextState, RecordedEffect } from "../../src/ledger/ledger.ts";
import type { BoundCall } from "../../src/protocol/bound-call.ts";
import type { Call } from "../../src/protocol/call.ts";
import type { AttemptId, ScopeKey, StatusRef } from "../../src/protocol/ids.ts";
import type { OperationContext, OperationState } from "../../src/protocol/operation.ts";
import type { OutcomeRecord } from "../../src/protocol/result.ts";
import { boundCall, READ, RECORDS, WRITE } from "../packages/sample-calls.ts";

/** When everything happens unless said otherwise. Units: seconds since the Unix epoch. */
export const NOW = 1_800_000_000;

/** How long leases are unless said otherwise. Units: milliseconds. */
export const LEASE_MS = 1_000;

/** What the sample write leaves behind. */
export const RECORD: OutcomeRecord = present(RECORDS[WRITE.name]);

/** An attempt id: 32 hex digits, counted. */
export function attemptId(number: number): AttemptId {
  return number.toString(16).padStart(32, "0") as AttemptId;
}

let drawn = 0xa000;

/** One attempt, driven step by step as the dispatcher would. */
export class Attempt {
  readonly id: AttemptId;
  readonly bound: BoundCall;
  readonly #ledger: Ledger;
  readonly #call: Call;
  hold: Hold;

  constructor(ledger: Ledger, change: Partial<Call> = {}) {
    drawn += 1;
    this.id = attemptId(drawn);
    this.#ledger = ledger;
    // Each has a call of its own in the one scope, unless said otherwise.
    this.#call = { ...WRITE, call_id: `call-${drawn}`, ...change };
    this.bound = boundCall(this.#call);
    this.hold = { attemptId: this.id, version: 0, fencing: 0 };
  }

  get scope(): ScopeKey {
    return present(this.bound.scope);
  }

  get statusRef(): StatusRef {
    return present(this.bound.statusRef);
  }

  /** A valid decision about this call. */
  get approval(): IntentApproval {
    const { executionContext: context, toolContract: contract, facts } = this.bound;
    const key = approvalKey(approvalSubject({ context, contract, requestSha256: facts.request_sha256 }));
    return { key, approvalId: "approval-1", approverId: "human-reviewer-1", expiresAt: NOW + 60 };
  }

  /** A state to be stored. */
  next(state: OperationState, change: Partial<OperationContext> = {}): NextState {
    const { name, arguments: args } = this.#call;
    const empty = { refusal: null, delivery: null, record: null };
    const context = { proposal: { name, arguments: args }, bound: this.bound, ...empty, ...change };
    return { state, context, steps: [{ event: `to.${state}`, state }] };
  }

  async claim(): Promise<"claimed" | "taken"> {
    const { identity, fingerprint } = this.bound;
    const next = (kind: "claimed" | "taken"): NextState => this.next(kind === "claimed" ? "identified" : "conflict");
    const claim = { attemptId: this.id, purpose: "dispatch", identity, fingerprint, at: NOW, next } as const;
    const { kind, hold } = await this.#ledger.claimIdentity(claim);
    this.hold = hold;
    return kind;
  }

  /** Shape: what of the intent differs from the usual. */
  async intend(change: Partial<Parameters<Ledger["recordIntent"]>[0]> = {}) {
    const { scope, statusRef } = this.bound;
    const answer = await this.#ledger.recordIntent({
      hold: this.hold,
      scope,
      statusRef,
      approval: scope === null ? null : this.approval,
      next: this.next("executing"),
      leaseMs: LEASE_MS,
      now: () => NOW,
      interruption: () => null,
      ...change,
    });
    if (answer.kind === "recorded") this.hold = answer.hold;
    return answer;
  }

  async start(now = NOW) {
    const answer = await this.#ledger.recordStart({ hold: this.hold, now: () => now });
    if (answer.kind === "started") this.hold = answer.hold;
    return answer;
  }

  async step(next: NextState, ...effects: readonly RecordedEffect[]) {
    const answer = await this.#ledger.recordStep({ hold: this.hold, next, at: NOW, effects });
    if (answer.kind === "stored") this.hold = answer.hold;
    return answer;
  }

  settle() {
    return this.step(this.next("fresh", { delivery: "fresh", record: RECORD }), { type: "settle" });
  }

  lose() {
    return this.step(this.next("unknown", { refusal: "OUTCOME_UNKNOWN" }), { type: "markUncertain" });
  }

  release() {
    return this.step(this.next("rejected", { refusal: "RATE_LIMIT" }), { type: "releaseScope" });
  }

  /** What of it is stored. */
  async stored() {
    return present(await this.#ledger.readAttempt(this.id));
  }

  /** What its journal says of each transaction. */
  async transactions(): Promise<string[]> {
    const entries = await this.#ledger.journal(this.id);
    return entries.map(({ text }) => (JSON.parse(text) as { transaction: string }).transaction);
  }
}

/** An attempt whose identity is claimed. */
export async function claimed(ledger: Ledger, change?: Partial<Call>): Promise<Attempt> {
  const attempt = new Attempt(ledger, change);
  await attempt.claim();
  return attempt;
}

/** An attempt that has reserved its scope. */
export async function executing(ledger: Ledger, change?: Partial<Call>): Promise<Attempt> {
  const attempt = await claimed(ledger, change);
  await attempt.intend();
  return attempt;
}

/** An attempt whose start marker is stored. */
export async function started(ledger: Ledger, change?: Partial<Call>): Promise<Attempt> {
  const attempt = await executing(ledger, change);
  await attempt.start();
  return attempt;
}

/** An attempt that reads, and its scope is none. */
export function reading(ledger: Ledger): Attempt {
  const { call_id: _, ...read } = READ;
  return new Attempt(ledger, read);
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new TypeError("something is missing that every attempt here has");
  return value;
}
