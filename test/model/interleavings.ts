import { dispatching, type Pause, querying } from "./contract-model.ts";
import type { Step } from "./steps.ts";
import { type Answer, changeOrder, type World } from "./world.ts";

/** What a caller was really told, or must be; null for a step that has no answer. */
export type Told = Answer | null;

/** An answer without how often the tool has run: callers at the same time look at different moments. */
export function withoutCount(answer: Told): Told {
  return answer === null || answer === "host error" ? answer : { ...answer, sideEffectCount: 0 };
}

/** Whether what was observed is what the model predicts. */
export type Fits = (predicted: Told, observed: Told, index: number) => boolean;

/** One round: what happened at the same time, and what its callers were told. */
export interface Round {
  readonly steps: readonly Step[];
  readonly told: readonly Told[];
  /** For each step, whether its time may have run out meanwhile. */
  readonly mayBeLate: readonly boolean[];
  /** How often the tool that writes has run by the end. */
  readonly runs: number;
}

/**
 * How many rounds, from the first on, some order of the model's steps explains: all of them, or up to the one whose
 * answers no order can give.
 */
export function explainedRounds(before: World, rounds: readonly Round[], fits: Fits): number {
  const [round, ...later] = rounds;
  if (round === undefined) return 0;
  let most = 0;
  for (const after of worldsThatExplain(before, round, fits)) {
    most = Math.max(most, 1 + explainedRounds(after, later, fits));
    if (most === rounds.length) break;
  }
  return most;
}

/** Which step goes on, and whether it is told that it is late. */
interface Move {
  readonly index: number;
  readonly late: boolean;
}

/**
 * Every world in which a round can have ended: none if no order of the model's steps explains what was told.
 * Shape: schedules are tried depth first and given up at the first answer that does not fit.
 */
function* worldsThatExplain(before: World, round: Round, fits: Fits): Generator<World> {
  const seen = new Set<string>();
  const untried: (readonly Move[])[] = [[]];
  for (let moves = untried.pop(); moves !== undefined; moves = untried.pop()) {
    const reached = replay(before, round, moves, fits);
    if (reached === null) continue;
    const { world, places } = reached;
    const position = `${places.join(", ")} in ${textOf(world)}`;
    if (seen.has(position)) continue;
    seen.add(position);
    const open = places.flatMap((place, index) => (place === "ended" ? [] : [index]));
    if (open.length === 0 && world.runs === round.runs) yield world;
    // Until its first pause a call only reads its own input: no order among these moves makes a difference.
    const fresh = open.find((index) => places[index] === "not begun" && round.steps[index]?.kind !== "order");
    for (const index of fresh === undefined ? open : [fresh]) {
      if (fresh === undefined && round.mayBeLate[index] === true) untried.push([...moves, { index, late: true }]);
      untried.push([...moves, { index, late: false }]);
    }
  }
}

/** Where a step is. */
type Place = Pause | "not begun" | "ended";

/** Plays a schedule from the start. Null: an answer does not fit, or a move leads nowhere because its step still waits. */
function replay(
  before: World,
  { steps, told }: Round,
  moves: readonly Move[],
  fits: Fits,
): { readonly world: World; readonly places: readonly Place[] } | null {
  const world = structuredClone(before);
  const runs = steps.map((step) => begin(world, step));
  const places = steps.map((): Place => "not begun");
  for (const { index, late } of moves) {
    const next = runs[index]?.next(late);
    if (next === undefined) return null;
    if (next.done === true && !fits(next.value, told[index] ?? null, index)) return null;
    const place = next.done === true ? "ended" : next.value;
    if (place === "waiting" && places[index] === "waiting") return null;
    places[index] = place;
  }
  return { world, places };
}

function* begin(world: World, step: Step): Generator<Pause, Told, boolean> {
  if (step.kind === "dispatch") return yield* dispatching(world, step);
  if (step.kind === "query") return yield* querying(world, step);
  changeOrder(world, step);
  return null;
}

function textOf(world: World): string {
  return JSON.stringify(world, (_, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(inOrder(value.keys()).map((key) => [key, value.get(key)]));
    return value instanceof Set ? inOrder(value.values()) : value;
  });
}

function inOrder(texts: Iterable<unknown>): string[] {
  return Array.from(texts, String).toSorted();
}
