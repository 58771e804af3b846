import { type Answer, dispatching, querying, type World } from "./contract-model.ts";
import type { Step } from "./steps.ts";

/** What a caller was really told, or must be; null for a step that has no answer. */
export type Told = Answer | null;

/** Whether what was observed is what the model predicts. */
export type Fits = (predicted: Told, observed: Told, index: number) => boolean;

/** One round: what happened at the same time, and what its callers were told. */
export interface Round {
  readonly steps: readonly Step[];
  readonly told: readonly Told[];
  /** For each step, whether its time may have run out meanwhile. */
  readonly mayBeLate: readonly boolean[];
}

/** Which step goes on, and whether it is told that it is late. */
interface Move {
  readonly index: number;
  readonly late: boolean;
}

/**
 * Every world in which a round can have ended: empty if no order of the model's steps explains what was told.
 * Shape: schedules are tried depth first and given up at the first answer that does not fit.
 */
export function worldsThatExplain(before: World, round: Round, fits: Fits): World[] {
  const ends = new Map<string, World>();
  const seen = new Set<string>();
  const visit = (moves: readonly Move[]): void => {
    const reached = replay(before, round, moves, fits);
    if (reached === null) return;
    const { world, open } = reached;
    const progress = round.steps.map((_, index) => moves.filter((move) => move.index === index).length);
    const place = `${progress.join(" ")} of ${open.join(" ")} in ${textOf(world)}`;
    if (seen.has(place)) return;
    seen.add(place);
    if (open.length === 0) ends.set(textOf(world), world);
    // Until its first pause a call only reads its own input: no order among these moves makes a difference.
    const fresh = open.find((index) => progress[index] === 0 && round.steps[index]?.kind !== "order");
    for (const index of fresh === undefined ? open : [fresh]) {
      visit([...moves, { index, late: false }]);
      if (fresh === undefined && round.mayBeLate[index] === true) visit([...moves, { index, late: true }]);
    }
  };
  visit([]);
  return [...ends.values()];
}

/** Plays a schedule from the start. Null: an answer does not fit, or a move leads nowhere because its step still waits. */
function replay(
  before: World,
  { steps, told }: Round,
  moves: readonly Move[],
  fits: Fits,
): { readonly world: World; readonly open: readonly number[] } | null {
  const world = structuredClone(before);
  const runs = steps.map((step) => ({ generator: begin(world, step), waits: false, ended: false }));
  for (const { index, late } of moves) {
    const run = runs[index];
    const next = run?.generator.next(late);
    if (run === undefined || next === undefined) return null;
    if (next.done === true) {
      if (!fits(next.value, told[index] ?? null, index)) return null;
      run.ended = true;
    } else {
      if (run.waits && next.value === "waiting") return null;
      run.waits = next.value === "waiting";
    }
  }
  return { world, open: runs.flatMap(({ ended }, index) => (ended ? [] : [index])) };
}

function* begin(world: World, step: Step): Generator<"ready" | "waiting", Told, boolean> {
  if (step.kind === "dispatch") return yield* dispatching(world, step);
  if (step.kind === "query") return yield* querying(world, step);
  const order = world.orders.get(step.orderRef);
  if (order !== undefined) order.status = step.status;
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
