import { compileMachine } from "../engine/compile.ts";
import { OPERATION } from "../engine/operation.ts";
import { answersReachableFrom, type Answer } from "../engine/reachability.ts";
import { STATUS_QUERY } from "../engine/status-query.ts";
import { canonicalize } from "../json/canonical.ts";
import type { ResultPackage } from "../protocol/result.ts";
import type { ScenarioAnswer } from "./document.ts";
import type { Lifecycle } from "./lifecycles.ts";
import type { Difference } from "./report.ts";

/** What a package and the world say that a step came to. */
export function answerIn({ model_result }: ResultPackage, sideEffectCount: number): ScenarioAnswer {
  const { status, data, error, execution } = model_result;
  return {
    code: error?.code ?? "OK",
    status,
    outcome: execution.outcome,
    recovery: error?.recovery ?? "none",
    delivery: execution.delivery,
    data,
    side_effect_count: sideEffectCount,
  };
}

/** The members in which an answer is not the expected one. */
export function differencesBetween(expected: ScenarioAnswer, received: ScenarioAnswer): readonly Difference[] {
  const members = Object.keys(expected) as (keyof ScenarioAnswer)[];
  return members
    .filter((member) => canonicalize(expected[member]) !== canonicalize(received[member]))
    .map((member) => ({ member, expected: expected[member], received: received[member] }));
}

/**
 * The first state of a lifecycle from which the expected code and delivery could no longer be reached in the machine;
 * null where they could be to the end.
 */
export function lostIn(lifecycle: Lifecycle, expected: ScenarioAnswer, received: ScenarioAnswer): string | null {
  const answer = answerOf(expected);
  const last = lifecycle.states.length - 1;
  const reachable = lifecycle.machine === "operation" ? operationAnswers : statusQueryAnswers;
  const lost = lifecycle.states.findIndex(
    // Until its last state a run carries no answer yet.
    (state, index) => !reachable(state, index === last ? answerOf(received) : null).has(answer),
  );
  return lifecycle.states[lost] ?? null;
}

function answerOf({ code, delivery }: ScenarioAnswer): Answer {
  return `${code}/${delivery}`;
}

function operationAnswers(state: string, carried: Answer | null): ReadonlySet<Answer> {
  return answersOf(compileMachine(OPERATION), state, carried);
}

function statusQueryAnswers(state: string, carried: Answer | null): ReadonlySet<Answer> {
  return answersOf(compileMachine(STATUS_QUERY), state, carried);
}

function answersOf<State extends string>(
  table: Parameters<typeof answersReachableFrom<State>>[0],
  name: string,
  carried: Answer | null,
): ReadonlySet<Answer> {
  const state = table.states.find((known) => known === name);
  if (state === undefined) throw new TypeError(`the machine ${table.name} has no state ${name}`);
  return answersReachableFrom(table, state, carried);
}
