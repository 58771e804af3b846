import { findValidApproval } from "../policy/approval.ts";
import { agreesUnknown } from "../policy/facts.ts";
import type { SettledFacts } from "../protocol/facts.ts";
import type { IntentApproval, ScopeView } from "../ledger/ledger.ts";
import type { OperationEffect } from "../protocol/effects.ts";
import type { ScopeKey, StatusRef } from "../protocol/ids.ts";
import type { OperationEvent } from "../protocol/operation.ts";
import { checkAccess, checkPrecondition } from "./checks.ts";
import { leaseMs, type House } from "./house.ts";
import type { InterruptionEvent } from "./interruption.ts";
import type { Answer, OperationRun } from "./operation-run.ts";
import { runTool } from "./run-tool.ts";
import { fromLedger, ledgerFailure } from "./writing.ts";

type AskedEffect = Exclude<
  OperationEffect,
  // Recorded with a step, told, or asked of an owner by a status query.
  "settle" | "markUncertain" | "markDisputed" | "releaseScope" | "requestApproval" | "declineQuery" | "fetchReceipt"
>;

/** How each asked effect is performed. `fenced`: somebody else holds the attempt. */
const PERFORMERS = {
  claimIdentity,
  authorize,
  lookUpScope,
  awaitScope,
  checkBusiness,
  findWaiver: () => answered({ type: "approval.waived" }),
  findApproval: (_house, run) => answered(presentedTo(run)),
  recordIntent,
  runTool,
} as const satisfies Record<AskedEffect, (house: House, run: OperationRun) => Promise<Answer | "fenced"> | Answer>;

/** Performs an asked effect; its answer is exactly one event. Errors: LEDGER_UNAVAILABLE. */
export async function perform(house: House, run: OperationRun, effect: OperationEffect): Promise<Answer | "fenced"> {
  if (!Object.hasOwn(PERFORMERS, effect)) throw new TypeError(`${effect} is not asked of a dispatch`);
  return PERFORMERS[effect as AskedEffect](house, run);
}

function answered(event: OperationEvent): Answer {
  return { event };
}

async function claimIdentity(house: House, run: OperationRun): Promise<Answer> {
  const { attemptId, bound, interruption, now } = run.parts;
  const eventFor = (kind: "claimed" | "taken") => ({ type: `identity.${kind}` }) as const;
  const raced = await interruption.race(async () => {
    await house.recoverFirst();
    return fromLedger(() =>
      house.ledger.claimIdentity({
        attemptId,
        purpose: "dispatch",
        identity: bound.identity,
        fingerprint: bound.fingerprint,
        at: now(),
        next: (kind) => run.toStore(run.foresee(eventFor(kind))),
      }),
    );
  });
  if (raced.kind === "interrupted") return answered({ type: raced.event });
  const event = eventFor(raced.value.kind);
  run.isStoredAhead(raced.value.hold, run.foresee(event).to);
  return answered(event);
}

async function authorize(house: House, run: OperationRun): Promise<Answer> {
  const said = await checkAccess(house, run.parts);
  if (said.kind === "interrupted") return answered({ type: said.event });
  if (said.kind === "granted") return answered({ type: "access.granted" });
  return { event: { type: "access.denied" }, ...(said.threw ? { failed: true } : {}) };
}

async function checkBusiness(house: House, run: OperationRun): Promise<Answer> {
  const said = await checkPrecondition(house, run.parts);
  if (said.kind === "interrupted") return answered({ type: said.event });
  if (said.kind === "granted") return answered({ type: "business.permitted" });
  return { event: { type: "business.refused" }, ...(said.threw ? { failed: true } : {}) };
}

async function lookUpScope(house: House, run: OperationRun): Promise<Answer> {
  const { scope } = scopeOf(run);
  const { interruption } = run.parts;
  const look = (): Promise<ScopeView> => fromLedger(() => house.ledger.lookUpScope(scope));
  const raced = await interruption.race(async () => {
    const view = await look();
    if (!("leaseExpired" in view) || !view.leaseExpired) return view;
    await house.recover();
    return look();
  });
  return answered(raced.kind === "interrupted" ? { type: raced.event } : scopeEvent(raced.value));
}

/** Waits for somebody else's run; then access and scope are looked at again. */
async function awaitScope(house: House, run: OperationRun): Promise<Answer> {
  const { scope } = scopeOf(run);
  const { attemptId, interruption } = run.parts;
  run.hasWaited = true;
  const waited = await interruption.race(() =>
    fromLedger(() => house.ledger.awaitScope(scope, attemptId, interruption.signal)),
  );
  if (waited.kind === "interrupted") return waitEnded(house, run, waited.event);
  const access = await authorize(house, run);
  if (isInterruption(access.event)) {
    const ended = await waitEnded(house, run, access.event.type);
    // Access was not granted again: what was settled meanwhile is not told.
    return ended.event.type === "scope.settled" ? access : ended;
  }
  const answer = access.event.type === "access.granted" ? await lookUpScope(house, run) : access;
  return isInterruption(answer.event) ? waitEnded(house, run, answer.event.type) : answer;
}

/** The deadline ends a wait: whoever is told that an outcome is open must be able to ask about it. */
async function waitEnded({ ledger }: House, run: OperationRun, interrupted: InterruptionEvent): Promise<Answer> {
  const { scope, statusRef } = scopeOf(run);
  const isOurs = (facts: SettledFacts): boolean => agreesUnknown(run.parts.bound.facts, facts);
  const view = await fromLedger(() => ledger.expireWait(scope, statusRef, isOurs));
  if (view.kind === "free") return answered({ type: interrupted });
  const isOpen = view.kind === "busy" || view.kind === "uncertain";
  return answered(isOpen && isOurs(view.facts) ? { type: "wait.expired" } : scopeEvent(view));
}

async function recordIntent(house: House, run: OperationRun): Promise<Answer | "fenced"> {
  const { bound, interruption, now } = run.parts;
  if (run.hold === null) throw new TypeError("an attempt without an identity got to its intent");
  const { hold } = run;
  const next = run.toStore(run.foresee({ type: "intent.recorded" }));
  const lease = leaseMs(house, run.parts.tool);
  const approval = approvalFor(house, run);
  try {
    const answer = await house.ledger.recordIntent({
      hold,
      scope: bound.scope,
      statusRef: bound.statusRef,
      approval,
      next,
      leaseMs: lease,
      now,
      interruption: () => interruption.event,
    });
    switch (answer.kind) {
      case "recorded":
        run.isStoredAhead(answer.hold, "executing");
        run.tellApproval(answer.approvalSteps);
        return answered({ type: "intent.recorded" });
      case "scope":
        return answered(scopeEvent(answer.view));
      case "interrupted":
        return answered({ type: answer.event });
      case "approval.expired":
        run.tellApproval(answer.approvalSteps);
        return answered({ type: answer.kind });
      case "approval.spent":
        return answered({ type: answer.kind });
      case "fenced":
        return "fenced";
    }
  } catch (cause) {
    // It may have been stored all the same. If it was, it counts; if that cannot be found out, nothing was started.
    house.recoverAfter(lease);
    const found = await fromLedger(() => house.ledger.readAttempt(hold.attemptId));
    if (found?.state !== "executing" || found.hold.fencing !== hold.fencing) throw ledgerFailure(cause);
    run.isStoredAhead(found.hold, "executing");
    return answered({ type: "intent.recorded" });
  }
}

/** The approval that carries the intent; null for a read, which a policy waived. */
function approvalFor(house: House, run: OperationRun): IntentApproval | null {
  const { bound, approvals, now, tool } = run.parts;
  if (bound.risk !== "write") return null;
  // Expired ones count here too: the ledger looks at the expiry last, and says so.
  const ground = { bound, now: 0, approvers: house.approvers, allowsSelfApproval: tool?.allowsSelfApproval === true };
  const approval = findValidApproval(approvals, { ...ground, now: now() }) ?? findValidApproval(approvals, ground);
  if (approval === null) throw new TypeError("a write without an approval got to its intent");
  return {
    key: run.approvalKey(),
    approvalId: approval.approval_id,
    approverId: approval.approver_id,
    expiresAt: approval.expires_at,
  };
}

function presentedTo(run: OperationRun): OperationEvent {
  const { presented, approvals, now } = run.parts;
  return presented === 0 ? { type: "approval.absent" } : { type: "approval.presented", approvals, now: now() };
}

function scopeEvent(view: ScopeView): OperationEvent {
  switch (view.kind) {
    case "free":
      return { type: "scope.free" };
    case "settled":
      return { type: "scope.settled", facts: view.facts, record: view.record };
    case "busy":
      return { type: "scope.busy", facts: view.facts };
    case "uncertain":
      return { type: "scope.uncertain", facts: view.facts };
    case "disputed":
      return { type: "scope.disputed", facts: view.facts };
  }
}

function scopeOf(run: OperationRun): { scope: ScopeKey; statusRef: StatusRef } {
  const { scope, statusRef } = run.parts.bound;
  if (scope === null || statusRef === null) throw new TypeError("a call without a scope got to its scope");
  return { scope, statusRef };
}

function isInterruption(event: OperationEvent): event is OperationEvent & { readonly type: InterruptionEvent } {
  return event.type === "deadline.passed" || event.type === "call.cancelled";
}
