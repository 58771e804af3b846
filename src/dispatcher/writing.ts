import { CallgateError } from "../errors/callgate-error.ts";
import type { ApprovalSteps, Hold, StartAnswer, StepRecord, StoredAttempt, WriteAnswer } from "../ledger/ledger.ts";
import type { OperationState } from "../protocol/operation.ts";
import type { House } from "./house.ts";

/**
 * What is known of a write after it was tried. `not_stored`: the old state stands, for certain. `unclear`: it could not
 * even be read again; only recovery will know.
 */
export type Written =
  /** The steps of an approval are known only where the write was answered. */
  | ({ readonly kind: "stored"; readonly hold: Hold } & ApprovalSteps)
  | { readonly kind: "fenced" }
  /** An earlier step of this holder, which seemed lost, got there after all and led to this state. */
  | { readonly kind: "overtaken"; readonly hold: Hold; readonly state: OperationState }
  | { readonly kind: "not_stored"; readonly cause: unknown }
  | { readonly kind: "unclear"; readonly cause: unknown };

/** What is known of a start marker after it was tried. */
export type Started = Exclude<StartAnswer, { kind: "started" }> | Exclude<Written, { kind: "overtaken" }>;

/**
 * Stores a step; where it is not certain whether it was stored, reads again, and an own step that is there counts.
 * @param from the state that the step leads away from
 */
export async function writeStep(house: House, from: OperationState, record: StepRecord): Promise<Written> {
  // A step that finds a start marker of its own holder writes once more, on top of it; but never on top of a later step.
  for (let hold = record.hold, tries = 0; ; tries += 1) {
    let answer: WriteAnswer | null = null;
    let cause: unknown = null;
    try {
      answer = await house.ledger.recordStep({ ...record, hold });
    } catch (error) {
      cause = error;
    }
    if (answer !== null && answer.kind !== "moved") return answer;
    const found = await readAgain(house, hold, (attempt) => attempt.state === record.next.state);
    if (found.kind !== "moved") return withCause(found, cause);
    if (found.state !== from) return { kind: "overtaken", hold: found.hold, state: found.state };
    if (tries > 0) return { kind: "unclear", cause };
    hold = found.hold;
  }
}

/** Stores the start marker; where it is not certain whether it was stored, reads again. */
export async function writeStart(house: House, hold: Hold, now: () => number): Promise<Started> {
  try {
    const answer = await house.ledger.recordStart({ hold, now });
    return answer.kind === "started" ? { ...answer, kind: "stored" } : answer;
  } catch (cause) {
    const found = await readAgain(house, hold, (attempt) => attempt.started);
    return found.kind === "moved" ? { kind: "unclear", cause } : withCause(found, cause);
  }
}

/** Asks the ledger. Errors: LEDGER_UNAVAILABLE for whatever it throws that has no code. */
export async function fromLedger<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw ledgerFailure(error);
  }
}

/** The failure that the host gets when the ledger did not do its part. */
export function ledgerFailure(cause: unknown): CallgateError {
  return cause instanceof CallgateError ? cause : new CallgateError("LEDGER_UNAVAILABLE", { cause });
}

type Found =
  | { readonly kind: "moved"; readonly hold: Hold; readonly state: OperationState }
  | Exclude<Written, { kind: "overtaken" }>;

async function readAgain(house: House, hold: Hold, isOwnStep: (attempt: StoredAttempt) => boolean): Promise<Found> {
  let attempt: StoredAttempt | null;
  try {
    attempt = await house.ledger.readAttempt(hold.attemptId);
  } catch (cause) {
    return { kind: "unclear", cause };
  }
  if (attempt === null) return { kind: "unclear", cause: null };
  if (attempt.hold.fencing !== hold.fencing) return { kind: "fenced" };
  if (attempt.hold.version === hold.version) return { kind: "not_stored", cause: null };
  const isNext = attempt.hold.version === hold.version + 1;
  if (isNext && isOwnStep(attempt)) return { kind: "stored", hold: attempt.hold, approvalSteps: [] };
  return { kind: "moved", hold: attempt.hold, state: attempt.state };
}

function withCause<Known extends Written>(written: Known, cause: unknown): Known {
  return written.kind === "not_stored" || written.kind === "unclear"
    ? { ...written, cause: cause ?? written.cause }
    : written;
}
