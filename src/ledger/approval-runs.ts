import { approvalEngine } from "../engine/approval.ts";
import type { ApprovalContext, ApprovalEvent, ApprovalState } from "../protocol/approval-run.ts";
import type { AttemptId } from "../protocol/ids.ts";
import type { ApprovalStep, IntentApproval } from "./ledger.ts";

/** An approval as it is stored. */
export interface ApprovalRun {
  readonly state: ApprovalState;
  readonly context: ApprovalContext;
}

/** A run that has changed: what to store, and the steps that it took. */
export interface ChangedRun {
  readonly run: ApprovalRun;
  readonly steps: readonly ApprovalStep[];
}

/** What becomes of a run when an intent asks for it; `changed` is null where nothing is to be stored. */
export type Reservation =
  | { readonly kind: "reserved"; readonly changed: ChangedRun }
  | { readonly kind: "spent" }
  | { readonly kind: "expired"; readonly changed: ChangedRun | null };

const engine = approvalEngine();

const NEW_RUN: ApprovalRun = {
  state: "requested",
  context: { approvalId: null, approverId: null, expiresAt: null, holder: null },
};

const OPENED: ChangedRun = {
  run: NEW_RUN,
  steps: [{ event: null, from: NEW_RUN.state, to: NEW_RUN.state }],
};

/** Opens a run for a decision to come; null when one is open already, or closed for good. */
export function requestRun(run: ApprovalRun | null): ChangedRun | null {
  return run === null || run.state === "expired" ? OPENED : null;
}

/** Reserves a run for the holder on the strength of a valid approval value. */
export function reserveRun(
  stored: ApprovalRun | null,
  approval: IntentApproval,
  holder: AttemptId,
  now: number,
): Reservation {
  let changed: ChangedRun = stored === null ? OPENED : { run: stored, steps: [] };
  if (changed.run.state === "granted" && isExpired(changed.run, now))
    changed = step(changed, { type: "grant.expired" });
  if (changed.run.state === "expired") changed = { run: NEW_RUN, steps: [...changed.steps, ...OPENED.steps] };
  const { state } = changed.run;
  if (state !== "requested" && state !== "granted") return { kind: "spent" };
  if (now >= approval.expiresAt) return { kind: "expired", changed: expiredRun(stored, now) };
  if (state === "requested") {
    const { approvalId, approverId, expiresAt } = approval;
    changed = step(changed, { type: "request.granted", approvalId, approverId, expiresAt });
  }
  return { kind: "reserved", changed: step(changed, { type: "grant.reserved", holder }) };
}

/** The tool is about to be called. */
export function consumeRun(run: ApprovalRun): ChangedRun {
  return step({ run, steps: [] }, { type: "grant.consumed" });
}

/** The tool is known not to have been started. */
export function releaseRun(run: ApprovalRun): ChangedRun {
  return step({ run, steps: [] }, { type: "grant.released" });
}

function expiredRun(stored: ApprovalRun | null, now: number): ChangedRun | null {
  if (stored === null || stored.state !== "granted" || !isExpired(stored, now)) return null;
  return step({ run: stored, steps: [] }, { type: "grant.expired" });
}

function isExpired(run: ApprovalRun, now: number): boolean {
  return run.context.expiresAt !== null && now >= run.context.expiresAt;
}

function step({ run, steps }: ChangedRun, event: ApprovalEvent): ChangedRun {
  const stepped = engine.step(run.state, run.context, event);
  if (stepped.kind === "refused") throw new TypeError(`an approval in ${run.state} was fed ${event.type}`);
  return {
    run: { state: stepped.to, context: stepped.context },
    steps: [...steps, { event: stepped.event, from: stepped.from, to: stepped.to }],
  };
}
