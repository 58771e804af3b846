import { expect, test } from "vitest";
import { runClock } from "../../src/dispatcher/house.ts";
import { simulatedHost } from "../../src/host/simulated.ts";

test("the clock of a run never goes back, and stands still while the host's is out of order", () => {
  const host = simulatedHost(1_000);
  const now = runClock(host, 1_000);
  const times = [1_005, 1_001, Number.NaN, 1_006, -1, 253_402_300_800, 1_007].map((seconds) => {
    host.setNow(seconds);
    return now();
  });
  expect(times).toEqual([1_005, 1_005, 1_005, 1_006, 1_006, 1_006, 1_007]);
});
