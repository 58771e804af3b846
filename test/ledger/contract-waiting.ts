import { expect } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { type Attempt, claimed, executing, LEASE_MS, NOW, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

/** Those who wait in one scope, in the order in which they came, and who of them has been let on. */
class Line {
  readonly on: number[] = [];
  readonly attempts: Attempt[] = [];
  readonly #ledger: Ledger;
  readonly #callers: AbortController[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async join(): Promise<void> {
    const attempt = await claimed(this.#ledger);
    const caller = new AbortController();
    const place = this.attempts.push(attempt) - 1;
    this.#callers.push(caller);
    void this.wait(place);
    await pause();
  }

  async wait(place: number): Promise<void> {
    const [attempt, caller] = [this.attempts[place], this.#callers[place]];
    if (attempt === undefined || caller === undefined) throw new TypeError("nobody stands there");
    await this.#ledger.awaitScope(attempt.scope, attempt.id, caller.signal);
    this.on.push(place);
  }

  abort(place: number): void {
    this.#callers[place]?.abort();
  }

  leave(place: number): void {
    const attempt = this.attempts[place];
    if (attempt !== undefined) this.#ledger.leaveScope(attempt.scope, attempt.id);
  }
}

/** Long enough for whoever is let on to go on. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function lineBehind(ledger: Ledger, length: number): Promise<{ readonly first: Attempt; readonly line: Line }> {
  const first = await started(ledger);
  const line = new Line(ledger);
  for (let place = 0; place < length; place += 1) await line.join();
  expect(line.on).toEqual([]);
  return { first, line };
}

function outcomeCase(end: "settle" | "lose"): LedgerCase {
  return [
    `all go on when there is an outcome to look at: ${end}`,
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 3);
      await first[end]();
      await pause();
      expect(new Set(line.on)).toEqual(new Set([0, 1, 2]));
    },
  ];
}

/** What every ledger promises to those who wait. */
export const waitingCases: readonly LedgerCase[] = [
  [
    "nobody waits for a free scope",
    async ({ ledger }) => {
      const line = new Line(ledger);
      await line.join();
      expect(line.on).toEqual([0]);
    },
  ],
  [
    "nobody waits for one that has an outcome",
    async ({ ledger }) => {
      const first = await started(ledger);
      await first.settle();
      const line = new Line(ledger);
      await line.join();
      await line.join();
      expect(line.on).toEqual([0, 1]);
    },
  ],
  outcomeCase("settle"),
  outcomeCase("lose"),
  [
    "they go on one at a time when it is free: the next when the one before has ended",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 3);
      await first.release();
      await pause();
      expect(line.on).toEqual([0]);
      line.leave(0);
      await pause();
      expect(line.on).toEqual([0, 1]);
      line.leave(1);
      await pause();
      expect(line.on).toEqual([0, 1, 2]);
    },
  ],
  [
    "the next goes on when the one before has reserved, and gives it back",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 3);
      await first.release();
      await pause();
      const [one] = line.attempts;
      expect((await one?.intend())?.kind).toBe("recorded");
      await pause();
      expect(line.on).toEqual([0]);
      await one?.release();
      await pause();
      expect(line.on).toEqual([0, 1]);
      line.leave(0);
      await pause();
      expect(line.on).toEqual([0, 1]);
    },
  ],
  [
    "one who gives up leaves the line, wherever it stood",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 4);
      line.abort(0);
      line.abort(2);
      await pause();
      expect(new Set(line.on)).toEqual(new Set([0, 2]));
      line.leave(0);
      line.leave(2);
      await first.release();
      await pause();
      expect(new Set(line.on)).toEqual(new Set([0, 1, 2]));
      line.leave(1);
      await pause();
      expect(new Set(line.on)).toEqual(new Set([0, 1, 2, 3]));
    },
  ],
  [
    "one who was overtaken by a newcomer keeps its place",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 2);
      await first.release();
      await pause();
      expect(line.on).toEqual([0]);
      const newcomer = await executing(ledger);
      void line.wait(0);
      await pause();
      await newcomer.release();
      await pause();
      expect(line.on).toEqual([0, 0]);
    },
  ],
  [
    "one whose caller has given up already takes no place",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 1);
      const gone = await claimed(ledger);
      await ledger.awaitScope(gone.scope, gone.id, AbortSignal.abort());
      line.leave(0);
      const later = new Line(ledger);
      await later.join();
      await first.release();
      await pause();
      expect(later.on).toEqual([0]);
    },
  ],
  [
    "one who leaves waits no more, and stands in nobody's way",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 3);
      line.leave(0);
      await pause();
      expect(line.on).toEqual([0]);
      await first.release();
      await pause();
      expect(line.on).toEqual([0, 1]);
      line.leave(1);
      await pause();
      expect(line.on).toEqual([0, 1, 2]);
    },
  ],
  [
    "leaving never throws, and leaves the others alone",
    async ({ ledger }) => {
      const { first, line } = await lineBehind(ledger, 1);
      const stranger = await claimed(ledger);
      expect(() => {
        ledger.leaveScope(stranger.scope, stranger.id);
        ledger.leaveScope("[]" as never, stranger.id);
      }).not.toThrow();
      await pause();
      expect(line.on).toEqual([]);
      await first.settle();
      await pause();
      expect(line.on).toEqual([0]);
    },
  ],
  [
    "all look again when the holder has vanished",
    async ({ ledger, advance }) => {
      const { first, line } = await lineBehind(ledger, 2);
      await advance(LEASE_MS + 1);
      await pause();
      expect(new Set(line.on)).toEqual(new Set([0, 1]));
      await ledger.takeExpired(NOW, () => LEASE_MS);
      void line.wait(0);
      await pause();
      expect(line.on).toHaveLength(2);
      expect(await first.settle()).toEqual({ kind: "fenced" });
    },
  ],
];
