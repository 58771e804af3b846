import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { canonicalize, copyJson, quote } from "../../src/json/canonical.ts";
import { failureOf } from "./failure.ts";

function nest(leaf: unknown, levels: number): unknown {
  let value = leaf;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function throwIfCalled(): never {
  throw new TypeError("code of the value was called");
}

const TRAPS: ProxyHandler<object> = {
  get: throwIfCalled,
  getPrototypeOf: throwIfCalled,
  ownKeys: throwIfCalled,
  getOwnPropertyDescriptor: throwIfCalled,
};

const membersOf = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index + 10_000}`, index]));

describe("canonical text", () => {
  test.each<[unknown, string]>([
    [null, "null"],
    [true, "true"],
    [false, "false"],
    ["", '""'],
    [[], "[]"],
    [{}, "{}"],
    [[1, [null, "a"], {}], '[1,[null,"a"],{}]'],
    [{ b: 1, a: { d: [], c: "x" } }, '{"a":{"c":"x","d":[]},"b":1}'],
    ['"\\/\b\f\n\r\t\u0000\u001f\u007f\u0085\u2028', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u0085\u2028"'],
    ["é😀", '"é😀"'],
    // A surrogate pair sorts before U+FB33: by UTF-16 unit, not by code point.
    [
      { "\ufb33": 1, "😀": 2, "€": 3, "\r": 4, 1: 5, "": 6, 10: 7, a: 8, A: 9 },
      '{"":6,"\\r":4,"1":5,"10":7,"A":9,"a":8,"€":3,"😀":2,"\ufb33":1}',
    ],
    [Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    [JSON.parse('{"__proto__":{"b":1},"a":2}'), '{"__proto__":{"b":1},"a":2}'],
    [Object.freeze([Object.freeze({ a: 1 })]), '[{"a":1}]'],
    [runInNewContext('({ b: [1, {}], a: "x" })'), '{"a":"x","b":[1,{}]}'],
    [{ toString: 1, hasOwnProperty: 2, constructor: 3 }, '{"constructor":3,"hasOwnProperty":2,"toString":1}'],
  ])("case %#", (value, text) => {
    expect(canonicalize(value)).toBe(text);
  });

  test("more names than are sorted by insertion", () => {
    const names = Array.from({ length: 200 }, (_, index) => `${(index * 7919) % 200}`);
    const text = names.toSorted().map((name) => `"${name}":0`);
    expect(canonicalize(Object.fromEntries(names.map((name) => [name, 0])))).toBe(`{${text.join(",")}}`);
  });

  test("a container that stands in two places is no cycle", () => {
    const shared = { a: [1] };
    expect(canonicalize([shared, shared, { b: shared }])).toBe('[{"a":[1]},{"a":[1]},{"b":{"a":[1]}}]');
  });
});

describe("limits", () => {
  const long = "x".repeat(65_536);
  const emoji = "😀".repeat(65_536);

  test.each<[string, unknown]>([
    ["a string of 65,536 characters", long],
    ["a string of 65,536 emoji", emoji],
    ["a member name of 65,536 characters", { [long]: 1 }],
    ["an array of 1,024", Array.from({ length: 1024 }, () => 0)],
    ["an object of 1,024", membersOf(1024)],
    ["a value 32 levels down", nest(1, 32)],
    ["an empty container 32 levels down", nest({}, 32)],
    ["1,024 strings of 65,536 characters", Array.from({ length: 1024 }, () => long)],
    ["1,024 arrays of 1,024", Array.from({ length: 1024 }, () => Array.from({ length: 1024 }, () => 0))],
  ])("%s is within", (_what, value) => {
    // Not `toBe`: the difference of two such texts is nothing to print.
    expect(canonicalize(value) === JSON.stringify(value)).toBe(true);
  });

  test.each<[string, unknown, string, string]>([
    ["a string of 65,537 characters", { a: [`${long}x`] }, "JSON_STRING_TOO_LONG", "/a/0"],
    ["a string of 65,537 emoji", `${emoji}😀`, "JSON_STRING_TOO_LONG", ""],
    ["a string longer than any", "x".repeat(100_000_000), "JSON_STRING_TOO_LONG", ""],
    ["a member name of 65,537 characters", [{ [`${long}x`]: 1 }], "JSON_STRING_TOO_LONG", "/0"],
    ["an array of 1,025", { a: Array.from({ length: 1025 }, () => 0) }, "JSON_TOO_MANY_MEMBERS", "/a"],
    ["an array that says it is longer than memory", [new Array(4_294_967_295)], "JSON_TOO_MANY_MEMBERS", "/0"],
    ["an object of 1,025", [membersOf(1025)], "JSON_TOO_MANY_MEMBERS", "/0"],
    ["a value 33 levels down", nest(1, 33), "JSON_TOO_DEEP", `${"/0/a".repeat(16)}/0`],
    ["5,000 arrays", nest(1, 5000), "JSON_TOO_DEEP", `${"/a/0".repeat(16)}/a`],
  ])("%s is not", (_what, value, code, at) => {
    const failure = failureOf(() => canonicalize(value));
    expect([failure.code, failure.at]).toEqual([code, at]);
  });

  test("depth counts from the hashed root, pointers from the value", () => {
    expect(canonicalize(nest(1, 31), { depth: 1 })).toBe(canonicalize(nest(1, 31)));
    const failure = failureOf(() => canonicalize(nest(1, 32), { depth: 1 }));
    expect([failure.code, failure.at]).toEqual(["JSON_TOO_DEEP", "/a/0".repeat(16)]);
    expect(failureOf(() => canonicalize(1, { depth: 33 })).at).toBe("");
    expect(failureOf(() => canonicalize({ a: [1], b: undefined }, { depth: 1 })).at).toBe("/b");
  });

  test.each<[string, unknown]>([
    ["strings", "x".repeat(60_000)],
    ["numbers", 1],
    ["containers", []],
  ])("a few arrays that hold one another many times over %s are refused, not written out", (_what, leaf) => {
    let value = leaf;
    for (let level = 0; level < 8; level += 1) value = Array.from({ length: 1024 }, () => value);
    const failure = failureOf(() => canonicalize(value));
    expect([failure.code, failure.detail]).toEqual(["JSON_TOO_LARGE", "its canonical text takes too much memory"]);
  });
});

describe("anything but plain data is refused, and none of its code is called", () => {
  class Money {
    amount = 1;
  }
  class Amounts extends Array<number> {}
  const cycle: Record<string, unknown> = {};
  cycle["self"] = [cycle];
  const withoutPrototype: object = Object.create(null);
  const callableRoot: object = Object.setPrototypeOf(
    Object.assign(() => 1, { isPrototypeOf: 1 }),
    null,
  );
  const manyCycles: unknown[] = [];
  manyCycles.push(manyCycles, manyCycles, manyCycles);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const revokedArray = Proxy.revocable([], {});
  revokedArray.revoke();
  const withGetter = (at: object, name: string | number): object =>
    Object.defineProperty(at, name, { get: throwIfCalled, enumerable: true, configurable: true });

  test.each<[string, unknown, string, string]>([
    ["undefined", undefined, "JSON_NOT_DATA", ""],
    ["undefined in a member", { a: { b: undefined } }, "JSON_NOT_DATA", "/a/b"],
    ["undefined in an array", [undefined], "JSON_NOT_DATA", "/0"],
    ["a function", { a: throwIfCalled }, "JSON_NOT_DATA", "/a"],
    ["a symbol", [Symbol("a")], "JSON_NOT_DATA", "/0"],
    ["a bigint", { a: 1n }, "JSON_NOT_DATA", "/a"],
    ["NaN", { a: [Number.NaN] }, "JSON_NUMBER_RANGE", "/a/0"],
    ["Infinity", [Number.NEGATIVE_INFINITY], "JSON_NUMBER_RANGE", "/0"],
    ["half a pair", { a: "x\ud83d" }, "JSON_SURROGATE", "/a"],
    ["half a pair in a member name", { a: { "\ude00": 1 } }, "JSON_SURROGATE", "/a"],
    ["a getter", withGetter({ a: 1 }, "b"), "JSON_NOT_DATA", "/b"],
    ["a getter in an array", { a: withGetter([1, 2], 1) }, "JSON_NOT_DATA", "/a/1"],
    ["a setter", Object.defineProperty({}, "a", { set: throwIfCalled, enumerable: true }), "JSON_NOT_DATA", "/a"],
    ["a hidden member", Object.defineProperty({}, "a", { value: 1 }), "JSON_NOT_DATA", "/a"],
    ["a symbol for a member name", [{ [Symbol.iterator]: 1 }], "JSON_NOT_DATA", "/0"],
    ["a symbol for a member name of an array", [Object.assign([1], { [Symbol("x")]: 1 })], "JSON_NOT_DATA", "/0"],
    // oxlint-disable-next-line no-sparse-arrays
    ["a hole in an array", [[, 1]], "JSON_NOT_DATA", "/0/0"],
    ["an array that is all holes", new Array(3), "JSON_NOT_DATA", "/0"],
    ["an array with a member beside its elements", { a: Object.assign([1], { b: 1 }) }, "JSON_NOT_DATA", "/a"],
    ["a hole made good by a member", Object.assign(new Array(1), { b: 1 }), "JSON_NOT_DATA", "/0"],
    ["an instance of a class", { a: new Money() }, "JSON_NOT_DATA", "/a"],
    ["an instance of a class that extends Array", [Amounts.of(1)], "JSON_NOT_DATA", "/0"],
    ["an array without a prototype", Object.setPrototypeOf([1], null), "JSON_NOT_DATA", ""],
    ["a date", new Date(0), "JSON_NOT_DATA", ""],
    ["a map", [new Map()], "JSON_NOT_DATA", "/0"],
    ["a boxed string", Object("a"), "JSON_NOT_DATA", ""],
    ["bytes", Uint8Array.of(1), "JSON_NOT_DATA", ""],
    ["an error", new Error("a"), "JSON_NOT_DATA", ""],
    ["a promise", Promise.resolve(1), "JSON_NOT_DATA", ""],
    ["an object that inherits", Object.create({ a: 1 }), "JSON_NOT_DATA", ""],
    ["an object that inherits from one without a prototype", Object.create(withoutPrototype), "JSON_NOT_DATA", ""],
    [
      "an object that inherits from one that looks like a root of another realm",
      Object.create({ isPrototypeOf: 1 }),
      "JSON_NOT_DATA",
      "",
    ],
    [
      "an object that inherits from a function that looks like such a root",
      Object.create(callableRoot),
      "JSON_NOT_DATA",
      "",
    ],
    ["an object that inherits from a proxy", Object.create(new Proxy({}, TRAPS)), "JSON_NOT_DATA", ""],
    ["an array that inherits from a proxy", Object.setPrototypeOf([], new Proxy([], TRAPS)), "JSON_NOT_DATA", ""],
    ["an object with toJSON", { toJSON: throwIfCalled }, "JSON_NOT_DATA", "/toJSON"],
    ["a proxy", { a: new Proxy({}, TRAPS) }, "JSON_NOT_DATA", "/a"],
    ["a proxy of an array", [new Proxy([], TRAPS)], "JSON_NOT_DATA", "/0"],
    ["a proxy of a function", new Proxy(throwIfCalled, TRAPS), "JSON_NOT_DATA", ""],
    ["a revoked proxy", { a: revoked.proxy }, "JSON_NOT_DATA", "/a"],
    ["a revoked proxy of an array", revokedArray.proxy, "JSON_NOT_DATA", ""],
    ["a cycle", cycle, "JSON_TOO_DEEP", `${"/self/0".repeat(16)}/self`],
    ["a cycle of many ways", manyCycles, "JSON_TOO_DEEP", "/0".repeat(33)],
    ["a name that a pointer escapes", { "a/b": { "~": undefined } }, "JSON_NOT_DATA", "/a~1b/~0"],
    ["behind what was well", { a: [1, [2]], b: { c: 3, d: [4, null, throwIfCalled] } }, "JSON_NOT_DATA", "/b/d/2"],
  ])("%s", (_what, value, code, at) => {
    for (const read of [canonicalize, copyJson]) {
      const failure = failureOf(() => read(value));
      expect([failure.code, failure.at]).toEqual([code, at]);
    }
  });

  test("a module, even one whose names have no values yet", async () => {
    const source = 'import * as self from "data:text/javascript,export const a = 1"; export default self';
    const { default: module } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    expect(failureOf(() => canonicalize(module)).code).toBe("JSON_NOT_DATA");
  });

  test.each<[unknown, string]>([
    [withGetter({}, "a"), "it is a getter or setter"],
    [new Proxy({}, {}), "it is a proxy"],
    [new Money(), "it is an instance of a class"],
    [undefined, "its type is undefined"],
    [Number.NaN, "it is not finite"],
    [nest(1, 33), "a value stands more than 32 levels down"],
    [membersOf(1025), "it has 1025"],
    [new Array(1), "it is a hole in an array"],
    [Object.assign([1], { b: 1 }), "it is an array with members beside its elements"],
    [Object.defineProperty({}, "a", { value: 1 }), "it is not enumerable"],
    [{ [Symbol.iterator]: 1 }, "it has a symbol for a member name"],
    [{ ["x".repeat(65_537)]: 1 }, "the string in a member name"],
    ["x\ud83d", "the string"],
    [{ "\ude00": 1 }, "the string in a member name"],
  ])("a failure says what was found: case %#", (value, detail) => {
    expect(failureOf(() => canonicalize(value)).detail).toBe(detail);
  });

  test("a failure says nothing of the value", () => {
    expect(failureOf(() => canonicalize({ a: "hunter2\ud800" })).message).not.toContain("hunter2");
  });
});

describe("copies", () => {
  test("share nothing with what was copied", () => {
    const inner = { b: [1, { c: "x" }] };
    const { value, canonical } = copyJson({ a: inner });
    inner.b.push(2);
    expect(value).toStrictEqual({ a: { b: [1, { c: "x" }] } });
    expect(canonical).toBe('{"a":{"b":[1,{"c":"x"}]}}');
  });

  test("keep __proto__ as a member", () => {
    const { value } = copyJson(JSON.parse('{"__proto__":{"a":1}}'));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}');
  });

  test("know one zero, and one realm", () => {
    const { value } = copyJson(runInNewContext("({ a: [-0] })"));
    expect(value).toStrictEqual({ a: [0] });
  });

  test("count their depth from the hashed root", () => {
    expect(failureOf(() => copyJson([1], { depth: 32 })).at).toBe("/0");
  });
});

describe("string literals", () => {
  test.each([
    ["", '""'],
    ["ORDER-7", '"ORDER-7"'],
    ['a"b\\c\n\u0001', '"a\\"b\\\\c\\n\\u0001"'],
    ["é😀\u007f\u2028", '"é😀\u007f\u2028"'],
    ["\ud83d", '"\\ud83d"'],
  ])("%j", (text, literal) => {
    expect(quote(text)).toBe(literal);
  });
});
