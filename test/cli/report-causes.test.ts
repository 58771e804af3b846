import { describe, expect, test } from "vitest";
import { reportText } from "../../src/cli/report-text.ts";
import { failureLines } from "../../src/cli/report-parts.ts";
import type { StepReport } from "../../src/scenarios/report.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile } from "../../src/scenarios/read.ts";
import { gateCases } from "../../src/scenarios/run.ts";
import { gateDocumentWith, moduleOf } from "../scenarios/gate-document.ts";
import { bytesOf } from "../scenarios/sample-document.ts";

const SCHEMA = { type: "object", properties: { name: { type: "string" } }, additionalProperties: false } as const;
const REVISION = "v1";

interface Told {
  readonly authorize?: () => boolean;
  readonly observedAt?: string;
}

/** The report of one step of a gate that has one tool, which reads. */
async function textOf(told: Told, expected: object, args: object = { name: "Ada" }): Promise<string> {
  const tool = defineTool({
    ...{ name: "find", description: "Finds.", risk: "read", inputSchema: SCHEMA, outputSchema: SCHEMA },
    ...{ sourceLabel: "people", deadlineMs: 1_000 },
    revisions: {
      ...{ inputSchema: REVISION, outputSchema: REVISION, effect: REVISION },
      ...{ handler: REVISION, producer: REVISION, policy: REVISION },
    },
    authorize: told.authorize ?? (() => true),
    execute: () => ({
      output: { name: "Ada" },
      ...{ producerRevision: REVISION, resourceRevision: null, requestId: null, receiptId: null },
      observedAt: told.observedAt ?? "2026-01-02T03:04:05Z",
    }),
  });
  const module = moduleOf({
    approvers: [],
    tools: [tool],
    scenarios: { worlds: { counters: () => null }, sideEffects: () => ({}) },
  });
  const step = "/cases/0/steps/0";
  const answer = { code: "OK", status: "succeeded", outcome: "committed", recovery: "none", delivery: "fresh" };
  const document = gateDocumentWith({
    [`${step}/proposal`]: { name: "find", arguments: args },
    [`${step}/approval`]: "none",
    [`${step}/execution_context/idempotency_key`]: null,
    [`${step}/expected`]: { ...answer, data: { name: "Ada" }, side_effects: 0, ...expected },
  });
  const file = readGateScenarioFile(bytesOf(document), offeredNames(module) as OfferedNames);
  const cases = await Promise.all(gateCases(file, { module }).map((one) => one.run()));
  return reportText({ files: [{ file: "own.json", cases }], notRunCount: 0 }, { useColor: false });
}

const REFUSED = { status: "failed", outcome: "not_started", data: null, side_effects: 0 };

describe("the report for people", () => {
  test("of a step that passes has no causes", async () => {
    const text = await textOf({}, {});
    expect(text).toContain("all passed");
    expect(text).not.toContain("cause:");
  });

  test("of a step that fails says why the tool's answer was refused", async () => {
    expect(await textOf({ observedAt: new Date(0).toISOString() }, {})).toContain(
      "cause: execute/observedAt: it is no time in UTC of whole seconds, YYYY-MM-DDTHH:MM:SSZ; " +
        "cut the milliseconds off: `${new Date().toISOString().slice(0, 19)}Z`\n",
    );
  });

  test("of a step that fails says which arguments do not fit", async () => {
    const text = await textOf({}, {}, { name: 7, more: "\u001b[31m" });
    expect(text).toContain("cause: arguments/name: it must be string; ");
    expect(text).toContain("cause: arguments: there is no member `more`; ");
    expect(text).not.toContain("\u001b");
  });

  test("of a step that passes because a check threw says so", async () => {
    const authorize = (): never => {
      throw new TypeError("x is undefined");
    };
    const text = await textOf({ authorize }, { ...REFUSED, code: "NOT_FOUND", recovery: "none" });
    const wrong = text.includes("all passed") ? "" : text;
    expect(wrong).toBe("");
    expect(text).toContain("cause: authorize: it threw: TypeError: x is undefined; ");
  });
});

describe("a difference of two objects", () => {
  const line = (expected: unknown, received: unknown): readonly string[] =>
    failureLines({
      failure: { place: { line: 1, column: 1 }, differences: [{ member: "data", expected, received }], lost_in: null },
      validation_errors: [],
      diagnostics: [],
    } as unknown as StepReport);

  test.each<[string, unknown, unknown, readonly string[]]>([
    ["only what differs", { a: 1, b: { d: 1, c: 2 } }, { b: { c: 2, d: 1 }, a: 2 }, ["data.a: expected 1, received 2"]],
    [
      "what one of them has not",
      { a: 1 },
      { b: "x" },
      ["data.a: expected 1, received nothing", 'data.b: expected nothing, received "x"'],
    ],
    ["one is no object", null, { a: 1 }, ['data: expected null, received {"a":1}']],
    ["lists", [1], [2], ["data: expected [1], received [2]"]],
  ])("%s", (_name, expected, received, lines) => {
    expect(line(expected, received)).toEqual(lines);
  });
});
