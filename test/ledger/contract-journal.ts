import { expect } from "vitest";
import { claimed, NOW, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

/** What every ledger promises of its journal. */
export const journalCases: readonly LedgerCase[] = [
  [
    "an empty one is whole",
    async ({ ledger }) => {
      expect(await ledger.verifyJournal()).toEqual({ intact: true, entries: 0 });
    },
  ],
  [
    "each transaction is an entry of its own, with the steps since the one before",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      await attempt.settle();
      const entries = await ledger.journal(attempt.id);
      const read = entries.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
      expect(read.map(({ transaction }) => transaction)).toEqual(["identity", "reservation", "start", "settlement"]);
      expect(read.map(({ steps }) => steps)).toEqual([
        [["to.identified", "identified"]],
        [["to.executing", "executing"]],
        [],
        [["to.fresh", "fresh"]],
      ]);
      expect(read.every(({ at }) => at === NOW)).toBe(true);
      expect(new Set(entries.map(({ sha256 }) => sha256)).size).toBe(4);
      expect(await ledger.verifyJournal()).toEqual({ intact: true, entries: 4 });
    },
  ],
  [
    "a step that failed is kept as one",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      const next = attempt.next("rejected", { refusal: "NOT_FOUND" });
      await attempt.step({ ...next, steps: [{ event: "access.denied", state: "rejected", failed: true }] });
      const [, last] = await ledger.journal(attempt.id);
      expect((JSON.parse(last?.text ?? "null") as { steps: unknown }).steps).toEqual([
        ["access.denied", "rejected", "failed"],
      ]);
    },
  ],
  [
    "what is handed out cannot change it",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      Reflect.set(await ledger.journal(attempt.id), "length", 0);
      expect(await ledger.journal(attempt.id)).toHaveLength(1);
      expect(await ledger.verifyJournal()).toEqual({ intact: true, entries: 1 });
    },
  ],
  [
    "a thousand entries and more stay whole, across checkpoints",
    async ({ ledger }) => {
      for (let round = 0; round < 300; round += 1) {
        const attempt = await started(ledger, { idempotency_key: `key-${round}` });
        await attempt[round % 3 === 0 ? "settle" : round % 3 === 1 ? "lose" : "release"]();
      }
      expect(await ledger.verifyJournal()).toEqual({ intact: true, entries: 1_200 });
    },
  ],
];
