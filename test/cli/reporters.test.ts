import { describe, expect, test } from "vitest";
import { reportGithub } from "../../src/cli/report-github.ts";
import { reportJson } from "../../src/cli/report-json.ts";
import { reportJunit } from "../../src/cli/report-junit.ts";
import type { RunReport } from "../../src/cli/report-parts.ts";
import { progressLine } from "../../src/cli/report-progress.ts";
import { reportText } from "../../src/cli/report-text.ts";
import { reportingPlan, type ReportingOptions, type ReportingPlan } from "../../src/cli/reporters.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { readScenarioFile } from "../../src/scenarios/read.ts";
import { runScenarios } from "../../src/scenarios/run.ts";
import { bytesOf, editedDocument } from "../scenarios/sample-document.ts";
import { readXml } from "./well-formed-xml.ts";

const STEP = "/cases/0/steps/0";

/** The sample document's run with another id of its case and other expectations of its first step. */
async function ran(file: string, edits: Readonly<Record<string, unknown>>, notRunCount = 0): Promise<RunReport> {
  const scenario = readScenarioFile(bytesOf(editedDocument(edits)));
  const report = await runScenarios(scenario, { openWorld: sampleWorld });
  return { files: [{ file, report }], notRunCount };
}

const PASSED = await ran("good.json", {});
const FAILED = await ran("failing.json", { [`${STEP}/expected/code`]: "UNKNOWN_TOOL" }, 2);
const HOSTILE_ID = '<a b="c">&\'\u0000\u001b[31m\n::error::x%,:\r\ufffe\u202e]]>';
const HOSTILE = await ran(`h,o:s%t\n<&">.json`, {
  "/cases/0/id": HOSTILE_ID,
  [`${STEP}/expected/data`]: { "]]><!--%0A": "\ufffe\uffff\u0001\n::stop-commands::x" },
});

describe("JUnit", () => {
  test("a suite a file, a test case a step, the counts of both", () => {
    const { name, attributes, children } = readXml(reportJunit(PASSED));
    const counts = { tests: "2", failures: "0", errors: "0", skipped: "0" };
    expect([name, attributes]).toEqual(["testsuites", { name: "callgate", ...counts }]);
    expect(children).toHaveLength(1);
    expect(children[0]).toMatchObject({ name: "testsuite", attributes: { name: "good.json", ...counts } });
    expect(children[0]?.children).toEqual(
      ["draft", "ask"].map((step) => ({
        name: "testcase",
        attributes: { classname: "lost-then-asked", name: step, file: "good.json" },
        children: [],
        text: "",
      })),
    );
  });

  test("a failed step says what was expected and received, and where it stands", () => {
    const document = readXml(reportJunit(FAILED));
    const [suite] = document.children;
    const [draft, ask] = suite?.children ?? [];
    const line = FAILED.files[0]?.report.cases[0]?.steps[0]?.failure?.place.line ?? 0;
    expect(line).toBeGreaterThan(1);
    expect([document.attributes["failures"], suite?.attributes["failures"]]).toEqual(["1", "1"]);
    expect(draft?.attributes).toMatchObject({ name: "draft", file: "failing.json", line: String(line) });
    const message = 'code: expected "UNKNOWN_TOOL", received "OUTCOME_UNKNOWN"';
    expect(draft?.children).toEqual([
      {
        name: "failure",
        attributes: { message, type: "OUTCOME_UNKNOWN" },
        children: [],
        text: [
          message,
          "the expected code and delivery could no longer be reached from [bound] on",
          `at failing.json:${line}`,
        ].join("\n"),
      },
    ]);
    expect(ask?.children).toEqual([]);
  });

  test("is well-formed whatever a file says, and its names can be read again", () => {
    const [suite] = readXml(reportJunit(HOSTILE)).children;
    expect(suite?.attributes["name"]).toBe(`h,o:s%t\\u000a<&">.json`);
    expect(suite?.children[0]?.attributes["classname"]).toBe(
      '<a b="c">&\'\\u0000\\u001b[31m\\u000a::error::x%,:\\u000d\\ufffe\\u202e]]>',
    );
    expect(suite?.children[0]?.children[0]?.text).toContain(
      '{"]]><!--%0A":"\\ufffe\\uffff\\u0001\\n::stop-commands::x"}',
    );
  });
});

describe("GitHub", () => {
  test("of steps that pass: the summary alone", () => {
    expect(reportGithub(PASSED)).toBe("1 file, 1 case, 2 steps: all passed\n");
  });

  test("of a step that fails: an error at its line, and the summary", () => {
    const line = FAILED.files[0]?.report.cases[0]?.steps[0]?.failure?.place.line ?? 0;
    expect(reportGithub(FAILED).split("\n")).toEqual([
      `::error file=failing.json,line=${line},title=lost-then-asked%2C draft::` +
        'code: expected "UNKNOWN_TOOL", received "OUTCOME_UNKNOWN"%0A' +
        "the expected code and delivery could no longer be reached from [bound] on",
      "1 file, 1 case, 2 steps: 1 step failed, 2 cases not run",
      "",
    ]);
  });

  test("obeys nothing that a file says: one command, its properties closed, its message escaped", () => {
    const [command = "", ...rest] = reportGithub(HOSTILE).trimEnd().split("\n");
    expect(rest).toEqual(["1 file, 1 case, 2 steps: 1 step failed"]);
    const [, file, title, message] = /^::error file=([^,:]*),line=\d+,title=([^,:]*)::(.*)$/.exec(command) ?? [];
    expect(file).toBe(`h%2Co%3As%25t\\u000a<&">.json`);
    expect(title).toBe(
      '<a b="c">&\'\\u0000\\u001b[31m\\u000a%3A%3Aerror%3A%3Ax%25%2C%3A\\u000d\ufffe\\u202e]]>%2C draft',
    );
    expect(message).toContain('{"]]><!--%250A":"');
    expect(command).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe("every report", () => {
  test("is of the same run", () => {
    expect(reportText(FAILED, false)).toMatch(/\n1 file, 1 case, 2 steps: 1 step failed, 2 cases not run\n$/);
    expect(JSON.parse(reportJson(FAILED))).toMatchObject({
      passed: false,
      step_count: 2,
      cases: [{ id: "lost-then-asked", file: "failing.json" }],
    });
  });
});

describe("which report goes where", () => {
  const told = (options: Partial<ReportingOptions>): ReportingOptions => ({ json: false, reporters: [], ...options });

  test.each<[Partial<ReportingOptions>, ReportingPlan["onOutput"], string | null]>([
    [{}, ["pretty"], null],
    [{ json: true }, ["json"], null],
    [{ json: true, reporters: ["json"] }, ["json"], null],
    [{ reporters: ["junit"] }, ["junit"], null],
    [{ reporters: ["github", "pretty", "github"] }, ["github", "pretty"], null],
    [{ reporters: ["junit"], outputFile: "f" }, ["pretty"], "junit"],
    [{ reporters: ["json"], outputFile: "f" }, ["pretty"], "json"],
    [{ reporters: ["github"], outputFile: "f" }, ["pretty"], "github"],
    [{ reporters: ["pretty", "junit"], outputFile: "f" }, ["pretty"], "junit"],
    [{ reporters: ["github", "junit"], outputFile: "f" }, ["github"], "junit"],
    [{ json: true, reporters: ["junit"], outputFile: "f" }, ["json"], "junit"],
    [{ json: true, reporters: ["json"], outputFile: "f" }, ["json"], "json"],
  ])("%j", (options, onOutput, reporter) => {
    const inFile = reporter === null ? null : { reporter, path: "f" };
    expect(reportingPlan(told(options))).toEqual({ onOutput, inFile });
  });

  test.each<Partial<ReportingOptions>>([
    { reporters: ["json", "junit"] },
    { reporters: ["pretty", "json"] },
    { reporters: ["github", "junit"] },
    { json: true, reporters: ["junit"] },
    { json: true, reporters: ["pretty"] },
    { json: true, reporters: ["github", "junit"], outputFile: "f" },
    { reporters: ["json", "junit"], outputFile: "f" },
    { reporters: ["pretty"], outputFile: "f" },
    { outputFile: "f" },
    { json: true, outputFile: "f" },
  ])("%j is USAGE", (options) => {
    expect(() => reportingPlan(told(options))).toThrow(expect.objectContaining({ code: "USAGE" }));
  });
});

test("progress is written over itself, and leaves nothing", async () => {
  const texts: string[] = [];
  const progress = progressLine((text) => {
    texts.push(text);
    return Promise.resolve();
  });
  await progress.clear();
  await progress.show(0, 10);
  await progress.show(9, 10);
  await progress.clear();
  expect(texts).toEqual(["\rcase 1 of 10", "\rcase 10 of 10", `\r${" ".repeat(13)}\r`]);
});
