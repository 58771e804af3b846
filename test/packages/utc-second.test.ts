import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUtcSecond, isContractSecond, isUtcSecond } from "../../src/packages/utc-second.ts";

const LATEST = 253_402_300_799;

describe("a time in UTC, whole seconds", () => {
  it.each([
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "2000-02-29T12:30:15Z",
    "2024-02-29T00:00:00Z",
    "9999-12-31T23:59:59Z",
  ])("is %s", (text) => {
    expect(isUtcSecond(text)).toBe(true);
  });

  it.each<unknown>([
    "0000-12-31T23:59:59Z",
    "1900-02-29T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-07-19T24:00:00Z",
    "2026-07-19T23:60:00Z",
    "2026-07-19T00:00:60Z",
    "2026-07-19T00:00:00z",
    "2026-07-19t00:00:00Z",
    "2026-07-19 00:00:00Z",
    "2026-07-19T00:00:00.0Z",
    "2026-07-19T00:00:00+00:00",
    "2026-07-19T00:00Z",
    "2026-07-19",
    "+02026-07-19T00:00:00Z",
    "20260719T000000Z",
    "２０２６-07-19T00:00:00Z",
    "٢٠٢٦-07-19T00:00:00Z",
    " 2026-07-19T00:00:00Z",
    "x2026-07-19T00:00:00Z",
    "2026-07-19T00:00:00Zx",
    "2026-07-19T00:00:00Z\n",
    "",
    null,
    0,
    new Date(0),
    ["2026-07-19T00:00:00Z"],
  ])("is not %j", (value) => {
    expect(isUtcSecond(value)).toBe(false);
  });

  it("is what every second of the contract is written as, and names that second", () => {
    const seconds = fc.oneof(fc.constantFrom(0, LATEST), fc.integer({ min: 0, max: LATEST }));
    fc.assert(
      fc.property(seconds, (second) => {
        const text = formatUtcSecond(second);
        expect(isUtcSecond(text)).toBe(true);
        expect(Date.parse(text)).toBe(second * 1000);
      }),
    );
  });
});

describe("a second of the contract", () => {
  it.each<[unknown, boolean]>([
    [0, true],
    [LATEST, true],
    [LATEST + 1, false],
    [-1, false],
    [0.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ["0", false],
    [true, false],
    [0n, false],
    [null, false],
  ])("%s: %s", (value, expected) => {
    expect(isContractSecond(value)).toBe(expected);
  });
});
