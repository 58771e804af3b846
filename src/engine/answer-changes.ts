import type { RefusalCode } from "../errors/refusals.ts";
import type { Delivery, OutcomeRecord } from "../protocol/result.ts";

/** The part of a context that holds the answer of a run. */
export interface AnswerContext {
  readonly refusal: RefusalCode | null;
  readonly delivery: Delivery | null;
  readonly record: OutcomeRecord | null;
}

/** The context of a run that answers no, or is in doubt. */
export function refused<Context extends AnswerContext>(context: Context, code: RefusalCode): Context {
  return { ...context, refusal: code, delivery: null, record: null };
}

/** The context of a run that succeeded; a doubt it had is over. */
export function succeeded<Context extends AnswerContext>(
  context: Context,
  delivery: Delivery,
  record: OutcomeRecord,
): Context {
  return { ...context, refusal: null, delivery, record };
}

/** What is thrown where the machine lets no such event come: a bug. */
export function eventBug(change: string): TypeError {
  return new TypeError(`${change} met an event that the machine does not send it`);
}
