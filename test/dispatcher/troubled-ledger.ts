import type { Ledger } from "../../src/ledger/ledger.ts";

/** The methods of a ledger that may fail. */
export const FALLIBLE = [
  "claimIdentity",
  "lookUpScope",
  "awaitScope",
  "expireWait",
  "recordIntent",
  "recordStart",
  "recordStep",
  "recordQueryEnd",
  "findOwner",
  "takeOwner",
  "markDoubt",
  "takeExpired",
  "readAttempt",
] as const satisfies readonly (keyof Ledger)[];

/** One of them. */
export type Fallible = (typeof FALLIBLE)[number];

/**
 * What becomes of a call.
 * @param call counted from 1, for each method
 * @param carryOut does what was asked
 */
export type Trouble = (method: Fallible, call: number, carryOut: () => Promise<unknown>) => Promise<unknown>;

/** A ledger with something in between. */
export function troubled(ledger: Ledger, trouble: Trouble): Ledger {
  const counts = new Map<Fallible, number>();
  const around: Partial<Record<Fallible, unknown>> = {};
  for (const method of FALLIBLE) {
    around[method] = (...given: readonly unknown[]) => {
      const call = (counts.get(method) ?? 0) + 1;
      counts.set(method, call);
      const act = ledger[method] as (...given: readonly unknown[]) => Promise<unknown>;
      return trouble(method, call, () => act(...given));
    };
  }
  return { ...ledger, ...(around as Partial<Ledger>) };
}

/** Trouble with one call of one method; every other one is carried out. */
export function troubleWith(
  which: Fallible,
  at: number,
  trouble: (carryOut: () => Promise<unknown>) => Promise<unknown>,
): (ledger: Ledger) => Ledger {
  return (ledger) =>
    troubled(ledger, (method, call, carryOut) => (method === which && call === at ? trouble(carryOut) : carryOut()));
}
