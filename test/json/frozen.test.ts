import { expect, test } from "vitest";
import { frozen } from "../../src/json/frozen.ts";
import type { JsonValue } from "../../src/protocol/json.ts";

test("everything in a frozen value is frozen, and it is the same value", () => {
  const leaf = { text: "ab" };
  const list = [null, 1, leaf];
  const value = { list, none: null, yes: true };
  expect(frozen(value)).toBe(value);
  expect([value, list, leaf].map((container) => Object.isFrozen(container))).toEqual([true, true, true]);
});

test.each<[JsonValue]>([[null], [true], [1], [""], ["ab"]])("%j is given back as it is", (value) => {
  expect(frozen(value)).toBe(value);
});
