import { expect } from "vitest";
import { Attempt, attemptId, claimed, executing, NOW, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

const always = (): boolean => true;

/** What every ledger promises of owners and of doubt. */
export const ownerCases: readonly LedgerCase[] = [
  [
    "the owner is who holds the scope now, else who was released last",
    async ({ ledger }) => {
      const { statusRef } = new Attempt(ledger);
      expect(await ledger.findOwner(statusRef)).toBe(null);
      const first = await started(ledger);
      await first.release();
      expect(await ledger.findOwner(statusRef)).toMatchObject({ hold: first.hold, state: "rejected" });
      const second = await executing(ledger);
      expect(await ledger.findOwner(statusRef)).toMatchObject({ hold: second.hold, state: "executing" });
      await second.release();
      expect(await ledger.findOwner(statusRef)).toMatchObject({ hold: second.hold, state: "rejected" });
      const other = await started(ledger, { arguments: { order_ref: "ORDER-8", reason: "other" } });
      await other.settle();
      expect(await ledger.findOwner(statusRef)).toMatchObject({ hold: second.hold, state: "rejected" });
      expect(await ledger.findOwner(other.statusRef)).toMatchObject({ hold: other.hold, state: "fresh" });
    },
  ],
  [
    "an attempt that reserved nothing is nobody's owner",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      await attempt.step(attempt.next("rejected", { refusal: "NOT_FOUND" }));
      expect(await ledger.findOwner(attempt.statusRef)).toBe(null);
      expect(await ledger.lookUpScope(attempt.scope)).toEqual({ kind: "free" });
    },
  ],
  [
    "doubt belongs to the status_ref: it comes before any owner, outlives release, and changes no version",
    async ({ ledger }) => {
      const { statusRef } = new Attempt(ledger);
      await ledger.markDoubt(statusRef);
      await ledger.markDoubt(statusRef);
      expect(await ledger.findOwner(statusRef)).toBe(null);
      const first = await started(ledger);
      expect(await ledger.findOwner(statusRef)).toMatchObject({ doubted: true });
      await ledger.markDoubt(statusRef);
      expect(await first.stored()).toMatchObject({ hold: first.hold });
      await first.release();
      expect(await ledger.findOwner(statusRef)).toMatchObject({ state: "rejected", doubted: true });
      const second = await started(ledger);
      await second.settle();
      expect(await ledger.findOwner(statusRef)).toMatchObject({ state: "fresh", doubted: true });
      const other = await started(ledger, { idempotency_key: "another-key" });
      expect(await ledger.findOwner(other.statusRef)).toMatchObject({ doubted: false });
    },
  ],
  [
    "the end of a wait marks doubt where an outcome is open, and the waiter's own",
    async ({ ledger }) => {
      const doubted = async (): Promise<boolean> => (await ledger.findOwner(attempt.statusRef))?.doubted === true;
      const { scope, statusRef } = new Attempt(ledger);
      expect(await ledger.expireWait(scope, statusRef, always)).toEqual({ kind: "free" });
      const attempt = await started(ledger);
      expect(await doubted()).toBe(false);
      const busy = { kind: "busy", facts: attempt.bound.facts, leaseExpired: false };
      expect(await ledger.expireWait(scope, statusRef, () => false)).toEqual(busy);
      expect(await doubted()).toBe(false);
      expect(
        await ledger.expireWait(
          scope,
          statusRef,
          (facts) => facts.request_sha256 === attempt.bound.facts.request_sha256,
        ),
      ).toEqual(busy);
      expect(await doubted()).toBe(true);
      expect(await attempt.settle()).toMatchObject({ kind: "stored" });
      expect(await ledger.expireWait(scope, statusRef, always)).toMatchObject({ kind: "settled" });
    },
  ],
  [
    "the end of a wait marks no doubt on what is settled, or free again",
    async ({ ledger }) => {
      const settled = await started(ledger);
      await settled.settle();
      await ledger.expireWait(settled.scope, settled.statusRef, always);
      expect(await ledger.findOwner(settled.statusRef)).toMatchObject({ doubted: false });
      const released = await started(ledger, { idempotency_key: "another-key" });
      await released.release();
      await ledger.expireWait(released.scope, released.statusRef, always);
      expect(await ledger.findOwner(released.statusRef)).toMatchObject({ doubted: false });
    },
  ],
  [
    "a query takes its owner by both numbers, raises both, and fences whoever had it",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      await attempt.lose();
      const { hold } = attempt;
      const next = attempt.next("querying");
      for (const change of [
        { version: hold.version - 1 },
        { version: hold.version + 1 },
        { fencing: hold.fencing - 1 },
        { attemptId: attemptId(7) },
      ]) {
        expect(await ledger.takeOwner({ ...hold, ...change }, next, NOW, 10)).toBe(null);
      }
      expect(await attempt.stored()).toMatchObject({ state: "unknown", hold });
      const taken = await ledger.takeOwner(hold, next, NOW, 10);
      expect(taken).toEqual({ ...hold, version: hold.version + 1, fencing: hold.fencing + 1 });
      expect(await attempt.stored()).toMatchObject({ state: "querying", hold: taken });
      expect(await attempt.lose()).toEqual({ kind: "fenced" });
      expect(await attempt.transactions()).toEqual(["identity", "reservation", "start", "uncertainty", "query"]);
    },
  ],
  [
    "of many queries at once, one takes the owner",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      await attempt.lose();
      const takes = Array.from({ length: 10 }, () => ledger.takeOwner(attempt.hold, attempt.next("querying"), NOW, 10));
      expect((await Promise.all(takes)).filter((hold) => hold !== null)).toHaveLength(1);
    },
  ],
];
