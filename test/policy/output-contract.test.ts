import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { isForbiddenName, keepsNamesAndDepth, repeatsArguments } from "../../src/policy/output-contract.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";

describe("names that look like a secret or a control field", () => {
  test.each([
    ...["authorization", "Authorization", "API-KEY", "api_key", "access-token", "refresh_token", "PASSWORD", "secret"],
    ...["Cookie", "Set-Cookie", "call_id", "operation-id", "request_digest", "request_sha256", "Result-SHA256"],
    ...["call_binding_sha256"],
  ])("%s", (name) => {
    expect(isForbiddenName(name)).toBe(true);
    const places: readonly JsonValue[] = [{ [name]: null }, { a: { [name]: 1 } }, { a: [1, [{ b: { [name]: {} } }]] }];
    expect(places.map((place) => keepsNamesAndDepth(place, 32))).toEqual([false, false, false]);
  });

  test.each(["apikey", "user_password", "passwords", "authorization ", "set cookie", "callId", ""])(
    "not %j",
    (name) => {
      expect(isForbiddenName(name)).toBe(false);
      expect(keepsNamesAndDepth({ a: [{ [name]: "password" }] }, 32)).toBe(true);
    },
  );
});

describe("depth", () => {
  test.each<[JsonValue, number]>([
    [{}, 1],
    [{ a: 1, b: "x" }, 1],
    [{ a: {} }, 2],
    [{ a: [] }, 2],
    [{ a: 1, b: [{ c: [1] }] }, 4],
  ])("%j has depth %i", (value, depth) => {
    expect([depth - 1, depth, depth + 1].map((limit) => keepsNamesAndDepth(value, limit))).toEqual([false, true, true]);
  });
});

describe("members that repeat an argument", () => {
  const repeats = (output: JsonObject, args: JsonObject, member = "a", argument = "a"): boolean =>
    repeatsArguments(output, args, [[member, argument]], canonicalize);

  test.each<[JsonObject, JsonObject, boolean]>([
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: "1" }, false],
    [{ a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }, true],
    [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }, false],
    [{ a: "é" }, { a: "e\u0301" }, false],
    [{ a: -0 }, { a: 0 }, true],
    [{}, { a: 1 }, false],
    [{ a: 1 }, {}, false],
    [{}, {}, true],
    [{ a: null }, {}, false],
  ])("%j for %j: %s", (output, args, expected) => {
    expect(repeats(output, args)).toBe(expected);
  });

  test("an inherited member is none", () => {
    expect(repeats({ a: "x" }, {}, "a", "toString")).toBe(false);
    expect(repeats({}, { a: "x" }, "constructor", "a")).toBe(false);
  });
});
