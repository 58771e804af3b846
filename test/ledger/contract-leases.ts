import { expect } from "vitest";
import { claimed, executing, LEASE_MS, NOW, reading, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

/** What every ledger promises of leases. */
export const leaseCases: readonly LedgerCase[] = [
  [
    "only a lease that has run out is taken",
    async ({ ledger, advance }) => {
      const attempt = await started(ledger);
      await advance(LEASE_MS - 1);
      expect(await ledger.takeExpired(NOW, () => 10)).toEqual({ attempts: [], nextEndMs: 1 });
      expect(await ledger.lookUpScope(attempt.scope)).toMatchObject({ kind: "busy", leaseExpired: false });
      expect(await ledger.findOwner(attempt.statusRef)).toMatchObject({ leaseExpired: false });
      await advance(1);
      expect(await ledger.lookUpScope(attempt.scope)).toMatchObject({ kind: "busy", leaseExpired: true });
      expect(await ledger.findOwner(attempt.statusRef)).toMatchObject({ leaseExpired: true });
      expect((await ledger.takeExpired(NOW, () => 10)).attempts.map(({ hold }) => hold.attemptId)).toEqual([
        attempt.id,
      ]);
    },
  ],
  [
    "taking one raises both numbers, tells what was stored, and gives a new lease",
    async ({ ledger, advance }) => {
      const attempt = await started(ledger);
      const { hold } = attempt;
      const stored = await attempt.stored();
      await advance(LEASE_MS);
      const { attempts, nextEndMs } = await ledger.takeExpired(NOW, () => 5_000);
      const raised = { ...hold, version: hold.version + 1, fencing: hold.fencing + 1 };
      expect(attempts).toEqual([{ ...stored, hold: raised }]);
      expect(nextEndMs).toBe(5_000);
      expect(await ledger.takeExpired(NOW, () => 10)).toEqual({ attempts: [], nextEndMs: 5_000 });
      expect(await attempt.transactions()).toEqual(["identity", "reservation", "start", "recovery"]);
      await advance(5_000);
      expect((await ledger.takeExpired(NOW, () => 10)).attempts).toMatchObject([
        { hold: { fencing: hold.fencing + 2 } },
      ]);
    },
  ],
  [
    "whoever had it writes nothing any more",
    async ({ ledger, advance }) => {
      const [before, after] = [await executing(ledger), await started(ledger, { idempotency_key: "another-key" })];
      await advance(LEASE_MS);
      await ledger.takeExpired(NOW, () => 5_000);
      const stored = [await before.stored(), await after.stored()];
      expect(await before.start()).toEqual({ kind: "fenced" });
      expect(await before.release()).toEqual({ kind: "fenced" });
      expect(await after.settle()).toEqual({ kind: "fenced" });
      expect(await after.intend()).toEqual({ kind: "fenced" });
      expect([await before.stored(), await after.stored()]).toEqual(stored);
    },
  ],
  [
    "each is given the lease that it needs",
    async ({ ledger, advance }) => {
      const [short, long] = [await executing(ledger), await started(ledger, { idempotency_key: "another-key" })];
      await advance(LEASE_MS);
      const leaseMs = ({ started: hasStarted }: { readonly started: boolean }): number => (hasStarted ? 700 : 300);
      expect(await ledger.takeExpired(NOW, leaseMs)).toMatchObject({ nextEndMs: 300 });
      await advance(300);
      expect((await ledger.takeExpired(NOW, () => 9_000)).attempts.map(({ hold }) => hold.attemptId)).toEqual([
        short.id,
      ]);
      await advance(400);
      expect((await ledger.takeExpired(NOW, () => 9_000)).attempts.map(({ hold }) => hold.attemptId)).toEqual([
        long.id,
      ]);
    },
  ],
  [
    "one that was executing is in doubt from then on; one that had reserved nothing is not there",
    async ({ ledger, advance }) => {
      const [attempt, abandoned] = [await executing(ledger), await claimed(ledger, { idempotency_key: "another-key" })];
      await advance(60_000);
      expect((await ledger.takeExpired(NOW, () => 10)).attempts).toHaveLength(1);
      expect(await ledger.findOwner(attempt.statusRef)).toMatchObject({ doubted: true });
      expect(await abandoned.stored()).toMatchObject({ state: "identified", hold: abandoned.hold });
    },
  ],
  [
    "who has come to an end holds none",
    async ({ ledger, advance }) => {
      const ends = [
        (await started(ledger, { idempotency_key: "key-a" })).settle(),
        (await started(ledger, { idempotency_key: "key-b" })).lose(),
        (await executing(ledger, { idempotency_key: "key-c" })).release(),
      ];
      await Promise.all(ends);
      const read = reading(ledger);
      await read.claim();
      await read.intend();
      await read.step(read.next("rejected", { refusal: "TOOL_ERROR" }));
      await advance(60_000);
      expect(await ledger.takeExpired(NOW, () => 10)).toEqual({ attempts: [], nextEndMs: null });
    },
  ],
  [
    "of many who take at once, one gets each",
    async ({ ledger, advance }) => {
      const keys = Array.from({ length: 5 }, (_, index) => `key-${index}`);
      for (const idempotency_key of keys) await started(ledger, { idempotency_key });
      await advance(LEASE_MS);
      const taken = await Promise.all(Array.from({ length: 8 }, () => ledger.takeExpired(NOW, () => 10)));
      const ids = taken.flatMap(({ attempts }) => attempts.map(({ hold }) => hold.attemptId));
      expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
    },
  ],
];
