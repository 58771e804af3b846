import { compileMachine } from "../engine/compile.ts";
import { OPERATION } from "../engine/operation.ts";
import { answersReachableFrom, type Answer } from "../engine/reachability.ts";
import { STATUS_QUERY } from "../engine/status-query.ts";
import { canonicalize } from "../json/canonical.ts";
import type { Place } from "../json/place.ts";
import type { ValidationError } from "../packages/validation-error.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { ResultPackage } from "../protocol/result.ts";
import type { GateAnswer, ScenarioAnswer } from "./document.ts";
import type { Lifecycle } from "./lifecycles.ts";
import type { Difference, StepFailure } from "./report.ts";

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

/** How often each tool has had its effect. */
export type EffectsByTool = Readonly<Record<string, number>>;

/** What there is to judge of one step. */
export interface Judged {
  readonly place: Place;
  readonly expected: ScenarioAnswer | GateAnswer;
  readonly received: ScenarioAnswer;
  /** Where effects are counted by tool. */
  readonly effectsByTool?: EffectsByTool;
  readonly lifecycle: Lifecycle;
  readonly validationErrors: readonly ValidationError[];
}

/** Why a step did not pass; null where its package validates and all members of its answer are as expected. */
export function failureOf(judged: Judged): StepFailure | null {
  const { place, expected, received, lifecycle, validationErrors } = judged;
  const differences = differencesIn(judged);
  if (differences.length === 0 && validationErrors.length === 0) return null;
  return { place, differences, lost_in: lostIn(lifecycle, expected, received) };
}

function differencesIn({ expected, received, effectsByTool = {} }: Judged): readonly Difference[] {
  if (!("side_effects" in expected)) return differencesBetween(expected, received);
  const { side_effects, ...answer } = expected;
  if (typeof side_effects === "number") {
    return differencesBetween({ ...answer, side_effect_count: side_effects }, received);
  }
  return differencesBetween(
    { ...answer, side_effects: withoutZeros(side_effects) },
    { ...received, side_effects: withoutZeros(effectsByTool) },
  );
}

type Compared = Readonly<Partial<Record<Difference["member"], JsonValue>>>;

function differencesBetween(expected: Compared, received: Compared): readonly Difference[] {
  const members = Object.keys(expected) as Difference["member"][];
  return members
    .map((member) => ({ member, expected: expected[member] ?? null, received: received[member] ?? null }))
    .filter((compared) => canonicalize(compared.expected) !== canonicalize(compared.received));
}

function withoutZeros(effects: EffectsByTool): EffectsByTool {
  return Object.fromEntries(Object.entries(effects).filter(([, count]) => count !== 0));
}

function lostIn(lifecycle: Lifecycle, expected: Judged["expected"], received: ScenarioAnswer): string | null {
  const answer = answerOf(expected);
  const last = lifecycle.states.length - 1;
  const reachable = lifecycle.machine === "operation" ? operationAnswers : statusQueryAnswers;
  const lost = lifecycle.states.findIndex(
    // Until its last state a run carries no answer yet.
    (state, index) => !reachable(state, index === last ? answerOf(received) : null).has(answer),
  );
  return lifecycle.states[lost] ?? null;
}

function answerOf({ code, delivery }: Pick<ScenarioAnswer, "code" | "delivery">): Answer {
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
