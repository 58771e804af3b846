import { describe, expect, test } from "vitest";
import { compileSchema, type SchemaCheck } from "../../src/schemas/compile.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";

const text = { type: "string" } as const;
const flat = { type: ["string", "number"] } as const;

function closedCheck(schema: JsonValue): SchemaCheck {
  const { usable, problems } = readSchema(schema);
  if (usable === null) throw new TypeError(JSON.stringify(problems));
  return usable.check;
}

/** A schema in which what counts as named depends on the value. */
const BRANCHED: JsonObject = {
  type: "object",
  properties: { name: text },
  required: ["name"],
  anyOf: [{ properties: { size: { type: "number" } }, required: ["size"] }, { $ref: "#/$defs/coloured" }],
  $defs: { coloured: { type: "object", properties: { colour: text }, required: ["colour"] } },
};

describe("a closed schema lets in what it names, and nothing else", () => {
  const schemas: Readonly<Record<string, JsonObject>> = {
    "named once": { type: "object", properties: { name: text, size: flat, colour: text }, required: ["name"] },
    "named in branches": BRANCHED,
    "closed by its author": { ...BRANCHED, unevaluatedProperties: false },
    "closed flatly": {
      type: "object",
      properties: { name: text, size: flat, colour: text },
      required: ["name"],
      additionalProperties: false,
    },
    "with more names than a few": {
      type: "object",
      properties: Object.fromEntries(
        [..."abcdefghijkl".split(""), "name", "size", "colour"].map((name) => [name, flat]),
      ),
      required: ["name"],
    },
  };
  const strangers = [
    ...[
      "other",
      "constructor",
      "toString",
      "valueOf",
      "hasOwnProperty",
      "isPrototypeOf",
      "__proto__",
      "__defineGetter__",
    ],
    ...["propertyIsEnumerable", "toLocaleString", "prototype", "", "length", "NAME", "name "],
  ];

  test.each(Object.keys(schemas))("%s: its own", (which) => {
    const fits = closedCheck(schemas[which] ?? null);
    expect(fits({ name: "a", size: 1 })).toBe(true);
    expect(fits({ name: "a", size: 1, colour: "red" })).toBe(true);
  });

  test.each(Object.keys(schemas).flatMap((which) => strangers.map((stranger) => [which, stranger] as const)))(
    "%s: no %j",
    (which, stranger) => {
      const fits = closedCheck(schemas[which] ?? null);
      expect(fits(JSON.parse(`{"name":"a","size":1,${JSON.stringify(stranger)}:1}`))).toBe(false);
    },
  );

  test("a name that every object inherits can be named", () => {
    const fits = closedCheck({ ...BRANCHED, properties: { name: text, constructor: text } });
    expect(fits({ name: "a", size: 1, constructor: "Ltd." })).toBe(true);
    expect(fits({ name: "a", size: 1, constructor: 1 })).toBe(false);
    expect(fits({ name: "a", size: 1 })).toBe(true);
  });
});

describe("what is inherited is not there", () => {
  test.each(["toString", "constructor", "__proto__"])("required: %s", (name) => {
    const fits = compileSchema({ type: "object", required: [name] });
    expect(fits({})).toBe(false);
    expect(fits(JSON.parse(`{"${name}":1}`))).toBe(true);
  });

  test("dependentRequired, dependentSchemas", () => {
    const fits = compileSchema({
      type: "object",
      dependentRequired: { toString: ["other"] },
      dependentSchemas: { valueOf: { required: ["other"] } },
    });
    expect(fits({})).toBe(true);
  });
});

describe("nothing is coerced, filled in or changed", () => {
  test.each<[JsonObject, JsonValue, boolean]>([
    [{ type: "object", properties: { n: { type: "integer" } } }, { n: "1" }, false],
    [{ type: "object", properties: { n: { type: "integer" } } }, { n: 1.5 }, false],
    [{ type: "object", properties: { n: { type: "string", default: "x" } }, required: ["n"] }, {}, false],
    [{ type: "object", properties: { s: { maxLength: 1 } } }, { s: "😀" }, true],
    [{ type: "object", properties: { s: { type: "string", pattern: "^\\S+$" } } }, { s: "a\u00a0b" }, false],
    [{ type: "object", properties: { s: { type: "string", format: "date" } } }, { s: "2026-02-30" }, false],
  ])("%j: %j %s", (schema, value, expected) => {
    const before = JSON.stringify(value);
    expect(compileSchema(schema)(value)).toBe(expected);
    expect(JSON.stringify(value)).toBe(before);
  });
});

describe("two schemas do not know one another", () => {
  test("patterns that differ", () => {
    const [a, b] = ["^a$", "^b$"].map((pattern) =>
      compileSchema({ type: "object", properties: { s: { type: "string", pattern } } }),
    );
    expect([a?.({ s: "a" }), a?.({ s: "b" }), b?.({ s: "a" }), b?.({ s: "b" })]).toEqual([true, false, false, true]);
  });

  test("two patterns in one schema", () => {
    const fits = compileSchema({
      type: "object",
      properties: { s: { type: "string", pattern: "^a$" }, t: { type: "string", pattern: "^b$" } },
    });
    expect(fits({ s: "a", t: "b" })).toBe(true);
    expect(fits({ s: "a", t: "a" })).toBe(false);
  });

  test("one $id twice", () => {
    const schema: JsonObject = { $id: "urn:example:note", type: "object" };
    expect(compileSchema(schema)({})).toBe(true);
    expect(compileSchema({ ...schema, required: ["a"] })({})).toBe(false);
  });
});

describe("a schema that is not usable is refused", () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 20_000; level += 1) deep = { allOf: [deep] };
  test.each<[string, JsonObject]>([
    ["a type that is none", { type: "objekt" }],
    ["a keyword that is none", { type: "object", propertys: {} }],
    ["a format that is none", { type: "object", properties: { s: { type: "string", format: "colour" } } }],
    ["a reference to nowhere", { type: "object", properties: { s: { $ref: "#/$defs/none" } } }],
    [
      "a reference to the dialect itself",
      { type: "object", properties: { s: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
    ],
    ["a reference to the network", { type: "object", properties: { s: { $ref: "https://example.com/schema" } } }],
    ["a look-ahead", { type: "object", properties: { s: { type: "string", pattern: "(?=a)" } } }],
    ["a look-ahead in a name", { type: "object", patternProperties: { "(?=a)": true } }],
    ["an asynchronous schema", { $async: true, type: "object" }],
    ["another draft", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }],
    ["more than the compiler's stack holds", deep],
  ])("%s", (_what, schema) => {
    expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ code: "SCHEMA_INVALID" }));
  });

  test("a value that overflows a recursive schema does not fit", () => {
    const fits = compileSchema({ type: "object", properties: { next: { $ref: "#" } } });
    let value: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) value = { next: value };
    expect(fits(value)).toBe(false);
  });

  test.each<[JsonValue]>([
    [null],
    [true],
    [[]],
    [{}],
    [{ type: ["object"] }],
    [{ type: "array" }],
    [{ type: "object", additionalProperties: true }],
    [{ type: "object", additionalProperties: {} }],
    [{ type: "object", unevaluatedProperties: { type: "string" } }],
  ])("an object cannot be closed by %j", (schema) => {
    const { usable, problems } = readSchema(schema);
    expect(usable).toBe(null);
    expect(problems).toHaveLength(1);
  });
});
