import type { OperationStep } from "../engine/operation.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { Hold, OwnerView } from "../ledger/ledger.ts";
import type { OperationContext, OperationEvent, OperationState } from "../protocol/operation.ts";
import type { StatusQueryEvent } from "../protocol/status-query.ts";
import { copyAnswer } from "../tools/copy-answer.ts";
import { diagnose, faultOfLateness, faultOfThrown } from "./diagnostic.ts";
import { faultOfStep } from "./explain.ts";
import { leaseMs, tell, type House } from "./house.ts";
import { runNotice } from "./observer.ts";
import { journalled, type Answer } from "./operation-run.ts";
import type { QueryRun } from "./query-status.ts";
import { fromLedger, ledgerFailure, writeStep } from "./writing.ts";

const UNAVAILABLE: Answer = { event: { type: "receipt.unavailable" } };

/**
 * Asks the owner behind a status_ref what became of it. One in doubt is stepped by the query, under a lease of its own,
 * and the receipt is fetched; any other is only read.
 * Errors: LEDGER_UNAVAILABLE.
 */
export async function askOwner(house: House, run: QueryRun): Promise<StatusQueryEvent> {
  const { interruption, context } = run;
  const raced = await interruption.race(() =>
    fromLedger(async () => {
      const found = await house.ledger.findOwner(context.statusRef);
      if (found?.state === "executing") await house.ledger.markDoubt(context.statusRef);
      return found;
    }),
  );
  if (raced.kind === "interrupted") return { type: "owner.uncertain" };
  const owner = raced.value;
  if (owner === null) return { type: "owner.released" };
  return owner.state === "unknown" ? settleByReceipt(house, run, owner) : restingEvent(owner.state, owner);
}

/** What a query is told of an owner that rests. */
function restingEvent(
  state: OperationState,
  { facts, context: { record } }: Pick<OwnerView, "facts" | "context">,
): StatusQueryEvent {
  if (state === "receipt_reconciled" && record !== null) return { type: "owner.reconciled", facts, record };
  if (state === "fresh" && record !== null) return { type: "owner.settled", facts, record };
  if (state === "conflict") return { type: "owner.disputed" };
  return state === "rejected" ? { type: "owner.released" } : { type: "owner.uncertain" };
}

async function settleByReceipt(house: House, run: QueryRun, owner: OwnerView): Promise<StatusQueryEvent> {
  const { statusRef, expectedRequestSha256 } = run.context;
  const { scope, facts } = run.bound;
  const queried = foresee(house, owner.state, owner.context, {
    type: "status.queried",
    query: { scope, statusRef, expectedRequestSha256, facts },
  });
  // The owner repeats the comparison that the query made; if it has changed in between, nothing is written to it.
  if (queried.to !== "querying") return { type: "owner.disputed" };
  const lease = leaseMs(house, run.tool);
  let taken: Hold | null;
  try {
    const next = { state: queried.to, context: queried.context, steps: [journalled(queried, undefined)] };
    taken = await house.ledger.takeOwner(owner.hold, next, run.now(), lease);
  } catch (error) {
    // It may have been taken all the same; then nobody asks under that lease, and recovery gives it back.
    house.recoverAfter(lease);
    throw ledgerFailure(error);
  }
  if (taken === null) return { type: "owner.uncertain" };
  report(house, run, owner, queried);
  return answerWith(house, run, owner, taken, queried.context, await fetchReceipt(house, run, owner));
}

async function answerWith(
  house: House,
  run: QueryRun,
  owner: OwnerView,
  hold: Hold,
  context: OperationContext,
  receipt: Answer,
): Promise<StatusQueryEvent> {
  const tried: { readonly step: OperationStep; readonly failed: true | undefined }[] = [];
  const { tool } = run;
  const { bound } = owner.context;
  // If what the receipt says cannot be stored, it is as if it could not be had; if even that cannot, recovery says it.
  for (const { event, failed } of [receipt, UNAVAILABLE]) {
    const step = foresee(house, "querying", context, event);
    tried.push({ step, failed });
    const written = await writeStep(house, "querying", {
      hold,
      next: { state: step.to, context: step.context, steps: [journalled(step, failed)] },
      at: run.now(),
      effects: step.effects.flatMap(({ type }) => (type === "settle" || type === "markDisputed" ? [{ type }] : [])),
    });
    if (written.kind === "fenced") return { type: "owner.uncertain" };
    // What was stored is this step, or one tried before that got there after all.
    const reached = written.kind === "overtaken" ? written.state : written.kind === "stored" ? step.to : null;
    const counts = tried.findLast(({ step: { to } }) => to === reached);
    if (counts !== undefined) {
      const { refusal } = counts.step.context;
      if (bound !== null) {
        const ground = { tool, bound, proposal: owner.context.proposal };
        diagnose(house.onDiagnostic, run, () => faultOfStep(ground, refusal, receipt.event));
      }
      report(house, run, owner, counts.step, counts.failed);
      return restingEvent(counts.step.to, { facts: owner.facts, context: counts.step.context });
    }
  }
  house.recoverAfter(leaseMs(house, run.tool));
  return { type: "owner.uncertain" };
}

/** What downstream has kept, copied into plain data. The tool is handed handles only, never our own record. */
async function fetchReceipt({ onDiagnostic }: House, run: QueryRun, owner: OwnerView): Promise<Answer> {
  const { tool, interruption } = run;
  const { bound } = owner.context;
  if (tool === null || tool.queryReceipt === null || bound === null) return UNAVAILABLE;
  const { queryReceipt } = tool;
  const { principal, executionContext, statusRef } = bound;
  const idempotencyKey = executionContext.idempotency_key;
  if (statusRef === null || idempotencyKey === null) return UNAVAILABLE;
  try {
    const raced = await interruption.race(() =>
      queryReceipt({
        statusRef,
        idempotencyKey,
        principal,
        get signal() {
          return interruption.signal;
        },
      }),
    );
    if (raced.kind === "interrupted") {
      diagnose(onDiagnostic, run, () => faultOfLateness("queryReceipt", raced.event));
      return UNAVAILABLE;
    }
    // A look-up that finds nothing says so in either way.
    if (raced.value === null || raced.value === undefined) return { event: { type: "receipt.absent" } };
    return { event: { type: "receipt.found", receipt: copyAnswer(raced.value) } };
  } catch (error) {
    diagnose(onDiagnostic, run, () => faultOfThrown("queryReceipt", error));
    return { ...UNAVAILABLE, failed: true };
  }
}

function foresee(house: House, state: OperationState, context: OperationContext, event: OperationEvent): OperationStep {
  const step = house.operation.step(state, context, event);
  if (step.kind === "refused") throw new CallgateError("INTERNAL", { detail: `${step.code} in ${state}` });
  return step;
}

function report(house: House, { attemptId }: QueryRun, owner: OwnerView, step: OperationStep, failed?: true): void {
  const watched = { machine: "operation", run: owner.hold.attemptId, source: attemptId } as const;
  tell(house, () => runNotice(watched, owner.context.bound, step, failed === true));
}
