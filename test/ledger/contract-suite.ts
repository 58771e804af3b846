import type { Ledger } from "../../src/ledger/ledger.ts";
import { identityCases } from "./contract-identity.ts";
import { intentCases } from "./contract-intent.ts";
import { journalCases } from "./contract-journal.ts";
import { leaseCases } from "./contract-leases.ts";
import { ownerCases } from "./contract-owners.ts";
import { stepCases } from "./contract-steps.ts";
import { waitingCases } from "./contract-waiting.ts";

/** A fresh ledger, and the clock that its leases follow. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Lets time pass. Units: milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void> | void;
}

/** A promise that every ledger keeps, and how it is found out. */
export type LedgerCase = readonly [promise: string, check: (under: LedgerUnderTest) => Promise<void>];

/**
 * What every ledger must do, whatever it keeps things in.
 * Shape: for `test.each`: a title, and a check that opens a ledger of its own.
 * @param open opens a fresh one; `close` lets go of what it holds
 */
export function ledgerContract(
  open: () => Promise<LedgerUnderTest> | LedgerUnderTest,
  close: (under: LedgerUnderTest) => Promise<void> | void = () => undefined,
): readonly (readonly [title: string, check: () => Promise<void>])[] {
  const parts: Readonly<Record<string, readonly LedgerCase[]>> = {
    identity: identityCases,
    intent: intentCases,
    steps: stepCases,
    owners: ownerCases,
    leases: leaseCases,
    waiting: waitingCases,
    journal: journalCases,
  };
  return Object.entries(parts).flatMap(([part, cases]) =>
    cases.map(([promise, check]): readonly [string, () => Promise<void>] => [
      `${part}: ${promise}`,
      async () => {
        const under = await open();
        try {
          await check(under);
        } finally {
          await close(under);
        }
      },
    ]),
  );
}
