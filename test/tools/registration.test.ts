import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createGate } from "../../src/dispatcher/gate.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { providerToolName } from "../../src/protocol/provider-tool-name.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { lintTools } from "../../src/tools/lint-tools.ts";
import { createRegistry } from "../../src/tools/registry.ts";

const NOTE = { type: "object", properties: { note: { type: "string" } }, required: ["note"] } as const;
const revisions = { inputSchema: "i1", outputSchema: "o1", effect: "e1", handler: "h1", producer: "p1", policy: "y1" };
const evidence = {
  producerRevision: "p1",
  resourceRevision: null,
  observedAt: "2026-01-02T03:04:05Z",
  requestId: null,
  receiptId: null,
};
const READ = {
  name: "read_note",
  description: "Reads a note.",
  risk: "read",
  inputSchema: NOTE,
  outputSchema: NOTE,
  revisions,
  sourceLabel: "notes",
  deadlineMs: 100,
  authorize: () => true,
  execute: () => ({ output: { note: "milk" }, ...evidence }),
};

const define = (changes: object): Tool => defineTool({ ...READ, ...changes } as never);

function failureOf(act: () => unknown): CallgateError {
  try {
    act();
  } catch (error) {
    if (error instanceof CallgateError) return error;
    throw error;
  }
  throw new TypeError("nothing was refused");
}

const placesOf = (changes: object): readonly string[] => failureOf(() => define(changes)).problems.map(({ at }) => at);
const at = (...places: readonly string[]): readonly string[] => places.map((place) => `tool read_note, ${place}`);

describe("a whole tool is checked at once", () => {
  test("members and both schemas, each with a remedy, in one error", () => {
    const failure = failureOf(() =>
      define({
        risk: "write",
        description: "",
        revisions: { ...revisions, policy: " " },
        deadlineMs: 0,
        inputSchema: { type: "object", propertys: {} },
        outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(?=a)" } } },
      }),
    );
    expect(failure.code).toBe("TOOL_INVALID");
    expect(failure.problems.map((problem) => problem.at)).toEqual(
      at(
        "description",
        "revisions.policy",
        "deadlineMs",
        "queryReceipt",
        "inputSchema/propertys",
        "outputSchema/properties/a/pattern",
      ),
    );
    for (const { problem, remedy } of failure.problems) {
      expect(failure.message).toContain(problem);
      expect(failure.message).toContain(remedy);
    }
    expect(JSON.parse(JSON.stringify(failure))).toMatchObject({ problems: failure.problems });
  });

  test.each<[string, object, readonly string[]]>([
    [
      "a binding of an output member that there is none of",
      { outputEquals: { nope: "note" } },
      at("outputEquals.nope"),
    ],
    ["a binding to an argument that there is none of", { outputEquals: { note: "nope" } }, at("outputEquals.note")],
    [
      "a binding by a name that every object inherits",
      { outputEquals: { toString: "constructor" } },
      at("outputEquals.toString", "outputEquals.toString"),
    ],
    ["fewer bytes than any output has", { limits: { outputBytes: 10 } }, at("limits.outputBytes")],
    [
      "less depth than any output has",
      {
        limits: { outputDepth: 1 },
        outputSchema: { type: "object", properties: { o: NOTE }, required: ["o"] },
      },
      at("limits.outputDepth"),
    ],
    [
      "a name that no output may have",
      {
        outputSchema: {
          type: "object",
          properties: { o: { type: "object", properties: { "Set-Cookie": { type: "null" } } } },
        },
      },
      at("outputSchema/properties/o/properties/Set-Cookie"),
    ],
  ])("%s", (_what, changes, places) => {
    expect(placesOf(changes)).toEqual(places);
  });

  test("limits that the smallest output just keeps are fine", () => {
    const smallest = Buffer.byteLength('{"note":""}');
    expect(define({ limits: { outputBytes: smallest, outputDepth: 1 } }).outputFits({ note: "" }, {})).toBe(true);
    expect(placesOf({ limits: { outputBytes: smallest - 1 } })).toEqual(at("limits.outputBytes"));
  });

  test("what a limit allows may be less than what a schema does, when the schema asks for less", () => {
    const outputSchema = { type: "object", properties: { o: { anyOf: [NOTE, { type: "null" }] } }, required: ["o"] };
    expect(define({ outputSchema, limits: { outputDepth: 1 } }).outputFits({ o: null }, {})).toBe(true);
  });

  test("a binding to a member that is named in what is referred to", () => {
    const schema = { type: "object", allOf: [{ $ref: "#/$defs/base" }], $defs: { base: NOTE } };
    expect(define({ inputSchema: schema, outputSchema: schema, outputEquals: { note: "note" } }).name).toBe(
      "read_note",
    );
  });
});

describe("names, as providers are offered them", () => {
  test.each([
    ["read_note", "read_note"],
    ["Read-Note-2", "Read-Note-2"],
    ["notes.read", "notes_read"],
    ["notes/read note", "notes_read_note"],
    ["2nd", "_2nd"],
    ["-", "_-"],
    ["läs", "l_s"],
    ["😀", "_"],
    ["n".repeat(64), "n".repeat(64)],
    ["n".repeat(65), "n".repeat(64)],
    ["1".repeat(64), `_${"1".repeat(63)}`],
  ])("%s becomes %s", (name, offered) => {
    expect(providerToolName(name)).toBe(offered);
    expect(offered).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(providerToolName(offered)).toBe(offered);
  });

  test("two that become one are refused, by registry and gate, with everything else that is wrong", () => {
    const tools = ["a.b", "a_b", "c", "c", "a/b"].map((name) => define({ name }));
    for (const register of [() => createRegistry(tools), () => createGate({ tools, approvers: [] })]) {
      const { code, problems } = failureOf(register);
      expect(code).toBe("TOOL_DUPLICATE");
      expect(problems.map((problem) => problem.at)).toEqual(["tool a_b", "tool c", "tool a/b"]);
    }
    const { code, problems } = failureOf(() => createRegistry([...tools, READ as never]));
    expect([code, problems.length]).toEqual(["TOOL_INVALID", 4]);
  });
});

describe("lint", () => {
  test("says everything of all tools at once, defined ones or not", () => {
    const problems = lintTools([define({}), { ...READ, deadlineMs: 0 }, { ...READ, name: "b", risk: "write" }, null]);
    expect(problems.map((problem) => problem.at)).toEqual([
      "tool read_note, deadlineMs",
      "tool b, queryReceipt",
      expect.stringContaining("tools/3"),
      ...Array.from(
        { length: problems.length - 4 },
        () => expect.stringMatching(/^tools\/3|^tool read_note$/) as string,
      ),
      "tool read_note",
    ]);
    expect(lintTools([define({})])).toEqual([]);
  });
});

test("types follow from a library's schema", () => {
  const tool = defineTool({
    ...READ,
    risk: "read",
    inputSchema: z.object({ order: z.string(), count: z.int().optional() }),
    outputSchema: z.object({ status: z.enum(["paid", "open"]) }),
    authorize: (request) => {
      expectTypeOf(request.arguments).toEqualTypeOf<{ order: string; count?: number | undefined }>();
      return true;
    },
    execute: () => ({ output: { status: "paid" }, ...evidence }),
  });
  expect(tool.inputSchema).toMatchObject({ additionalProperties: false });
  expect([tool.outputFits({ status: "paid" }, {}), tool.outputFits({ status: "lost" }, {})]).toEqual([true, false]);
});
