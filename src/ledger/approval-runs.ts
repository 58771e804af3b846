import { approvalEngine } from "../engine/approval.ts";
import type { ApprovalContext, ApprovalEvent, ApprovalState } from "../protocol/approval-run.ts";
import type { AttemptId } from "../protocol/ids.ts";
import type { IntentApproval } from "./ledger.ts";

/** An approval as it is stored. */
export interface ApprovalRun {
  readonly state: ApprovalState;
  readonly context: ApprovalContext;
}

/** What becomes of a run when an intent asks for it; `run` is what to store, null when nothing changes. */
export type Reservation =
  | { readonly kind: "reserved"; readonly run: ApprovalRun }
  | { readonly kind: "spent" }
  | { readonly kind: "expired"; readonly run: ApprovalRun | null };

const engine = approvalEngine();

const NEW_RUN: ApprovalRun = {
  state: "requested",
  context: { approvalId: null, approverId: null, expiresAt: null, holder: null },
};

/** Opens a run for a decision to come; null when one is open already, or closed for good. */
export function requestRun(run: ApprovalRun | null): ApprovalRun | null {
  return run === null || run.state === "expired" ? NEW_RUN : null;
}

/** Reserves a run for the holder on the strength of a valid approval value. */
export function reserveRun(
  stored: ApprovalRun | null,
  approval: IntentApproval,
  holder: AttemptId,
  now: number,
): Reservation {
  let run = stored ?? NEW_RUN;
  if (run.state === "granted" && isExpired(run, now)) run = step(run, { type: "grant.expired" });
  if (run.state === "expired") run = NEW_RUN;
  if (run.state !== "requested" && run.state !== "granted") return { kind: "spent" };
  if (now >= approval.expiresAt) return { kind: "expired", run: expiredRun(stored, now) };
  if (run.state === "requested") {
    const { approvalId, approverId, expiresAt } = approval;
    run = step(run, { type: "request.granted", approvalId, approverId, expiresAt });
  }
  return { kind: "reserved", run: step(run, { type: "grant.reserved", holder }) };
}

/** The tool is about to be called. */
export function consumeRun(run: ApprovalRun): ApprovalRun {
  return step(run, { type: "grant.consumed" });
}

/** The tool is known not to have been started. */
export function releaseRun(run: ApprovalRun): ApprovalRun {
  return step(run, { type: "grant.released" });
}

function expiredRun(stored: ApprovalRun | null, now: number): ApprovalRun | null {
  if (stored === null || stored.state !== "granted" || !isExpired(stored, now)) return null;
  return step(stored, { type: "grant.expired" });
}

function isExpired(run: ApprovalRun, now: number): boolean {
  return run.context.expiresAt !== null && now >= run.context.expiresAt;
}

function step(run: ApprovalRun, event: ApprovalEvent): ApprovalRun {
  const stepped = engine.step(run.state, run.context, event);
  if (stepped.kind === "refused") throw new TypeError(`an approval in ${run.state} was fed ${event.type}`);
  return { state: stepped.to, context: stepped.context };
}
