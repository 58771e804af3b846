import { expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import { memoryLedger } from "../../src/ledger/memory/memory-ledger.ts";
import { NOW } from "./attempts.ts";
import { ledgerContract } from "./contract-suite.ts";

const cases = ledgerContract(() => {
  const host = simulatedHost(NOW);
  return {
    ledger: memoryLedger(host),
    advance: (milliseconds) => {
      host.advance(milliseconds);
    },
  };
});

test.each(cases)("%s", async (_promise, check) => {
  expect.hasAssertions();
  await check();
});
