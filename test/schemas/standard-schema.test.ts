import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readSchema } from "../../src/schemas/read-schema.ts";

class Order {
  readonly a: string = "x";
}

/** One and the same schema, as each library writes it, and as it is. */
const ORDERS: Readonly<Record<string, unknown>> = {
  zod: z.object({
    order: z.string().min(1).max(8),
    count: z.int().optional(),
    lines: z.array(z.object({ sku: z.string() })),
  }),
  "zod, strict": z.strictObject({
    order: z.string().min(1).max(8),
    count: z.int().optional(),
    lines: z.array(z.strictObject({ sku: z.string() })),
  }),
  arktype: type({ order: "1 <= string <= 8", "count?": "number.integer", lines: type({ sku: "string" }).array() }),
  valibot: toStandardJsonSchema(
    v.object({
      order: v.pipe(v.string(), v.minLength(1), v.maxLength(8)),
      count: v.optional(v.pipe(v.number(), v.integer())),
      lines: v.array(v.object({ sku: v.string() })),
    }),
  ),
  typebox: Type.Object({
    order: Type.String({ minLength: 1, maxLength: 8 }),
    count: Type.Optional(Type.Integer()),
    lines: Type.Array(Type.Object({ sku: Type.String() })),
  }),
  "JSON Schema": {
    type: "object",
    properties: {
      order: { type: "string", minLength: 1, maxLength: 8 },
      count: { type: "integer" },
      lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] } },
    },
    required: ["order", "lines"],
  },
};

describe.each(Object.keys(ORDERS))("%s", (library) => {
  const { usable, problems } = readSchema(ORDERS[library]);

  test.each<[unknown, boolean]>([
    [{ order: "A", lines: [] }, true],
    [{ order: "A", count: 3, lines: [{ sku: "x" }] }, true],
    [{ order: "", lines: [] }, false],
    [{ order: "123456789", lines: [] }, false],
    [{ order: "A" }, false],
    [{ order: "A", count: "3", lines: [] }, false],
    [{ order: "A", count: 1.5, lines: [] }, false],
    [{ order: "A", lines: [], extra: 1 }, false],
    [{ order: "A", lines: [{ sku: "x", extra: 1 }] }, false],
    [{ order: "A", lines: [{}] }, false],
    [["A"], false],
    [null, false],
  ])("%j %s", (value, expected) => {
    expect(problems).toEqual([]);
    expect(usable?.check(value)).toBe(expected);
  });
});

describe("what a library can say beyond JSON Schema is asked too", () => {
  test.each([
    ["zod", z.object({ a: z.string().refine((text) => text === "yes") })],
    ["arktype", type({ a: type("string").narrow((text) => text === "yes") })],
    [
      "valibot",
      toStandardJsonSchema(
        v.object({
          a: v.pipe(
            v.string(),
            v.check((text) => text === "yes"),
          ),
        }),
      ),
    ],
  ])("%s", (_library, schema) => {
    const { usable, problems } = readSchema(schema);
    // Where the library itself finds that JSON Schema cannot say it, it is refused when it is registered.
    if (usable === null) expect(problems[0]?.problem).toContain("no JSON Schema for it");
    else expect([usable.check({ a: "yes" }), usable.check({ a: "no" })]).toEqual([true, false]);
  });
});

describe("what changes values is refused when it is registered, where that can be known", () => {
  test.each<[string, unknown]>([
    ["a default of zod", z.object({ a: z.string().default("x") })],
    ["a transformation of zod", z.object({ a: z.string().transform((text) => text.length) })],
    ["a pipe of zod", z.object({ a: z.string().transform(Number).pipe(z.number()) })],
    ["an open object of zod", z.looseObject({ a: z.string() })],
    ["a morph of arktype", type({ a: "string.numeric.parse" })],
    ["a default of arktype", type({ a: "string = 'x'" })],
    ["a default of valibot", toStandardJsonSchema(v.object({ a: v.optional(v.string(), "x") }))],
    ["a transformation of valibot", toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.transform(Number)) }))],
    ["valibot without its wrapper", v.object({ a: v.string() })],
    ["a date of zod", z.object({ a: z.date() })],
  ])("%s", (_what, schema) => {
    const { usable, problems } = readSchema(schema);
    expect(usable).toBe(null);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe("what changes values is refused when it is called", () => {
  test.each<[string, unknown, unknown, unknown]>([
    ["trimming", z.object({ a: z.string().trim() }), { a: "x" }, { a: " x" }],
    ["overwriting", z.object({ a: z.string().toLowerCase() }), { a: "x" }, { a: "X" }],
    ["coercion", z.object({ a: z.coerce.number() }), { a: 1 }, { a: "1" }],
  ])("%s", (_what, schema, kept, changed) => {
    const { usable, problems } = readSchema(schema);
    expect(problems).toEqual([]);
    expect([usable?.check(kept), usable?.check(changed)]).toEqual([true, false]);
  });
});

describe("a library that misbehaves", () => {
  const JSON_SCHEMA = { type: "object", properties: { a: { type: "string" } } };
  const standard = (changes: object): unknown => ({
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => JSON_SCHEMA, output: () => JSON_SCHEMA },
      ...changes,
    },
  });
  const value = { a: "x" };

  test.each<[string, (given: unknown) => unknown, boolean]>([
    ["the same value", (given) => ({ value: given }), true],
    ["an equal value", () => ({ value: { a: "x" } }), true],
    ["falsy issues", (given) => ({ value: given, issues: undefined }), true],
    ["another value", () => ({ value: { a: "y" } }), false],
    ["less", () => ({ value: {} }), false],
    ["more", () => ({ value: { a: "x", b: undefined } }), false],
    ["an instance of a class", () => ({ value: Object.assign(new Order(), value) }), false],
    ["no value", () => ({}), false],
    ["issues", (given) => ({ value: given, issues: [] }), false],
    ["nothing", () => undefined, false],
    ["true", () => true, false],
    ["a promise", async (given) => ({ value: given }), false],
    [
      "a promise that fails",
      async () => {
        throw new Error("not for you");
      },
      false,
    ],
    [
      "a thenable",
      (given) =>
        Object.fromEntries(
          ["then"].map((name) => [
            name,
            (resolve: (result: object) => void) => {
              resolve({ value: given });
            },
          ]),
        ),
      false,
    ],
    [
      "a throw",
      () => {
        throw new Error("not for you");
      },
      false,
    ],
    [
      "a getter that throws",
      () => ({
        get value(): never {
          throw new Error("not for you");
        },
      }),
      false,
    ],
    [
      "a change of what it was given",
      (given) => {
        Object.assign(given as object, { a: "y" });
        return { value: given };
      },
      false,
    ],
  ])("validate gives %s: %s", (_what, validate, expected) => {
    const { usable } = readSchema(standard({ validate }));
    expect(usable?.check(value)).toBe(expected);
    expect(value).toEqual({ a: "x" });
  });

  test("its validate is never asked about what does not fit its JSON Schema", () => {
    const asked: unknown[] = [];
    const { usable } = readSchema(
      standard({
        validate: (given: unknown) => {
          asked.push(given);
          return { value: given };
        },
      }),
    );
    expect(usable?.check({ a: 7 })).toBe(false);
    expect(usable?.check({ a: "x", b: 1 })).toBe(false);
    expect(asked).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["another version", { version: 2 }, "version"],
    ["no validate", { validate: undefined }, "version"],
    ["no JSON Schema", { jsonSchema: undefined }, "does not give its JSON Schema"],
    [
      "a JSON Schema that cannot be had",
      {
        jsonSchema: {
          input: () => JSON_SCHEMA,
          output: () => {
            throw new Error("no dates");
          },
        },
      },
      "no dates",
    ],
    [
      "two that differ",
      { jsonSchema: { input: () => JSON_SCHEMA, output: () => ({ ...JSON_SCHEMA, required: ["a"] }) } },
      "changes values",
    ],
    ["one that is none", { jsonSchema: { input: () => 7, output: () => 7 } }, "no schema"],
  ])("%s", (_what, changes, told) => {
    const { usable, problems } = readSchema(standard(changes));
    expect(usable).toBe(null);
    expect(problems.map(({ problem }) => problem).join()).toContain(told);
  });
});
