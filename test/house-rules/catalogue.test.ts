import { describe, expect, test } from "vitest";
import { FAILURES } from "../../src/errors/failures.ts";
import { NOT_STARTED_CODES, REFUSALS } from "../../src/errors/refusals.ts";

const ROWS = [...Object.entries(REFUSALS), ...Object.entries(FAILURES)];

describe("the catalogue", () => {
  test.each(ROWS)("%s is a row that can be told and acted on", (code, { sentence, remedy, httpStatus, exitStatus }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z0-9]+)*$/);
    for (const text of [sentence, remedy]) {
      expect(text).toMatch(/^\S[^\n\r\t]*\S$/);
      expect(text).not.toContain("  ");
    }
    expect(httpStatus).toBeGreaterThanOrEqual(400);
    expect(httpStatus).toBeLessThan(600);
    expect([1, 2]).toContain(exitStatus);
  });

  test.each(Object.entries(REFUSALS))(
    "%s tells the model nothing but its own fixed sentence",
    (_code, { sentence }) => {
      // A digit or a placeholder would be a part of one call.
      expect(sentence).not.toMatch(/[0-9{}<>$%`]/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    },
  );

  test.each(Object.entries(FAILURES))("%s can be followed by a detail", (_code, { sentence }) => {
    expect(sentence).toMatch(/^[a-z].*[^.:]$/);
    expect(sentence).not.toMatch(/[{}<>$%]/);
  });

  test("names no code twice, and says no sentence twice", () => {
    const codes = ROWS.map(([code]) => code);
    const sentences = ROWS.map(([, { sentence }]) => sentence);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test("calls a thing known not to have started only if its row says so", () => {
    expect(NOT_STARTED_CODES.filter((code) => REFUSALS[code].outcome !== "not_started")).toEqual([]);
  });

  test("offers a time to wait exactly where it says to retry", () => {
    const rows = Object.entries(REFUSALS);
    expect(rows.filter(([, row]) => (row.recovery === "retry_after") !== (row.retryAfterMs !== null))).toEqual([]);
  });
});
