import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";

const TEXT: JsonObject = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

/** What stands here as text has members that are called like methods of a promise. */
const read = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe("a member that is asked for and cannot be there is a problem", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ["named nowhere", object({ note: TEXT }, { required: ["note", "nota"] }), ["/required/1"]],
    ["named by nothing at all", { type: "object", required: ["a", "b"] }, ["/required/0", "/required/1"]],
    [
      "named in an object that its author closed",
      object({ a: TEXT }, { required: ["b"], additionalProperties: false }),
      ["/required/0"],
    ],
    ["by a name that every object inherits", object({ a: TEXT }, { required: ["constructor"] }), ["/required/0"]],
    [
      "deep within",
      object({ list: { type: "array", items: object({ a: TEXT }, { required: ["b"] }) } }),
      ["/properties/list/items/required/0"],
    ],
    [
      "in what is referred to, once for all who refer to it",
      object(
        { x: { $ref: "#/$defs/o" }, y: { $ref: "#/$defs/o" } },
        { $defs: { o: object({ a: TEXT }, { required: ["b"] }) } },
      ),
      ["/$defs/o/required/0"],
    ],
    [
      "in an alternative",
      object({ a: TEXT }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      ["/anyOf/1/required/0"],
    ],
    ["because of another member", object({ a: TEXT }, { dependentRequired: { a: ["b"] } }), ["/dependentRequired/a/0"]],
    [
      "because of another member, by a schema",
      object({ a: TEXT }, { dependentSchemas: { a: { required: ["b"] } } }),
      ["/dependentSchemas/a/required/0"],
    ],
    [
      "under a condition",
      object({ a: TEXT }, read('{"if":{"required":["a"]},"then":{"required":["b"]}}')),
      ["/then/required/0"],
    ],
    [
      "named by a pattern that it does not fit",
      object({}, { patternProperties: { "^x": TEXT }, required: ["x1", "y1"] }),
      ["/required/1"],
    ],
    [
      "named in an alternative, and closed beside it",
      object({ a: TEXT }, { additionalProperties: false, anyOf: [object({ b: TEXT }, { required: ["b"] })] }),
      ["/anyOf/0/required/0"],
    ],
    [
      "named in one part, and closed in the other",
      {
        type: "object",
        allOf: [
          object({ a: TEXT }, { additionalProperties: false }),
          object({ b: TEXT }, { required: ["b"], additionalProperties: false }),
        ],
      },
      ["/allOf/1/required/0"],
    ],
    [
      "named in one part, and closed in the other with all that it has",
      {
        type: "object",
        allOf: [
          { type: "object", anyOf: [object({ a: TEXT })], unevaluatedProperties: false },
          object({ b: TEXT }, { required: ["a", "b"] }),
        ],
      },
      ["/allOf/1/required/1"],
    ],
    [
      "asked by a condition, which then never holds",
      object({ a: TEXT }, read('{"if":{"required":["z"]},"then":{"required":["a"]}}')),
      ["/if"],
    ],
  ])("%s", (_what, schema, places) => {
    const { usable, problems } = readSchema(schema);
    expect(usable).toBe(null);
    expect(problems.map(({ at }) => at)).toEqual(places);
  });

  test("it says which, and how to mend it", () => {
    expect(readSchema(object({ note: TEXT }, { required: ["nota"] })).problems).toEqual([
      {
        at: "/required/0",
        problem: "it asks for `nota`, which no schema names",
        remedy: "name it in `properties`, or do not ask for it",
      },
    ]);
  });
});

describe("one that can be there is none", () => {
  test.each<[string, JsonObject, JsonValue]>([
    ["named beside it", object({ a: TEXT }, { required: ["a"] }), { a: "x" }],
    ["named by its own name only", object({ constructor: TEXT }, { required: ["constructor"] }), { constructor: "x" }],
    ["named by a pattern", object({}, { patternProperties: { "^a": TEXT }, required: ["ab"] }), { ab: "x" }],
    [
      "a key of a map",
      object({ m: { type: "object", additionalProperties: TEXT, required: ["k"] } }),
      { m: { k: "x" } },
    ],
    [
      "asked for beside a reference that names it",
      object({ o: { $ref: "#/$defs/o", required: ["a"] } }, { $defs: { o: object({ a: TEXT }) } }),
      { o: { a: "x" } },
    ],
    [
      "asked for in one part, named in another",
      { type: "object", allOf: [{ required: ["a"] }, object({ a: TEXT })] },
      { a: "x" },
    ],
    [
      "asked for in an alternative",
      object({ a: TEXT, b: TEXT }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      { b: "x" },
    ],
    [
      "named in an alternative only",
      object({ a: TEXT }, { anyOf: [object({ b: TEXT }), object({})], required: ["b"] }),
      { b: "x" },
    ],
    ["asked for by a question, to refuse it", object({ a: TEXT }, { not: { required: ["z"] } }), { a: "x" }],
    [
      "asked for where alternatives are closed, each for itself",
      object({
        u: {
          anyOf: [
            object({ a: TEXT }, { required: ["a"], additionalProperties: false }),
            object({ b: TEXT }, { required: ["b"], additionalProperties: false }),
          ],
        },
      }),
      { u: { b: "x" } },
    ],
    [
      "named in a part of what is closed with all that it has",
      { type: "object", allOf: [object({ a: TEXT }, { required: ["a"] })], unevaluatedProperties: false },
      { a: "x" },
    ],
    ["of what is no object", object({ s: { type: "string", required: ["z"] } }), { s: "x" }],
  ])("%s", (_what, schema, value) => {
    const { usable, problems } = readSchema(schema);
    expect(problems).toEqual([]);
    expect(usable?.check(value)).toBe(true);
  });
});
