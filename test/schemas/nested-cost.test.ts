import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";
import { smallestSize } from "../../src/schemas/smallest-value.ts";
import { watched } from "./watched.ts";

const NODE: JsonObject = { $ref: "#/$defs/n" };
const NULL: JsonObject = { type: "null" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const recursive = (node: JsonValue, more: JsonObject = {}): JsonObject =>
  object({ v: NODE }, { $defs: { n: node, ...more } });
const marked = (mark: JsonObject, properties: JsonObject, more: JsonObject = {}): JsonObject =>
  object({ ...properties, kind: mark }, { required: ["kind"], ...more });

function nested(levels: number, wrap: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = "end";
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe("a recursive schema that judges no value too often is taken, and looks at each value a few times", () => {
  test.each<[string, JsonObject, (inner: JsonValue) => JsonValue]>([
    ["a list with an end", recursive({ anyOf: [object({ a: NODE }), NULL] }), (a) => ({ a })],
    ["a tree", recursive(object({ left: NODE, right: NODE })), (left) => ({ left, right: {} })],
    ["a tuple", recursive({ type: "array", prefixItems: [NODE, NODE], items: NODE }), (inner) => [inner, [], []]],
    [
      "any JSON",
      recursive({
        anyOf: [
          { type: ["string", "number", "boolean", "null"] },
          { type: "array", items: NODE },
          { type: "object", additionalProperties: NODE },
        ],
      }),
      (a) => ({ a }),
    ],
    [
      "alternatives told apart by a member that is last in the alphabet",
      recursive({
        anyOf: ["x", "y", "z"].map((kind) => marked({ const: kind }, { a: NODE }, { additionalProperties: false })),
      }),
      (a) => ({ kind: "z", a }),
    ],
    [
      "alternatives told apart by lists of values",
      recursive({
        oneOf: [marked({ enum: ["x", "y"] }, { a: NODE }), marked({ enum: ["z"] }, { a: NODE })],
      }),
      (a) => ({ kind: "z", a }),
    ],
    [
      "alternatives told apart that are referred to",
      recursive(
        { anyOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/y", description: "the other" }] },
        { x: marked({ const: "x" }, { a: NODE }), y: marked({ const: "y" }, { a: NODE }) },
      ),
      (a) => ({ kind: "y", a }),
    ],
    [
      "alternatives told apart that are referred to and added to",
      recursive(
        { anyOf: ["x", "y"].map((kind) => ({ $ref: `#/$defs/${kind}`, allOf: [object({ a: NODE })] })) },
        { x: marked({ const: "x" }, {}), y: marked({ const: "y" }, {}) },
      ),
      (a) => ({ kind: "y", a }),
    ],
    [
      "alternatives told apart before what depends on another member",
      recursive({
        anyOf: ["x", "y"].map((kind) =>
          marked({ const: kind }, { b: NULL }, { dependentSchemas: { b: object({ a: NODE }) } }),
        ),
      }),
      (a) => ({ kind: "y", a, b: null }),
    ],
    [
      "one of two, by a condition",
      recursive(
        object(
          { kind: { type: "string" } },
          JSON.parse(
            '{"if":{"properties":{"kind":{"const":"x"}}},"then":{"properties":{"a":{"$ref":"#/$defs/n"}}},"else":{"properties":{"a":{"$ref":"#/$defs/n"}}}}',
          ) as JsonObject,
        ),
      ),
      (a) => ({ kind: "x", a }),
    ],
  ])("%s", (_what, schema, wrap) => {
    const { usable, problems } = readSchema(schema);
    expect(problems).toEqual([]);
    const levels = 30;
    const value = { v: nested(levels, wrap) };
    for (const judge of [usable?.check, usable?.explain]) {
      const { value: given, looks } = watched(value, 1_000_000);
      judge?.(given as JsonValue);
      expect(looks()).toBeGreaterThan(levels);
      expect(looks()).toBeLessThan(levels * 100);
    }
  });
});

describe("one that judges a value too often is a problem at the place where the ways meet", () => {
  test.each<[string, JsonObject, string]>([
    [
      "alternatives that nothing tells apart",
      recursive({ anyOf: [object({ a: NODE, b: NULL }), object({ a: NODE, c: NULL })] }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that need not be there",
      recursive({ anyOf: ["x", "y"].map((kind) => object({ kind: { const: kind }, a: NODE })) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark beside members that have to be there",
      recursive({
        anyOf: ["x", "y"].map((kind) => object({ kind: { const: kind }, a: NODE }, { required: ["a"] })),
      }),
      "/$defs/n",
    ],
    [
      "alternatives with one and the same mark",
      recursive({ anyOf: [1, 2].map(() => marked({ const: "x" }, { a: NODE })) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that leads deeper itself",
      recursive({ anyOf: ["x", "y"].map((kind) => marked({ enum: [kind], $ref: "#/$defs/n" }, {})) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that is looked at too late: behind a part of its own",
      recursive({ anyOf: ["x", "y"].map((kind) => marked({ const: kind }, {}, { allOf: [object({ a: NODE })] })) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that is looked at too late: behind a member called like an index",
      recursive({ anyOf: ["x", "y"].map((kind) => marked({ const: kind }, { 0: NODE })) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that is looked at too late: behind the values of a map",
      recursive({ anyOf: ["x", "y"].map((kind) => marked({ const: kind }, {}, { additionalProperties: NODE })) }),
      "/$defs/n",
    ],
    [
      "alternatives with a mark that arrays do not have",
      recursive({
        anyOf: ["x", "y"].map((kind) => ({ ...marked({ const: kind }, {}), type: ["array", "object"], items: NODE })),
      }),
      "/$defs/n",
    ],
    ["parts", recursive({ type: "object", allOf: [object({ a: NODE }), object({ a: NODE })] }), "/$defs/n"],
    ["a name and a pattern", recursive(object({ aa: NODE }, { patternProperties: { "^a": NODE } })), "/$defs/n"],
    [
      "a part and a question about it",
      recursive(object({ a: NODE }, { not: object({ a: NODE }, { required: ["a"] }) })),
      "/$defs/n",
    ],
    [
      "alternatives of maps by pattern",
      recursive({
        anyOf: [NULL, { type: "string" }].map((b) => object({ b }, { patternProperties: { "^a": NODE } })),
      }),
      "/$defs/n",
    ],
    [
      "alternatives of elements",
      recursive({ anyOf: [1, 2].map((minItems) => ({ type: "array", minItems, unevaluatedItems: NODE })) }),
      "/$defs/n",
    ],
    [
      "a name in one alternative, a pattern in the other",
      recursive({
        anyOf: [object({ a: NODE, b: NULL }), object({ c: NULL }, { patternProperties: { "^a": NODE } })],
      }),
      "/$defs/n",
    ],
    ["elements and a question about them", recursive({ type: "array", items: NODE, contains: NODE }), "/$defs/n"],
    [
      "no circle, but as many ways: at the first of the doubles",
      recursive(
        { $ref: "#/$defs/d12" },
        Object.fromEntries(
          Array.from({ length: 13 }, (_, level) => [
            `d${level}`,
            level === 0
              ? NULL
              : { anyOf: [1, 2].map((way) => object({ a: { $ref: `#/$defs/d${level - 1}` }, [`b${way}`]: NULL })) },
          ]),
        ),
      ),
      "/$defs/d12",
    ],
    [
      "far within: not at the root",
      object(
        { list: { type: "array", items: object({ deep: NODE, other: NULL }) } },
        { $defs: { n: { anyOf: [object({ a: NODE, b: NULL }), object({ a: NODE, c: NULL })] } } },
      ),
      "/$defs/n",
    ],
  ])("%s", (_what, schema, at) => {
    const start = performance.now();
    const { usable, problems } = readSchema(schema);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(usable).toBe(null);
    expect(problems).toContainEqual({
      at,
      problem: expect.stringMatching(/\d{4,} of them would judge one value \d+ levels deep$/) as string,
      remedy: expect.stringContaining("give each alternative a required member") as string,
    });
  });
});

test("no schema that is taken has a value looked at too often", () => {
  const { schema } = fc.letrec<{ schema: JsonValue; object: JsonObject; keyword: JsonObject }>((tie) => {
    const held = (name: string, drawn: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
      drawn.map((value) => ({ [name]: value as JsonValue }));
    const list = fc.array(tie("schema"), { minLength: 2, maxLength: 2 });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<JsonValue>(NODE, NODE, { $ref: "#/$defs/m" }, { type: "string" }, { const: "x" }),
        tie("object"),
      ),
      object: fc
        .tuple(
          fc.dictionary(fc.constantFrom("a", "b", "0"), tie("schema"), { maxKeys: 2, noNullPrototype: true }),
          fc.constantFrom<JsonObject>({}, { kind: { const: "x" } }, { kind: { const: "y" } }),
          fc.array(tie("keyword"), { maxLength: 1 }),
        )
        .map(([properties, kind, keywords]) => ({
          ...object({ ...properties, ...kind }, { required: Object.keys(kind) }),
          ...keywords[0],
        })),
      keyword: fc.oneof(
        ...["allOf", "anyOf", "anyOf", "oneOf"].map((name) => held(name, list)),
        ...["not", "additionalProperties"].map((name) => held(name, tie("schema"))),
        held("type", fc.constant(["array", "object"])).chain((type) =>
          held("items", tie("schema")).map((items) => ({ ...type, ...items })),
        ),
      ),
    };
  });
  const wrap = fc.constantFrom<(inner: JsonValue) => JsonValue>(
    (a) => ({ a, kind: "x" }),
    (a) => ({ a, kind: "y" }),
    (b) => ({ b, kind: "y" }),
    (first) => ({ 0: first, kind: "y" }),
    (element) => [element],
  );
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(schema, schema, fc.array(wrap, { minLength: 24, maxLength: 24 }), (n, m, wraps) => {
      const { usable, problems } = readSchema(recursive(n, { m }));
      if (usable === null) refused += problems.some(({ problem }) => problem.includes("levels deep")) ? 1 : 0;
      else {
        taken += 1;
        const allowed = wraps.length * 1_024 * 10;
        const { value, looks } = watched({ v: wraps.reduceRight<JsonValue>((inner, one) => one(inner), "x") }, allowed);
        usable.check(value);
        expect(looks()).toBeLessThan(allowed);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(50);
});

// With mutants in it every line takes longer: its time says something of the code as it is only.
test.skipIf(process.env["CALLGATE_MUTATION_ROOM"] !== undefined)(
  "many alternatives that are told apart are found to be so in time",
  () => {
    const kinds = Array.from({ length: 200 }, (_, index) => `k${index}`);
    const start = performance.now();
    const { problems } = readSchema(
      recursive({ anyOf: kinds.map((kind) => marked({ const: kind }, { a: NODE, [`of-${kind}`]: NULL })) }),
    );
    expect(problems).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  },
);

test("the smallest value is found in time where references multiply", () => {
  const required = (level: number): JsonObject =>
    level === 0
      ? { type: "string" }
      : object(
          { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
          { required: ["a", "b"] },
        );
  const $defs = Object.fromEntries(Array.from({ length: 31 }, (_, level) => [`d${level}`, required(level)]));
  const start = performance.now();
  expect(smallestSize(object({ a: { $ref: "#/$defs/d30" } }, { required: ["a"], $defs }))).toMatchObject({ depth: 31 });
  expect(performance.now() - start).toBeLessThan(1_000);
});
