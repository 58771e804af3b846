import { describe, expect, test } from "vitest";
import { systemHost } from "../../src/host/system.ts";

const host = systemHost();
const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

describe("the host of this process", () => {
  test("gives whole seconds of this time", () => {
    const now = host.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(5);
  });

  test("has a clock that goes on", async () => {
    const before = host.monotonicMs();
    await wait(5);
    expect(host.monotonicMs()).toBeGreaterThan(before);
  });

  test("draws 128 random bits", () => {
    const ids = Array.from({ length: 1_000 }, () => host.randomId());
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });

  test.each([true, false])(
    "calls back once, unless it is to forget it (holds the process open: %s)",
    async (holdsOpen) => {
      const calls: string[] = [];
      host.after(1, () => calls.push("kept"), holdsOpen);
      const stop = host.after(1, () => calls.push("forgotten"), holdsOpen);
      stop();
      await wait(30);
      expect(calls).toEqual(["kept"]);
      stop();
    },
  );

  test("a wait too long for the timers of the process is not none at all", async () => {
    const calls: string[] = [];
    const stop = host.after(2 ** 31 + 5_000, () => calls.push("far too soon"), false);
    await wait(30);
    expect(calls).toEqual([]);
    stop();
  });
});
