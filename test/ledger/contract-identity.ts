import { expect } from "vitest";
import type { JournalStep } from "../../src/ledger/journal.ts";
import { Attempt, attemptId, claimed, NOW } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

const one = { call_id: "call-1" };
const changed = { ...one, operation_id: "operation-2" };
const steps: readonly JournalStep[] = [{ event: "identity.claimed", state: "identified" }];

/** What every ledger promises of call identities. */
export const identityCases: readonly LedgerCase[] = [
  [
    "the first claim binds it; the same call may claim it again, another never",
    async ({ ledger }) => {
      const claims = [one, one, changed, one, changed].map((call) => new Attempt(ledger, call));
      const kinds: string[] = [];
      for (const attempt of claims) kinds.push(await attempt.claim());
      expect(kinds).toEqual(["claimed", "claimed", "taken", "claimed", "taken"]);
    },
  ],
  [
    "each claim of a dispatch is an attempt of its own, in the state that its answer leads to",
    async ({ ledger }) => {
      const attempts = [await claimed(ledger, one), await claimed(ledger, changed)];
      expect(await Promise.all(attempts.map((attempt) => attempt.stored()))).toMatchObject([
        { state: "identified", started: false, hold: attempts[0]?.hold },
        { state: "conflict", started: false, hold: attempts[1]?.hold },
      ]);
      expect(await attempts[0]?.transactions()).toEqual(["identity"]);
    },
  ],
  [
    "of many different claims at once, one wins",
    async ({ ledger }) => {
      const attempts = Array.from(
        { length: 20 },
        (_, index) => new Attempt(ledger, { ...one, operation_id: `o-${index}` }),
      );
      const kinds = await Promise.all(attempts.map((attempt) => attempt.claim()));
      expect(kinds.filter((kind) => kind === "claimed")).toHaveLength(1);
    },
  ],
  [
    "a query's claim binds it too, is journalled, and is no attempt",
    async ({ ledger }) => {
      const { bound } = new Attempt(ledger, one);
      const id = attemptId(1);
      const claim = {
        purpose: "query_status",
        identity: bound.identity,
        at: NOW,
        next: () => ({ state: null, steps }),
      } as const;
      const asked = await ledger.claimIdentity({ ...claim, attemptId: id, fingerprint: "f".repeat(64) as never });
      expect(asked.kind).toBe("claimed");
      expect(await ledger.readAttempt(id)).toBe(null);
      expect(await new Attempt(ledger, one).claim()).toBe("taken");
      await ledger.recordQueryEnd(id, [{ event: "access.denied", state: "rejected" }], NOW);
      const entries = await ledger.journal(id);
      expect(entries.map(({ text }) => (JSON.parse(text) as { steps: unknown }).steps)).toEqual([
        [["identity.claimed", "identified"]],
        [["access.denied", "rejected"]],
      ]);
    },
  ],
  [
    "a claim that cannot be carried through leaves nothing",
    async ({ ledger }) => {
      const { bound } = new Attempt(ledger, one);
      const boom = (): never => {
        throw new Error("no step leads there");
      };
      for (const purpose of ["dispatch", "query_status"] as const) {
        const claim = {
          attemptId: attemptId(2),
          purpose,
          identity: bound.identity,
          fingerprint: bound.fingerprint,
          at: NOW,
          next: boom,
        };
        await expect(ledger.claimIdentity(claim)).rejects.toThrow("no step leads there");
      }
      expect(await ledger.readAttempt(attemptId(2))).toBe(null);
      expect(await ledger.journal(attemptId(2))).toEqual([]);
      expect(await new Attempt(ledger, changed).claim()).toBe("claimed");
    },
  ],
  [
    "an id stands for one run",
    async ({ ledger }) => {
      const first = await claimed(ledger);
      const { bound } = new Attempt(ledger);
      const claim = { purpose: "dispatch", identity: bound.identity, fingerprint: bound.fingerprint, at: NOW } as const;
      const again = ledger.claimIdentity({ ...claim, attemptId: first.id, next: () => first.next("identified") });
      await expect(again).rejects.toThrow(Error);
      expect(await first.transactions()).toEqual(["identity"]);
      expect((await first.intend()).kind).toBe("recorded");
    },
  ],
  [
    "who was never there is not found",
    async ({ ledger }) => {
      expect(await ledger.readAttempt(attemptId(3))).toBe(null);
      expect(await ledger.journal(attemptId(3))).toEqual([]);
    },
  ],
];
