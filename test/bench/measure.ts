/** One line of the benchmark. */
export interface BenchRow {
  readonly name: string;
  /** Units: operations a second; for memory, bytes an operation. */
  readonly rate: number;
  /** Time (or size) of this, by that of its floor in the same run. Null where there is no floor. */
  readonly ratio: number | null;
}

/** One thing that is timed: a batch of so many operations. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

/** A fresh set of contenders for one round; the first is the product, the second its floor. */
export type Round = () => Promise<{ readonly operations: number; readonly contenders: readonly Contender[] }>;

/**
 * Times contenders against one another: in each round all of them, one after the other, so that what else the machine does
 * falls on all alike. The median of the rounds counts; the first rounds only warm up.
 */
export async function race(round: Round, rounds: number, warmUps = 2): Promise<BenchRow[]> {
  const times: number[][] = [];
  const ratios: number[][] = [];
  let names: readonly string[] = [];
  let perRound = 0;
  for (let index = -warmUps; index < rounds; index += 1) {
    const { operations, contenders } = await round();
    perRound = operations;
    names = contenders.map(({ name }) => name);
    const elapsed: number[] = [];
    for (const contender of contenders) {
      const startedMs = performance.now();
      await contender.run();
      elapsed.push(performance.now() - startedMs);
    }
    if (index < 0) continue;
    elapsed.forEach((ms, at) => {
      (times[at] ??= []).push(ms);
      (ratios[at] ??= []).push(ms / (elapsed[1] ?? Number.NaN));
    });
  }
  return names.map((name, at) => ({
    name,
    rate: (1000 * perRound) / median(times[at] ?? []),
    ratio: names.length < 2 ? null : median(ratios[at] ?? []),
  }));
}

/** The value in the middle. */
function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
