import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import * as compiledNames from "../../src/sample/compiled-checks.ts";
import { SAMPLE_SCHEMAS } from "../../src/sample/schemas.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { codePointLength } from "../../src/protocol/identifier.ts";
import { readSchema } from "../../src/schemas/read-schema.ts";
import { compiledTool } from "../../src/tools/compiled-tool.ts";
import { compiledChecks } from "./compiled-checks.ts";

const FILE = join(import.meta.dirname, "../../src/sample/compiled-checks.ts");
const compiled = new Map(Object.entries(compiledNames));
const NAMES = Object.keys(SAMPLE_SCHEMAS) as (keyof typeof SAMPLE_SCHEMAS)[];

/** Values that fit, almost fit, or have nothing to do with it. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\u3000",
    "ORDER-7",
    "paid",
    "refunded",
    "duplicate",
    "other",
    "DRAFT-1",
    "DRAFT-01",
    "DRAFT-",
  ),
  fc.string({ unit: "binary", maxLength: 70 }),
  fc.nat(70).map((length) => "𝒳".repeat(length)),
  fc.nat(70).map((length) => "\ud800".repeat(length)),
);
const member = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() });
const object = fc
  .record(
    { order_ref: member, reason: member, status: member, draft_id: member, toString: member, ["__proto__"]: member },
    { requiredKeys: [] },
  )
  .map((members) => members as unknown);
const value = fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: fc.jsonValue() });

describe("checks compiled ahead of time", () => {
  test("are what the schemas are compiled to now", async () => {
    expect(readFileSync(FILE, "utf8")).toBe(await compiledChecks());
  });

  test("are there for every schema, and no other", () => {
    expect([...compiled.keys()].toSorted()).toEqual(NAMES.toSorted());
  });

  test.each(NAMES)("%s says of every value what Ajv says of it at registration", (name) => {
    const { usable } = readSchema(SAMPLE_SCHEMAS[name]);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(value, (given) => {
        const verdict = usable?.check(given);
        verdicts.add(verdict === true);
        expect(compiled.get(name)?.(given)).toBe(verdict);
      }),
      {
        numRuns: 2_000,
        examples: [
          [{ order_ref: "ORDER-7" }],
          [{ order_ref: "a", status: "paid" }],
          [{ order_ref: "a", reason: "other" }],
          [{ draft_id: "DRAFT-10", order_ref: "a", reason: "other" }],
        ],
      },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  });

  test("belong to tools that registration would find nothing against, and would change nothing of", () => {
    const { tools } = sampleWorld(simulatedHost(0));
    const registered = tools
      .flatMap((tool) => [tool.inputSchema, tool.outputSchema])
      .map((schema) => {
        const { usable, problems } = readSchema(schema);
        expect(problems).toEqual([]);
        return [canonicalize(schema), canonicalize(usable?.schema ?? null)];
      });
    expect(registered).toHaveLength(4);
    for (const [own, closed] of registered) expect(own).toBe(closed);
    expect(tools.every((tool) => Object.isFrozen(tool.inputSchema["properties"]))).toBe(true);
  });
});

test("a compiled tool is refused like any other for all but its schemas", () => {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false } as const;
  const make = () =>
    compiledTool(
      {
        ...{ name: " ", description: "", risk: "read", inputSchema: schema, outputSchema: schema },
        sourceLabel: "x",
      } as never,
      { inputSchema: () => true, outputSchema: () => true },
    );
  expect(make).toThrow(TypeError);
  expect(make).toThrow(/name/);
});

test.each([
  ["", 0],
  ["a", 1],
  ["é", 1],
  ["𝒳𝒳", 2],
  ["\ud800", 1],
  ["\udc00\ud800", 2],
  ["a\ud835", 2],
])("%j has %i code points", (given, count) => {
  expect(codePointLength(given)).toBe(count);
});
