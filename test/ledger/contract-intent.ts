import { expect } from "vitest";
import type { Intent, Ledger } from "../../src/ledger/ledger.ts";
import { Attempt, claimed, executing, NOW, reading, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

/** One reason to refuse an intent. */
interface Reason {
  readonly tells: string;
  readonly prepare?: (ledger: Ledger, attempt: Attempt) => Promise<unknown>;
  readonly change?: (attempt: Attempt) => Partial<Intent>;
}

/** In the order in which they decide. Source: design of recordIntent. */
const REASONS: Readonly<Record<string, Reason>> = {
  "an old hold": { tells: "fenced", change: ({ hold }) => ({ hold: { ...hold, fencing: hold.fencing - 1 } }) },
  "a taken scope": { tells: "scope", prepare: (ledger) => executing(ledger) },
  "an interruption": { tells: "interrupted", change: () => ({ interruption: () => "call.cancelled" }) },
  "a spent approval": {
    tells: "approval.spent",
    prepare: (ledger, attempt) => spend(ledger, attempt),
  },
  "an expired approval": { tells: "approval.expired", change: () => ({ now: () => NOW + 60 }) },
};

/** The same approval carries another call to its end, in another scope. */
async function spend(ledger: Ledger, { approval }: Attempt): Promise<void> {
  const other = await claimed(ledger, { idempotency_key: "another-key" });
  await other.intend({ approval });
  await other.start();
  await other.settle();
}

const PAIRS = Object.entries(REASONS).flatMap(([earlier, one], index) =>
  Object.entries(REASONS)
    .slice(index)
    .map(([later, other]) => ({ title: `${earlier} decides before ${later}, and nothing is left behind`, one, other })),
);

function refusalCase({ title, one, other }: (typeof PAIRS)[number]): LedgerCase {
  return [
    title,
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      for (const reason of new Set([other, one])) await reason.prepare?.(ledger, attempt);
      const before = await everything(ledger, attempt);
      const answer = await attempt.intend({ ...other.change?.(attempt), ...one.change?.(attempt) });
      expect(answer.kind).toBe(one.tells);
      expect(await everything(ledger, attempt)).toEqual(before);
    },
  ];
}

/** All that an intent could change. */
async function everything(ledger: Ledger, attempt: Attempt) {
  const owner = await ledger.findOwner(attempt.statusRef);
  return {
    attempt: await attempt.stored(),
    journal: await ledger.journal(attempt.id),
    scope: await ledger.lookUpScope(attempt.scope),
    owner,
    whole: await ledger.verifyJournal(),
  };
}

/** What every ledger promises of reservations. */
export const intentCases: readonly LedgerCase[] = [
  ...PAIRS.map(refusalCase),
  [
    "a recorded one stores the attempt, and reserves scope and status_ref",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      const { version } = attempt.hold;
      expect(await attempt.intend()).toMatchObject({ kind: "recorded" });
      expect(attempt.hold.version).toBe(version + 1);
      expect(await attempt.stored()).toMatchObject({ state: "executing", started: false, hold: attempt.hold });
      expect(await ledger.lookUpScope(attempt.scope)).toEqual({
        kind: "busy",
        facts: attempt.bound.facts,
        leaseExpired: false,
      });
      expect(await ledger.findOwner(attempt.statusRef)).toMatchObject({
        ...{ state: "executing", scope: attempt.scope, facts: attempt.bound.facts, doubted: false, hold: attempt.hold },
      });
      expect(await attempt.transactions()).toEqual(["identity", "reservation"]);
    },
  ],
  [
    "of many at once in one scope, one is recorded",
    async ({ ledger }) => {
      const attempts = await Promise.all(Array.from({ length: 20 }, () => claimed(ledger)));
      const kinds = (await Promise.all(attempts.map((attempt) => attempt.intend()))).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(["recorded", ...Array.from({ length: 19 }, () => "scope")]);
    },
  ],
  [
    "of many at once with one approval in as many scopes, one is recorded",
    async ({ ledger }) => {
      const { approval } = new Attempt(ledger);
      const attempts = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claimed(ledger, { idempotency_key: `k-${index}` })),
      );
      const kinds = (await Promise.all(attempts.map((attempt) => attempt.intend({ approval })))).map(
        ({ kind }) => kind,
      );
      expect(kinds.toSorted()).toEqual([...Array.from({ length: 19 }, () => "approval.spent"), "recorded"]);
    },
  ],
  [
    "an attempt records one intent",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      const { hold } = attempt;
      await attempt.intend();
      expect(await attempt.intend({ hold, scope: null, statusRef: null, approval: null })).toEqual({ kind: "fenced" });
    },
  ],
  [
    "a read reserves nothing, and is stored all the same",
    async ({ ledger }) => {
      const attempt = reading(ledger);
      await attempt.claim();
      expect((await attempt.intend()).kind).toBe("recorded");
      expect(await attempt.stored()).toMatchObject({ state: "executing" });
      expect(await attempt.start()).toMatchObject({ kind: "started" });
    },
  ],
  [
    "one that cannot be carried through leaves nothing",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      const before = await everything(ledger, attempt);
      const unbound = attempt.next("executing", { bound: null });
      await expect(attempt.intend({ next: unbound })).rejects.toThrow(Error);
      const boom = (): never => {
        throw new Error("no clock");
      };
      await expect(attempt.intend({ now: boom })).rejects.toThrow("no clock");
      await expect(attempt.intend({ interruption: boom })).rejects.toThrow("no clock");
      expect(await everything(ledger, attempt)).toEqual(before);
      expect((await attempt.intend()).kind).toBe("recorded");
    },
  ],
  [
    "what is refused does not use the approval up",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      await attempt.intend({ interruption: () => "deadline.passed" });
      await attempt.intend({ now: () => NOW + 60 });
      expect((await attempt.intend()).kind).toBe("recorded");
    },
  ],
  [
    "an approval that ended is asked for anew, and then carries a call",
    async ({ ledger }) => {
      const attempt = await executing(ledger);
      await attempt.release();
      const again = await claimed(ledger);
      const { approval } = attempt;
      expect((await again.intend({ approval, now: () => NOW + 60 })).kind).toBe("approval.expired");
      const renewed = { ...approval, expiresAt: NOW + 120 };
      expect((await again.intend({ approval: renewed, now: () => NOW + 60 })).kind).toBe("recorded");
    },
  ],
  [
    "the start marker is stored once, for whoever holds the attempt, while the approval lasts",
    async ({ ledger }) => {
      const attempt = await executing(ledger);
      const { hold } = attempt;
      const stored = await attempt.stored();
      for (const change of [
        { version: hold.version - 1 },
        { version: hold.version + 1 },
        { fencing: hold.fencing - 1 },
        { fencing: hold.fencing + 1 },
      ]) {
        expect(await ledger.recordStart({ hold: { ...hold, ...change }, now: () => NOW })).toEqual({ kind: "fenced" });
      }
      expect((await attempt.start(NOW + 60)).kind).toBe("approval.expired");
      expect(await attempt.stored()).toEqual(stored);
      expect((await attempt.start(NOW + 59)).kind).toBe("started");
      expect(await attempt.stored()).toMatchObject({ started: true, hold: { version: hold.version + 1 } });
      expect(await ledger.recordStart({ hold, now: () => NOW })).toEqual({ kind: "fenced" });
      expect(await attempt.transactions()).toEqual(["identity", "reservation", "start"]);
    },
  ],
  [
    "what was started is spent, and given back when it is known not to have begun",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      const { approval } = attempt;
      const rival = await claimed(ledger, { idempotency_key: "another-key" });
      expect((await rival.intend({ approval })).kind).toBe("approval.spent");
      await attempt.release();
      expect((await rival.intend({ approval })).kind).toBe("recorded");
    },
  ],
];
