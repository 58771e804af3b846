import { CallgateError } from "../../errors/callgate-error.ts";
import type { Host } from "../../host/host.ts";
import type { ApprovalKey, AttemptId, IdentityKey, ScopeKey, Sha256, StatusRef } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { consumeRun, releaseRun, requestRun, reserveRun, type ApprovalRun, type ChangedRun } from "../approval-runs.ts";
import type { JournalStep, JournalTransaction } from "../journal.ts";
import type {
  ApprovalStep,
  Hold,
  IdentityClaim,
  Intent,
  IntentAnswer,
  Ledger,
  NextState,
  RecordedEffect,
  ScopeView,
  StartAnswer,
  StartMarker,
  StepRecord,
  StoredAttempt,
  WriteAnswer,
} from "../ledger.ts";
import { AttemptRow, type Reserved } from "./attempt-row.ts";
import { Chain, MemoryJournal } from "./memory-journal.ts";
import { ScopeQueue } from "./scope-queue.ts";

const FREE: ScopeView = { kind: "free" };
const NO_STEPS: readonly ApprovalStep[] = [];

/**
 * A ledger in the memory of one process, gone with it. Each method runs to its end without giving way, so each is a
 * transaction; what it is given is checked before anything is changed.
 */
export function memoryLedger(host: Host): Ledger {
  const identities = new Map<IdentityKey, Sha256>();
  const owners = new Map<ScopeKey, AttemptRow>();
  const lastOwners = new Map<StatusRef, AttemptRow>();
  const doubts = new Set<StatusRef>();
  const approvals = new Map<ApprovalKey, ApprovalRun>();
  const queues = new Map<ScopeKey, ScopeQueue>();
  const leased = new Set<AttemptRow>();
  const journal = new MemoryJournal<AttemptRow>();

  const append = (
    chain: Chain,
    transaction: JournalTransaction,
    at: number,
    steps: readonly JournalStep[],
    detail: JsonObject = {},
  ): void => {
    journal.append(chain, { transaction, at, steps, detail });
  };

  const attemptOf = (attemptId: AttemptId): AttemptRow | undefined => {
    const chain = journal.chainOf(attemptId);
    return chain instanceof AttemptRow ? chain : undefined;
  };

  const viewOf = (scope: ScopeKey): ScopeView => {
    const owner = owners.get(scope);
    return owner?.reserved?.scope === scope ? owner.view(owner.reserved, host.monotonicMs()) : FREE;
  };

  const lease = (row: AttemptRow, leaseMs: number | null): void => {
    row.leaseUntilMs = leaseMs === null ? null : host.monotonicMs() + leaseMs;
    if (leaseMs === null) leased.delete(row);
    else leased.add(row);
  };

  const whenLeaseEnds = (scope: ScopeKey, callback: () => void): (() => void) => {
    const endMs = owners.get(scope)?.leaseUntilMs ?? null;
    return endMs === null ? () => undefined : host.after(endMs - host.monotonicMs() + 1, callback, false);
  };

  const wakeWaiters = (scope: ScopeKey): void => {
    const queue = queues.get(scope);
    if (queue === undefined) return;
    const { kind } = viewOf(scope);
    if (kind === "free") queue.letNextOn();
    else if (kind !== "busy") queue.letAllOn();
    if (queue.isEmpty) queues.delete(scope);
  };

  const keepApproval = (key: ApprovalKey, changed: ChangedRun | null): readonly ApprovalStep[] => {
    if (changed === null) return NO_STEPS;
    approvals.set(key, changed.run);
    return changed.steps;
  };

  const returnApproval = (row: AttemptRow): readonly ApprovalStep[] => {
    if (row.approval === null) return NO_STEPS;
    const { key } = row.approval;
    row.approval = null;
    const run = approvals.get(key);
    return keepApproval(key, run !== undefined && run.context.holder === row.attemptId ? releaseRun(run) : null);
  };

  const consumedBy = (key: ApprovalKey): ChangedRun => {
    const run = approvals.get(key);
    if (run === undefined) throw new TypeError("an attempt holds a grant that is not kept");
    return consumeRun(run);
  };

  const carryOut = (row: AttemptRow, effect: RecordedEffect): readonly ApprovalStep[] => {
    switch (effect.type) {
      case "settle":
      case "markDisputed":
        return NO_STEPS;
      case "markUncertain":
        if (row.reserved !== null) doubts.add(row.reserved.statusRef);
        return NO_STEPS;
      case "releaseScope":
        if (row.reserved !== null) owners.delete(row.reserved.scope);
        return returnApproval(row);
      case "requestApproval":
        return keepApproval(effect.key, requestRun(approvals.get(effect.key) ?? null));
    }
  };

  return {
    async claimIdentity(claim: IdentityClaim) {
      // An id that stands for another run would give one run's rights to the other.
      if (journal.chainOf(claim.attemptId) !== null) throw new CallgateError("RANDOMNESS_INVALID");
      const known = identities.get(claim.identity);
      const kind = known === undefined || known === claim.fingerprint ? "claimed" : "taken";
      const next = claim.next(kind);
      const detail = { fingerprint: claim.fingerprint, identity: claim.identity, purpose: claim.purpose };
      if (next.state === null) {
        const chain = new Chain(claim.attemptId);
        append(chain, "identity", claim.at, next.steps, detail);
        if (kind === "claimed") identities.set(claim.identity, claim.fingerprint);
        return { kind, hold: { attemptId: claim.attemptId, version: 1, fencing: 1 } };
      }
      const row = new AttemptRow(claim.attemptId, next);
      append(row, "identity", claim.at, next.steps, detail);
      if (kind === "taken") row.end();
      if (kind === "claimed") identities.set(claim.identity, claim.fingerprint);
      return { kind, hold: row.hold };
    },

    async lookUpScope(scope) {
      return viewOf(scope);
    },

    async awaitScope(scope, attemptId, signal) {
      if (signal.aborted) return;
      const queue = queues.get(scope) ?? new ScopeQueue();
      queues.set(scope, queue);
      queue.join(attemptId);
      while (!signal.aborted && queue.has(attemptId)) {
        const view = viewOf(scope);
        if (view.kind === "free" ? queue.takeTurn(attemptId) : view.kind !== "busy" || view.leaseExpired) return;
        const stopAlarm = whenLeaseEnds(scope, () => {
          queue.wake(attemptId);
        });
        await queue.sleep(attemptId, signal);
        stopAlarm();
      }
    },

    leaveScope(scope, attemptId) {
      queues.get(scope)?.leave(attemptId);
      wakeWaiters(scope);
    },

    async expireWait(scope, statusRef, isOurs) {
      const view = viewOf(scope);
      if ((view.kind === "busy" || view.kind === "uncertain") && isOurs(view.facts)) doubts.add(statusRef);
      return view;
    },

    async recordIntent(intent: Intent): Promise<IntentAnswer> {
      const row = attemptOf(intent.hold.attemptId);
      if (row?.check(intent.hold) !== "held") return { kind: "fenced" };
      const view = intent.scope === null ? FREE : viewOf(intent.scope);
      if (view.kind !== "free") return { kind: "scope", view };
      const event = intent.interruption();
      if (event !== null) return { kind: "interrupted", event };
      const now = intent.now();
      const { approval } = intent;
      const asked =
        approval === null ? null : reserveRun(approvals.get(approval.key) ?? null, approval, row.attemptId, now);
      if (asked?.kind === "spent") return { kind: "approval.spent" };
      if (approval !== null && asked?.kind === "expired")
        return { kind: "approval.expired", approvalSteps: keepApproval(approval.key, asked.changed) };
      const reserved = reservedBy(intent);
      append(row, "reservation", now, intent.next.steps, reservationDetail(intent));
      let approvalSteps = NO_STEPS;
      if (approval !== null && asked?.kind === "reserved") {
        approvalSteps = keepApproval(approval.key, asked.changed);
        row.approval = { key: approval.key, expiresAt: approval.expiresAt };
      }
      row.reserved = reserved;
      const hold = row.store(intent.next);
      lease(row, intent.leaseMs);
      if (row.reserved !== null) {
        owners.set(row.reserved.scope, row);
        lastOwners.set(row.reserved.statusRef, row);
        queues.get(row.reserved.scope)?.reserved(row.attemptId);
      }
      return { kind: "recorded", hold, approvalSteps };
    },

    async recordStart(marker: StartMarker): Promise<StartAnswer> {
      const row = attemptOf(marker.hold.attemptId);
      if (row?.check(marker.hold) !== "held") return { kind: "fenced" };
      const now = marker.now();
      if (row.approval !== null) {
        if (now >= row.approval.expiresAt) return { kind: "approval.expired" };
      }
      const consumed = row.approval === null ? null : consumedBy(row.approval.key);
      append(row, "start", now, []);
      const approvalSteps = row.approval === null ? NO_STEPS : keepApproval(row.approval.key, consumed);
      row.started = true;
      row.version += 1;
      return { kind: "started", hold: row.hold, approvalSteps };
    },

    async recordStep({ hold, next, at, effects }: StepRecord): Promise<WriteAnswer> {
      const row = attemptOf(hold.attemptId);
      const check = row?.check(hold) ?? "fenced";
      if (row === undefined || check === "fenced") return { kind: "fenced" };
      if (check === "moved") return { kind: "moved" };
      append(row, transactionOf(effects, next), at, next.steps, outcomeDetail(next));
      const approvalSteps = effects.flatMap((effect) => carryOut(row, effect));
      const stored = row.store(next);
      lease(row, null);
      if (next.state !== "unknown") row.end();
      if (row.reserved !== null) {
        if (next.state === "unknown") doubts.add(row.reserved.statusRef);
        wakeWaiters(row.reserved.scope);
      }
      return { kind: "stored", hold: stored, approvalSteps };
    },

    async recordQueryEnd(attemptId, steps, at) {
      const chain = journal.chainOf(attemptId);
      if (chain !== null) append(chain, "end", at, steps);
    },

    async findOwner(statusRef) {
      const row = lastOwners.get(statusRef);
      if (row?.reserved == null) return null;
      return row.asOwner(row.reserved, doubts.has(statusRef), host.monotonicMs());
    },

    async takeOwner(hold: Hold, next: NextState, at: number, leaseMs: number) {
      const row = attemptOf(hold.attemptId);
      if (row?.check(hold) !== "held") return null;
      append(row, "query", at, next.steps);
      row.fencing += 1;
      lease(row, leaseMs);
      return row.store(next);
    },

    async markDoubt(statusRef) {
      doubts.add(statusRef);
    },

    async takeExpired(at, leaseMs) {
      const nowMs = host.monotonicMs();
      const taken: StoredAttempt[] = [];
      for (const row of [...leased]) {
        if (!row.hasLostLease(nowMs)) continue;
        const newLeaseMs = leaseMs(row.stored());
        append(row, "recovery", at, []);
        if (row.reserved !== null && row.state === "executing") doubts.add(row.reserved.statusRef);
        lease(row, newLeaseMs);
        row.fencing += 1;
        row.version += 1;
        taken.push(row.stored());
      }
      const ends = [...leased].map(({ leaseUntilMs }) => leaseUntilMs ?? Infinity);
      return { attempts: taken, nextEndMs: ends.length === 0 ? null : Math.min(...ends) - nowMs };
    },

    async readAttempt(attemptId) {
      return attemptOf(attemptId)?.stored() ?? null;
    },

    async journal(attemptId) {
      return journal.chainOf(attemptId)?.entries() ?? [];
    },

    async verifyJournal() {
      return journal.verify();
    },
  };
}

function reservedBy({ scope, statusRef, next }: Intent): Reserved | null {
  if (scope === null) return null;
  const facts = next.context.bound?.facts;
  if (statusRef === null || facts === undefined)
    throw new TypeError("a scope is reserved for a call that was never bound");
  return { scope, statusRef, facts };
}

function reservationDetail({ scope, statusRef, approval }: Intent): JsonObject {
  return {
    approval:
      approval === null
        ? null
        : {
            approval_id: approval.approvalId,
            approver_id: approval.approverId,
            expires_at: approval.expiresAt,
            key: approval.key,
          },
    scope,
    status_ref: statusRef,
  };
}

function outcomeDetail({ context }: NextState): JsonObject {
  return {
    delivery: context.delivery,
    record: context.record === null ? null : { ...context.record },
    refusal: context.refusal,
  };
}

function transactionOf(effects: readonly RecordedEffect[], next: NextState): JournalTransaction {
  for (const { type } of effects) {
    if (type === "settle") return "settlement";
    if (type === "markDisputed") return "dispute";
    if (type === "releaseScope") return "release";
    if (type === "markUncertain") return "uncertainty";
  }
  return next.state === "unknown" ? "uncertainty" : "end";
}
