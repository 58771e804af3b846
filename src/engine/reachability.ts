import { NOT_STARTED_CODES, type RefusalCode } from "../errors/refusals.ts";
import type { Delivery } from "../protocol/result.ts";
import { codeOf, deliveryOf } from "./action-params.ts";
import type { ChangeOrder, TransitionTable } from "./compile.ts";

/** What a run can answer: a refusal code, or OK, and the delivery. A refusal is always delivered fresh. */
export type Answer = `${RefusalCode | "OK"}/${Delivery}`;

/** A state, and the answer that the run carries there. */
interface Place<State extends string> {
  readonly state: State;
  readonly answer: Answer | null;
}

type Answering<State extends string> = TransitionTable<State, string, string>;

/**
 * The answers with which a run can still end, or rest, from a state on, whatever is fed to it.
 * @param carried the answer that the run carries in that state, where it is known: an outcome in doubt rests with its own
 */
export function answersReachableFrom<State extends string>(
  table: Answering<State>,
  state: State,
  carried?: Answer | null,
): ReadonlySet<Answer> {
  const possible = placesFrom(table, [{ state: table.initial, answer: null }]);
  const starts = possible.filter(
    (place) => place.state === state && (carried === undefined || place.answer === carried),
  );
  const answers = new Set<Answer>();
  for (const { state: end, answer } of placesFrom(table, starts)) {
    if (answer !== null && table.resting.has(end)) answers.add(answer);
  }
  return answers;
}

function placesFrom<State extends string>(
  table: Answering<State>,
  starts: readonly Place<State>[],
): readonly Place<State>[] {
  const places = new Map<string, Place<State>>();
  const visit = (place: Place<State>) => places.set(`${place.state} ${place.answer}`, place);
  starts.forEach(visit);
  // A Map that grows while it is iterated is iterated to its end.
  for (const { state, answer } of places.values()) {
    for (const row of table.rows) {
      if (row.state !== state) continue;
      for (const next of answersAfter(row.changes, answer)) visit({ state: row.target, answer: next });
    }
  }
  return [...places.values()];
}

function answersAfter(changes: readonly ChangeOrder[], carried: Answer | null): readonly (Answer | null)[] {
  const answering = changes.findLast(({ type }) => type === "refuse" || type === "refuseAsTold" || type === "succeed");
  if (answering === undefined) return [carried];
  if (answering.type === "succeed") return [`OK/${deliveryOf(answering.params)}`];
  const codes = answering.type === "refuse" ? [codeOf(answering.params)] : NOT_STARTED_CODES;
  return codes.map((code): Answer => `${code}/fresh`);
}
