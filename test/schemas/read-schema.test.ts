import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { LIMITS } from "../../src/protocol/limits.ts";
import { FORMATS } from "../../src/schemas/formats.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const placesOf = (schema: unknown): readonly string[] => readSchema(schema).problems.map(({ at }) => at);

describe("what is not taken is placed, all of it at once", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["a misspelt keyword", object({ a: { type: "string", maxlength: 3 } }), ["/properties/a/maxlength"]],
    [
      "a keyword of another draft",
      object({}, { definitions: {}, dependencies: {} }),
      ["/definitions", "/dependencies"],
    ],
    ["a name of its own below the root", object({ a: { $id: "urn:a", type: "string" } }), ["/properties/a/$id"]],
    ["another dialect", { ...object({}), $schema: "http://json-schema.org/draft-07/schema#" }, ["/$schema"]],
    ["a reference to the network", object({ a: { $ref: "https://example.com/a" } }), ["/properties/a/$ref"]],
    ["a reference to a file", object({ a: { $ref: "other.json#/a" } }), ["/properties/a/$ref"]],
    ["a reference to nothing", object({ a: { $ref: "#/$defs/a" } }), ["/properties/a/$ref"]],
    ["a reference to no schema", object({ a: { $ref: "#/properties" } }), ["/properties/a/$ref"]],
    ["a dynamic reference", object({ a: { $dynamicRef: "#a", type: "string" } }), ["/properties/a/$dynamicRef"]],
    ["look-ahead", object({ a: { type: "string", pattern: "^(?=a)" } }), ["/properties/a/pattern"]],
    ["a back reference", object({ a: { type: "string", pattern: "(a)\\1" } }), ["/properties/a/pattern"]],
    [
      "look-ahead in a name",
      object({}, { patternProperties: { "(?!a)": { type: "null" } } }),
      ["/patternProperties/(?!a)"],
    ],
    ["a format that is none", object({ a: { type: "string", format: "colour" } }), ["/properties/a/format"]],
    ["a format without a linear check", object({ a: { type: "string", format: "regex" } }), ["/properties/a/format"]],
    ["a type that is none", object({ a: { type: "strange" } }), ["/properties/a/type"]],
    ["a schema that is none", object({ a: 7 }), ["/properties/a"]],
    ["a rule without a value", object({ a: { type: "string", maxLength: undefined } }), ["/properties/a/maxLength"]],
    [
      "several things",
      object({ a: { type: "string", pattern: "(?=a)" }, b: true, c: { $ref: "#/c" } }, { nullable: true }),
      ["/nullable", "/properties/a/pattern", "/properties/c/$ref", "/properties/b"],
    ],
  ])("%s", (_what, schema, places) => {
    expect(placesOf(schema)).toEqual(places);
  });

  test.each([undefined, null, 7, "{}", [], () => ({ type: "object" }), new Map()])("no schema at all: %s", (given) => {
    expect(readSchema(given).usable).toBe(null);
  });

  test("one that cannot be read", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("not for you");
        },
      },
    );
    expect(JSON.stringify(readSchema(hostile))).toMatch(/^{"usable":null(?!.*not for you)/);
  });
});

describe("too big, or too dear", () => {
  const sized = (bytes: number): JsonObject => {
    const properties = {
      a: { type: "string", description: "" },
      b: { type: "string", description: "x".repeat(30_000) },
    };
    const schema = { type: "object", properties, additionalProperties: false };
    properties.a.description = "x".repeat(bytes - JSON.stringify(schema).length);
    return schema;
  };
  test(`${LIMITS.schemaBytes} bytes are few enough, one more is not`, () => {
    expect(placesOf(sized(LIMITS.schemaBytes))).toEqual([]);
    expect(placesOf(sized(LIMITS.schemaBytes + 1))).toEqual([""]);
  });

  test("nested too deep", () => {
    const nested = (levels: number): object => (levels === 0 ? object({}) : object({ a: nested(levels - 1) }));
    expect(placesOf(nested(15))).toEqual([]);
    expect(readSchema(nested(17)).problems[0]?.problem).toContain("deep");
  });

  test("a schema that goes round in a circle for one value", () => {
    expect(
      placesOf(object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } } })),
    ).toEqual(["/$defs/a"]);
    expect(placesOf(object({ a: { $ref: "#" } }))).toEqual([]);
  });

  test("references that multiply", () => {
    const doubling = (levels: number): object => ({
      ...object({ a: { $ref: `#/$defs/d${levels}` } }),
      $defs: Object.fromEntries(
        Array.from({ length: levels + 1 }, (_, level) => [
          `d${level}`,
          level === 0 ? { type: "string" } : { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${level - 1}` })) },
        ]),
      ),
    });
    expect(placesOf(doubling(7))).toEqual([]);
    const start = performance.now();
    expect(placesOf(doubling(60)).length).toBe(1);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("formats", () => {
  const check = (format: string): ((value: unknown) => boolean) => {
    const { usable } = readSchema(object({ s: { type: "string", format } }));
    if (usable === null) throw new TypeError(format);
    return usable.check;
  };

  test.each<[string, string, boolean]>([
    ["date", "2026-02-28", true],
    ["date", "2026-02-30", false],
    ["email", "ada@example.com", true],
    ["email", "ada", false],
    ["uri", "https://ada@example.com:80/a/b?c=d#e", true],
    ["uri", "urn:isbn:1", true],
    ["uri", "HTTP://[::1]/%41", true],
    ["uri", "//example.com", false],
    ["uri", "https://a b", false],
    ["uri", "1a:b", false],
    ["uri", "http://%zz", false],
    ["uri-reference", "../a?b#c", true],
    ["uri-reference", "a b", false],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000", true],
    ["ipv4", "256.1.1.1", false],
  ])("%s: %s %s", (format, text, expected) => {
    expect(check(format)({ s: text })).toBe(expected);
  });

  test.each(FORMATS)(
    "%s takes no more than linear time",
    (format) => {
      const fits = check(format);
      const starts = ["", "http://a", "http://a.b/", "a@", "P", "{", "/", "2020-01-01T00:00:00."];
      const middles = ["a", "0", ":", ";", "f:", "a.", "%41", "~1", "{a}", "::", "a-", "1Y"];
      fits({ s: "" });
      const start = performance.now();
      for (const first of starts) {
        for (const middle of middles) fits({ s: `${first}${middle.repeat(65_000 / middle.length)}\n` });
      }
      // A quadratic check takes seconds for one of these.
      expect((performance.now() - start) / (starts.length * middles.length)).toBeLessThan(100);
    },
    30_000,
  );
});
