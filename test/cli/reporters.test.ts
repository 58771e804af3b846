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
import { sampleCases } from "../../src/scenarios/run.ts";
import { bytesOf, editedDocument } from "../scenarios/sample-document.ts";
import { readXml, type XmlElement } from "./well-formed-xml.ts";

const STEP = "/cases/0/steps/0";
const ALONE = { useColor: false, isAlone: true };
const CAUSE =
  "cause: execute: it had not answered when the deadline of the call passed; raise `deadlineMs`, or answer sooner";
const SECONDS = expect.stringMatching(/^\d+\.\d{3}$/) as string;

/** The sample document's run with another id of its case and other expectations of its first step. */
async function ran(file: string, edits: Readonly<Record<string, unknown>>, notRunCount = 0): Promise<RunReport> {
  const scenario = readScenarioFile(bytesOf(editedDocument(edits)));
  const cases = await Promise.all(sampleCases(scenario, { openWorld: sampleWorld }).map((one) => one.run()));
  return { files: [{ file, cases }], notRunCount };
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
    const totals = { tests: "2", failures: "0", errors: "0", skipped: "0", time: SECONDS };
    expect([name, attributes]).toEqual(["testsuites", { name: "callgate", ...totals }]);
    expect(children).toHaveLength(1);
    expect(children[0]).toMatchObject({ name: "testsuite", attributes: { name: "good.json", ...totals } });
    expect(children[0]?.children).toEqual(
      ["draft", "ask"].map((step) => ({
        name: "testcase",
        attributes: { classname: "lost-then-asked", name: step, file: "good.json", time: SECONDS },
        children: [],
        text: "",
      })),
    );
  });

  test("a failed step says what was expected and received, and where it stands", () => {
    const document = readXml(reportJunit(FAILED));
    const [suite] = document.children;
    const [draft, ask] = suite?.children ?? [];
    const line = FAILED.files[0]?.cases[0]?.report.steps[0]?.failure?.place.line ?? 0;
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
          CAUSE,
          "the expected code and delivery could no longer be reached from [bound] on",
          `at failing.json:${line}`,
        ].join("\n"),
      },
    ]);
    expect(ask?.children).toEqual([]);
  });

  test("has real times in seconds: of a step its own, of a suite and of all what their cases took", () => {
    const files = [PASSED, PASSED, FAILED].map(({ files: [one] }, index) => ({
      file: `${index}.json`,
      cases: (one?.cases ?? []).flatMap(({ report }) => {
        const timed = { report, elapsedMs: 1_234.56, stepElapsedMs: [0.4, 1_000] };
        return index === 0 ? [timed, timed] : [timed];
      }),
    }));
    const document = readXml(reportJunit({ files, notRunCount: 0 }));
    const timesIn = ({ attributes, children }: XmlElement): unknown => [attributes["time"], children.map(timesIn)];
    const [first, second] = [
      ["0.000", []],
      ["1.000", []],
    ];
    const failed = ["0.000", [[undefined, []]]];
    expect(timesIn(document)).toEqual([
      "4.938",
      [
        ["2.469", [first, second, first, second]],
        ["1.235", [first, second]],
        ["1.235", [failed, second]],
      ],
    ]);
  });

  test("is the same for two runs, but for the times", async () => {
    const timeless = (text: string): string => text.replaceAll(/ time="\d+\.\d{3}"/g, "");
    const again = await ran("failing.json", { [`${STEP}/expected/code`]: "UNKNOWN_TOOL" }, 2);
    expect(timeless(reportJunit(again))).toBe(timeless(reportJunit(FAILED)));
    expect(timeless(reportJunit(again))).not.toContain("time");
    expect(reportJson(again)).toBe(reportJson(FAILED));
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
    expect(reportGithub(PASSED, ALONE)).toBe("1 file, 1 case, 2 steps: all passed\n");
  });

  test("of a step that fails: an error at its line, and the summary", () => {
    const line = FAILED.files[0]?.cases[0]?.report.steps[0]?.failure?.place.line ?? 0;
    expect(reportGithub(FAILED, ALONE).split("\n")).toEqual([
      `::error file=failing.json,line=${line},title=lost-then-asked%2C draft::` +
        'code: expected "UNKNOWN_TOOL", received "OUTCOME_UNKNOWN"%0A' +
        `${CAUSE}%0A` +
        "the expected code and delivery could no longer be reached from [bound] on",
      "1 file, 1 case, 2 steps: 1 step failed, 2 cases not run",
      "",
    ]);
  });

  test("beside another report: no second summary", () => {
    expect(reportGithub(PASSED, { isAlone: false })).toBe("");
    expect(reportGithub(FAILED, { isAlone: false })).toMatch(/^::error .*\n$/);
  });

  test("obeys nothing that a file says: one command, its properties closed, its message escaped", () => {
    const [command = "", ...rest] = reportGithub(HOSTILE, ALONE).trimEnd().split("\n");
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
    expect(reportText(FAILED, ALONE)).toMatch(/\n1 file, 1 case, 2 steps: 1 step failed, 2 cases not run\n$/);
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
