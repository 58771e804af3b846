import { describe, expect, it } from "vitest";
import { isRefusalCode, NOT_STARTED_CODES, REFUSAL_CODES } from "../../src/errors/refusals.ts";

describe("a refusal code", () => {
  it("is each of the catalogue", () => {
    expect(REFUSAL_CODES.every(isRefusalCode)).toBe(true);
  });

  it.each<[unknown]>([
    ["OK"],
    [""],
    ["toString"],
    ["__proto__"],
    ["not_found"],
    [null],
    [undefined],
    [7],
    [["NOT_FOUND"]],
  ])("is not %j", (text) => {
    expect(isRefusalCode(text)).toBe(false);
  });
});

it("six codes say that nothing was started", () => {
  expect(NOT_STARTED_CODES).toEqual([
    ...[
      "TIMEOUT_BEFORE_EXECUTE",
      "RATE_LIMIT",
      "TOOL_ERROR",
      "APPROVAL_INVALID",
      "NOT_FOUND",
      "BUSINESS_RULE_VIOLATION",
    ],
  ]);
});
