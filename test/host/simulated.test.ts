import { describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";

describe("simulated time", () => {
  test("stands still until it is moved", () => {
    const host = simulatedHost(1_000);
    expect([host.now(), host.now(), host.monotonicMs()]).toEqual([1_000, 1_000, 0]);
    host.setNow(2_000);
    host.advance(5);
    expect([host.now(), host.monotonicMs()]).toEqual([2_000, 5]);
  });

  test("calls back what has become due, in order, at the time it is due", () => {
    const host = simulatedHost(0);
    const calls: [string, number][] = [];
    const call = (name: string) => () => {
      calls.push([name, host.monotonicMs()]);
    };
    host.after(30, call("c"), true);
    host.after(10, call("a"), false);
    host.after(20, call("b"), true);
    host.after(10, call("a, later"), true);
    host.after(40, call("not yet"), true);
    const stop = host.after(15, call("forgotten"), true);
    stop();
    stop();
    host.advance(30);
    expect(calls).toEqual([
      ["a", 10],
      ["a, later", 10],
      ["b", 20],
      ["c", 30],
    ]);
    host.advance(9);
    expect(calls).toHaveLength(4);
  });

  test("calls back what a callback sets, if that is due as well", () => {
    const host = simulatedHost(0);
    const calls: number[] = [];
    host.after(
      10,
      () => {
        calls.push(host.monotonicMs());
        host.after(5, () => calls.push(host.monotonicMs()), true);
        host.after(50, () => calls.push(host.monotonicMs()), true);
      },
      true,
    );
    host.advance(20);
    expect(calls).toEqual([10, 15]);
  });

  test("a callback can forget one that is due at the same time", () => {
    const host = simulatedHost(0);
    const calls: string[] = [];
    let stop = (): void => undefined;
    host.after(
      10,
      () => {
        calls.push("first");
        stop();
      },
      true,
    );
    stop = host.after(10, () => calls.push("second"), true);
    host.advance(10);
    expect(calls).toEqual(["first"]);
  });

  test("never goes back, even if a callback lets time pass itself", () => {
    const host = simulatedHost(0);
    const seen: number[] = [];
    host.after(
      5,
      () => {
        host.advance(100);
        seen.push(host.monotonicMs());
      },
      true,
    );
    host.after(8, () => seen.push(host.monotonicMs()), true);
    host.after(50, () => seen.push(host.monotonicMs()), true);
    host.advance(10);
    seen.push(host.monotonicMs());
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));
    expect(host.monotonicMs()).toBe(105);
  });

  test.each([-1, -0.5, Number.NaN])("cannot be moved by %d", (milliseconds) => {
    const host = simulatedHost(0);
    host.advance(10);
    expect(() => {
      host.advance(milliseconds);
    }).toThrow(RangeError);
    expect(host.monotonicMs()).toBe(10);
  });

  test("something due at once is called back at the next move, however small", () => {
    const host = simulatedHost(0);
    const calls: number[] = [];
    host.after(0, () => calls.push(1), true);
    expect(calls).toEqual([]);
    host.advance(0);
    expect(calls).toEqual([1]);
  });

  test("ids count up, 32 hex digits each", () => {
    const host = simulatedHost(0);
    const ids = Array.from({ length: 300 }, () => host.randomId());
    expect(new Set(ids).size).toBe(300);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(ids[0]).toBe(`${"0".repeat(31)}1`);
    expect(simulatedHost(0).randomId()).toBe(ids[0]);
  });
});
