import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { compileSchema } from "../../src/schemas/compile.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";

const TEXT = { type: "string" } as const;
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

function closed(schema: JsonObject): (value: unknown) => boolean {
  const { usable, problems } = readSchema(schema);
  if (usable === null) throw new TypeError(JSON.stringify(problems));
  return usable.check;
}

describe("objects that were left open are closed, at every depth", () => {
  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["a member", object({ o: object({ a: TEXT }) }), { o: { a: "x" } }, { o: { a: "x", b: "x" } }],
    [
      "an element",
      object({ l: { type: "array", items: object({ a: TEXT }) } }),
      { l: [{ a: "x" }] },
      { l: [{ a: "x" }, { b: "x" }] },
    ],
    [
      "an element of a tuple",
      object({ l: { type: "array", prefixItems: [object({ a: TEXT })], items: false } }),
      { l: [{ a: "x" }] },
      { l: [{ b: "x" }] },
    ],
    [
      "a value of a map",
      object({ m: { type: "object", additionalProperties: object({ a: TEXT }) } }),
      { m: { k: { a: "x" } } },
      { m: { k: { b: "x" } } },
    ],
    [
      "a member by pattern",
      object({}, { patternProperties: { "^x": object({ a: TEXT }) } }),
      { x1: { a: "x" } },
      { x1: { b: "x" } },
    ],
    [
      "an alternative",
      object({ u: { anyOf: [TEXT, object({ a: TEXT })] } }),
      { u: { a: "x" } },
      { u: { a: "x", b: "x" } },
    ],
    [
      "what is referred to, together with what is added",
      object(
        { o: { allOf: [{ $ref: "#/$defs/base" }, object({ b: TEXT })] } },
        { $defs: { base: object({ a: TEXT }) } },
      ),
      { o: { a: "x", b: "x" } },
      { o: { a: "x", c: "x" } },
    ],
    [
      "what refers to itself",
      object({ a: TEXT, next: { $ref: "#" } }),
      { next: { next: { a: "x" } } },
      { next: { next: { b: "x" } } },
    ],
    [
      "alternatives that a member tells apart",
      object({
        u: {
          oneOf: ["m", "n"].map((mark) =>
            object({ t: { const: mark }, o: object({ [mark]: TEXT }) }, { required: ["t"] }),
          ),
        },
      }),
      { u: { t: "n", o: { n: "x" } } },
      { u: { t: "n", o: { m: "x" } } },
    ],
    [
      "what depends on a condition",
      object(
        { k: TEXT },
        JSON.parse(
          '{"if":{"properties":{"k":{"const":"x"}}},"then":{"properties":{"o":{"type":"object","properties":{"a":{"type":"string"}}}}}}',
        ) as JsonObject,
      ),
      { k: "x", o: { a: "x" } },
      { k: "x", o: { b: "x" } },
    ],
  ])("%s", (_what, schema, fitting, stray) => {
    expect(closed(schema)(fitting)).toBe(true);
    expect(compileSchema(schema)(stray), "it was open before").toBe(true);
    expect(closed(schema)(stray)).toBe(false);
  });

  test("a listed value is as exact as it can be", () => {
    const fits = closed(object({ o: { const: { a: { b: [1] } } } }));
    expect([fits({ o: { a: { b: [1] } } }), fits({ o: { a: { b: [1], c: 1 } } })]).toEqual([true, false]);
  });
});

describe("where closing would change more than that, it is a problem", () => {
  const openObject = object({ x: TEXT });
  test.each<[string, JsonObject, string]>([
    ["any value", object({ a: true }), "/properties/a"],
    ["any value, with a description", object({ a: { description: "a" } }), "/properties/a"],
    ["any element", object({ a: { type: "array" } }), "/properties/a"],
    ["elements after the first", object({ a: { type: "array", prefixItems: [TEXT] } }), "/properties/a"],
    ["any member", object({ a: { type: "object", additionalProperties: {} } }), "/properties/a/additionalProperties"],
    [
      "any member of what is referred to",
      object({ a: { $ref: "#/$defs/o" } }, { $defs: { o: { type: "object", unevaluatedProperties: true } } }),
      "/$defs/o/unevaluatedProperties",
    ],
    ["a map of arguments", { type: "object", additionalProperties: TEXT }, "/additionalProperties"],
    [
      "one member, described twice",
      object({}, { allOf: [object({ o: object({ x: TEXT }) }), object({ o: object({ y: TEXT }) })] }),
      "/allOf/1/properties/o",
    ],
    [
      "one member, described by name and by pattern",
      object({ xo: openObject }, { patternProperties: { "^x": object({ y: TEXT }) } }),
      "/properties/xo",
    ],
    [
      "a part that is lent to something bigger",
      object({ a: openObject, b: { allOf: [{ $ref: "#/properties/a" }, object({ y: TEXT })] } }),
      "/properties/b",
    ],
    [
      "a part by which a condition asks",
      object({ a: openObject, b: { type: "object", not: { $ref: "#/properties/a" }, additionalProperties: TEXT } }),
      "/properties/a",
    ],
    [
      "alternatives that nothing tells apart",
      object({ u: { oneOf: [object({ o: openObject }), object({ o: object({ y: TEXT }) })] } }),
      "/properties/u/oneOf",
    ],
    ["a condition about what nothing describes", object({ a: TEXT }, { if: { properties: { z: openObject } } }), "/if"],
  ])("%s", (_what, schema, at) => {
    const { usable, problems } = readSchema(schema);
    expect(usable).toBe(null);
    expect(problems.map((problem) => problem.at)).toContain(at);
    for (const { problem, remedy } of problems) expect([problem, remedy].every((text) => text.length > 8)).toBe(true);
  });
});

describe("closing, with any schema", () => {
  const NAMES = ["a", "b"] as const;
  const leaf: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(TEXT, TEXT, { type: "number" }, { const: 1 }, false);
  const { schema } = fc.letrec<{ schema: JsonValue; object: JsonValue; keyword: JsonObject }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
    const held = (name: string, drawn: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
      drawn.map((value) => ({ [name]: value as JsonValue }));
    return {
      schema: fc.oneof({ maxDepth: 3 }, leaf, tie("object")),
      object: fc
        .tuple(
          fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), { maxKeys: 2, noNullPrototype: true }),
          fc.array(tie("keyword"), { maxLength: 2 }),
        )
        .map(([properties, keywords]) => object(properties, Object.assign({}, ...keywords) as JsonObject)),
      keyword: fc.oneof(
        held(
          "patternProperties",
          fc.dictionary(fc.constantFrom("^a", "b$"), tie("schema"), { maxKeys: 1, noNullPrototype: true }),
        ),
        held("additionalProperties", fc.oneof(fc.boolean(), tie("schema"))),
        held("required", fc.constantFrom(["a"], ["b"])),
        ...["allOf", "anyOf", "oneOf"].map((name) => held(name, list)),
        ...["not", "if", "then"].map((name) => held(name, tie("schema"))),
      ),
    };
  });
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>("x", "x", 1),
      fc.dictionary(fc.constantFrom(...NAMES, ...NAMES, "stray"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));

  test("lets in nothing that was refused before, and no member that nobody named", () => {
    let [accepted, refusedStrays] = [0, 0];
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 12 }), (drawn, values) => {
        const whole = object({ m: drawn });
        const { usable } = readSchema(whole);
        if (usable === null) return;
        const before = compileSchema(whole);
        const isMap = JSON.stringify(usable.schema)
          .replaceAll('"additionalProperties":false', "")
          .includes("additionalProperties");
        for (const m of values) {
          if (usable.check({ m })) {
            accepted += 1;
            expect(before({ m })).toBe(true);
            if (!isMap) expect(JSON.stringify(m)).not.toContain("stray");
          } else if (before({ m })) refusedStrays += 1;
        }
      }),
      { numRuns: 1_500 },
    );
    expect(Math.min(accepted, refusedStrays)).toBeGreaterThan(50);
  });
});
