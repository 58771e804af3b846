import type { AcceptedSurvivor } from "./accepted.ts";
import type { MutantName, Status, TriedMutant } from "./report.ts";

/** What the tests of a room are worth. */
export interface Judgement {
  /** Mutants that a test noticed, or that never came to an end. */
  readonly noticed: number;
  /** How many of these were cut off by the clock. */
  readonly cutOff: number;
  /** Mutants with which a test file could not even be loaded: set aside, as Stryker does. */
  readonly unloadable: number;
  /** Survivors that are on the list. */
  readonly accepted: number;
  /** Survivors that are not. */
  readonly unaccepted: readonly TriedMutant[];
  /** Entries of the list that name no survivor, or more of them than there are. */
  readonly stale: readonly AcceptedSurvivor[];
  /** Units: per cent of noticed and survivors. */
  readonly rawScore: number;
  /** Units: per cent of noticed and unaccepted survivors. */
  readonly score: number;
}

const KIND = {
  Killed: "noticed",
  Timeout: "noticed",
  Survived: "survivor",
  NoCoverage: "survivor",
  RuntimeError: "unloadable",
  CompileError: "unloadable",
  Ignored: "ignored",
  Pending: "ignored",
} as const satisfies Record<Status, string>;

/** Counts what became of mutants, and compares the survivors with the list. */
export function judge(mutants: readonly TriedMutant[], list: readonly AcceptedSurvivor[]): Judgement {
  const left = new Map<string, number>();
  for (const entry of list) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + (entry.times ?? 1));

  const of = (kind: string): readonly TriedMutant[] => mutants.filter(({ status }) => KIND[status] === kind);
  const survivors = of("survivor");
  const unaccepted = survivors.filter((mutant) => {
    const times = left.get(keyOf(mutant)) ?? 0;
    if (times > 0) left.set(keyOf(mutant), times - 1);
    return times === 0;
  });
  const noticed = of("noticed").length;
  return {
    noticed,
    cutOff: mutants.filter(({ isCutOff }) => isCutOff).length,
    unloadable: of("unloadable").length,
    accepted: survivors.length - unaccepted.length,
    unaccepted,
    stale: list.filter((entry) => left.get(keyOf(entry)) !== 0),
    rawScore: percentage(noticed, survivors.length),
    score: percentage(noticed, unaccepted.length),
  };
}

function keyOf({ file, line, original, replacement }: MutantName): string {
  return JSON.stringify([file, line, original, replacement]);
}

function percentage(noticed: number, missed: number): number {
  return noticed + missed === 0 ? 100 : (100 * noticed) / (noticed + missed);
}
