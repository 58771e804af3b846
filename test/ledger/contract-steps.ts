import { expect } from "vitest";
import { claimed, executing, NOW, RECORD, started } from "./attempts.ts";
import type { LedgerCase } from "./contract-suite.ts";

/** What every ledger promises of steps and of what they record. */
export const stepCases: readonly LedgerCase[] = [
  [
    "a settled scope has a record, for ever",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      expect(await attempt.settle()).toMatchObject({ kind: "stored", hold: { version: attempt.hold.version } });
      const settled = { kind: "settled", facts: attempt.bound.facts, record: RECORD };
      expect(await ledger.lookUpScope(attempt.scope)).toEqual(settled);
      const later = await claimed(ledger);
      expect(await later.intend()).toEqual({ kind: "scope", view: settled });
      expect(await attempt.transactions()).toEqual(["identity", "reservation", "start", "settlement"]);
    },
  ],
  [
    "an uncertain scope is held, and its outcome is in doubt",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      await attempt.lose();
      const uncertain = { kind: "uncertain", facts: attempt.bound.facts, leaseExpired: false };
      expect(await ledger.lookUpScope(attempt.scope)).toEqual(uncertain);
      expect(await (await claimed(ledger)).intend()).toEqual({ kind: "scope", view: uncertain });
      expect(await ledger.findOwner(attempt.statusRef)).toMatchObject({ state: "unknown", doubted: true });
    },
  ],
  [
    "a disputed scope is held, and nothing frees it",
    async ({ ledger, advance }) => {
      const attempt = await started(ledger);
      await attempt.lose();
      const hold = await ledger.takeOwner(attempt.hold, attempt.next("querying"), NOW, 10);
      if (hold !== null) attempt.hold = hold;
      await attempt.step(attempt.next("conflict", { refusal: "STATUS_CONFLICT" }), { type: "markDisputed" });
      await advance(60_000);
      expect(await ledger.takeExpired(NOW, () => 10)).toEqual({ attempts: [], nextEndMs: null });
      const disputed = { kind: "disputed", facts: attempt.bound.facts };
      expect(await ledger.lookUpScope(attempt.scope)).toEqual(disputed);
      expect(await (await claimed(ledger)).intend()).toEqual({ kind: "scope", view: disputed });
    },
  ],
  [
    "a released scope is free again, and its approval as well",
    async ({ ledger }) => {
      for (const make of [executing, started]) {
        const attempt = await make(ledger);
        const { approval } = attempt;
        await attempt.release();
        expect(await ledger.lookUpScope(attempt.scope)).toEqual({ kind: "free" });
        const again = await claimed(ledger);
        expect((await again.intend({ approval })).kind).toBe("recorded");
        await again.release();
      }
    },
  ],
  [
    "a step of an old version or of an old fencing number writes nothing",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      const stored = await attempt.stored();
      const next = attempt.next("fresh", { delivery: "fresh", record: RECORD });
      const write = (hold: typeof attempt.hold) =>
        ledger.recordStep({ hold, next, at: NOW, effects: [{ type: "releaseScope" }] });
      const { hold } = attempt;
      expect(await write({ ...hold, version: hold.version - 1 })).toEqual({ kind: "moved" });
      expect(await write({ ...hold, version: hold.version + 1 })).toEqual({ kind: "moved" });
      expect(await write({ ...hold, fencing: hold.fencing - 1 })).toEqual({ kind: "fenced" });
      expect(await write({ ...hold, fencing: hold.fencing + 1 })).toEqual({ kind: "fenced" });
      expect(await write({ ...hold, attemptId: "f".repeat(32) as never })).toEqual({ kind: "fenced" });
      expect(await attempt.stored()).toEqual(stored);
      expect(await ledger.lookUpScope(attempt.scope)).toMatchObject({ kind: "busy" });
      expect(await attempt.transactions()).toEqual(["identity", "reservation", "start"]);
    },
  ],
  [
    "of many steps at once under one hold, one is stored",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      const { hold } = attempt;
      const record = { hold, next: attempt.next("unknown"), at: NOW, effects: [] };
      const answers = await Promise.all(Array.from({ length: 10 }, () => ledger.recordStep(record)));
      expect(answers.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 9 }, () => "moved"),
        "stored",
      ]);
    },
  ],
  [
    "a request for an approval is opened once, and a valid one is taken under it",
    async ({ ledger }) => {
      const attempt = await claimed(ledger);
      const { approval } = attempt;
      const request = { type: "requestApproval", key: approval.key } as const;
      await attempt.step(attempt.next("rejected", { refusal: "APPROVAL_REQUIRED" }), request);
      const again = await claimed(ledger);
      await again.step(again.next("rejected", { refusal: "APPROVAL_REQUIRED" }), request);
      const third = await claimed(ledger);
      expect((await third.intend({ approval })).kind).toBe("recorded");
      const late = await claimed(ledger, { idempotency_key: "another-key" });
      await late.step(late.next("rejected", { refusal: "APPROVAL_REQUIRED" }), request);
      const rival = await claimed(ledger, { idempotency_key: "one-more-key" });
      expect((await rival.intend({ approval })).kind).toBe("approval.spent");
    },
  ],
  [
    "a request is opened anew once the approval before it has ended",
    async ({ ledger }) => {
      const attempt = await executing(ledger);
      const { approval } = attempt;
      await attempt.release();
      const late = await claimed(ledger);
      expect(await late.intend({ approval, now: () => NOW + 60 })).toMatchObject({ kind: "approval.expired" });
      const request = { type: "requestApproval", key: approval.key } as const;
      const asked = await late.step(late.next("rejected", { refusal: "APPROVAL_REQUIRED" }), request);
      expect(asked).toMatchObject({ kind: "stored", approvalSteps: [{ event: null, to: "requested" }] });
      const again = await claimed(ledger);
      const twice = await again.step(again.next("rejected", { refusal: "APPROVAL_REQUIRED" }), request);
      expect(twice).toMatchObject({ kind: "stored", approvalSteps: [] });
    },
  ],
  [
    "what is handed out is not what is kept",
    async ({ ledger }) => {
      const attempt = await started(ledger);
      await attempt.settle();
      const before = JSON.stringify(await attempt.stored());
      const { hold } = await attempt.stored();
      Reflect.set(hold, "version", 1_000);
      expect(JSON.stringify(await attempt.stored())).toBe(before);
      expect(await ledger.recordStep({ hold, next: attempt.next("unknown"), at: NOW, effects: [] })).toEqual({
        kind: "moved",
      });
    },
  ],
];
