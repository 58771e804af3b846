import type { OperationStep } from "../engine/operation.ts";
import { OPERATION_EFFECTS } from "../protocol/effects.ts";
import { leaseMs, type House } from "./house.ts";
import { perform } from "./operation-effects.ts";
import type { Answer, OperationRun } from "./operation-run.ts";
import { ledgerFailure, writeStep, type Written } from "./writing.ts";

/** How a drive ended: where the machine rests, or with an outcome that this run can no longer speak for. */
export type Driven = "rested" | "outcome_unknown";

/**
 * Feeds events until the machine rests: each asked effect is performed, and answered by the next event.
 * Errors: LEDGER_UNAVAILABLE where the ledger leaves no honest answer; INTERNAL for a bug.
 */
export async function drive(house: House, run: OperationRun, first: Answer | "fenced"): Promise<Driven> {
  let answer: Answer | "fenced" = first;
  for (;;) {
    if (answer === "fenced") return doubt(house, run, null);
    const step = run.foresee(answer.event);
    const asked = step.effects.find(({ type }) => OPERATION_EFFECTS[type].kind === "asked");
    if (asked === undefined) return rest(house, run, answer, step);
    run.adopt(step, answer);
    answer = await perform(house, run, asked.type);
  }
}

/** Stores the step that the machine rests with; it counts only when it is stored. */
async function rest(house: House, run: OperationRun, answer: Answer, step: OperationStep): Promise<Driven> {
  // A call that never got an identity leaves nothing behind; one whose identity was taken was stored as it was refused.
  if (run.hold === null || run.storedState === step.to) {
    run.adopt(step, answer);
    return "rested";
  }
  const written = await store(house, run, answer, step);
  switch (written.kind) {
    case "stored":
      return "rested";
    case "fenced":
      return doubt(house, run, null);
    case "overtaken":
      throw new TypeError(`a first step from ${run.state} was overtaken by one to ${written.state}`);
    case "unclear":
      house.recoverAfter(leaseMs(house, run.parts.tool));
      throw ledgerFailure(written.cause);
    case "not_stored":
      if (run.state !== "executing") throw ledgerFailure(written.cause);
      return loseOutcome(house, run, answer, step, written.cause);
  }
}

async function store(house: House, run: OperationRun, answer: Answer, step: OperationStep): Promise<Written> {
  if (run.hold === null) throw new TypeError("a step is to be stored of an attempt that is not");
  const written = await writeStep(house, run.state, {
    hold: run.hold,
    next: run.toStore(step, answer.failed),
    at: run.parts.now(),
    effects: run.recordedEffects(step),
  });
  if (written.kind === "stored") {
    run.adopt(step, answer);
    run.isStored(written.hold, step.to);
    run.tellApproval(written.approvalSteps);
  }
  return written;
}

/** What became of the tool is known here but could not be stored: the old state stands, and doubt is stored instead. */
async function loseOutcome(
  house: House,
  run: OperationRun,
  answer: Answer,
  step: OperationStep,
  cause: unknown,
): Promise<Driven> {
  const { event } = answer;
  if (event.type !== "outcome.lost") {
    const lost: Answer = {
      event: { type: "outcome.lost", answer: event.type === "tool.returned" ? event.answer : null },
    };
    const written = await store(house, run, lost, run.foresee(lost.event));
    if (written.kind === "stored") return "rested";
    if (written.kind === "overtaken" && written.state === step.to) {
      // The first write got there after all: it is an own step that is stored, and it counts.
      run.adopt(step, answer);
      run.isStored(written.hold, step.to);
      return "rested";
    }
  }
  house.recoverAfter(leaseMs(house, run.parts.tool));
  return doubt(house, run, cause);
}

/** This run writes no more events. It may say that the outcome is in doubt, once that can be asked about afterwards. */
async function doubt(house: House, run: OperationRun, cause: unknown): Promise<Driven> {
  const { statusRef } = run.parts.bound;
  if (statusRef === null) throw ledgerFailure(cause);
  try {
    await house.ledger.markDoubt(statusRef);
  } catch (error) {
    throw ledgerFailure(error);
  }
  return "outcome_unknown";
}
