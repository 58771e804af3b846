import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytesOf, editedDocument, sampleDocument } from "../scenarios/sample-document.ts";
import { run as runInProcess } from "../../src/cli/run.ts";
import { callgate, shell } from "./command.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "callgate-run-"));
const STEP = "/cases/0/steps/0";

const FILES: Readonly<Record<string, object | string>> = {
  "good.json": sampleDocument(),
  "folder/a.json": sampleDocument(),
  "folder/inner/b.json": sampleDocument(),
  "failing.json": editedDocument({ [`${STEP}/expected/code`]: "UNKNOWN_TOOL", [`${STEP}/expected/data`]: {} }),
  "invalid.json": editedDocument({ [`${STEP}/now`]: true }),
  "broken.json": "{",
  "long.json": " ".repeat(65_537),
  "refused.json": editedDocument({ [`${STEP}/approval`]: "none" }),
  "hostile.json": editedDocument({ "/cases/0/id": "\u001b[31mred\u0007\u202e\u009b1m\n" }),
};

beforeAll(() => {
  mkdirSync(join(FOLDER, "folder/inner"), { recursive: true });
  mkdirSync(join(FOLDER, "empty"));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(FOLDER, name), bytesOf(content));
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

const run = (...args: string[]) => callgate(["run", ...args], { cwd: FOLDER });

interface JsonReport {
  readonly passed: boolean;
  readonly case_count: number;
  readonly step_count: number;
  readonly cases: readonly { readonly id: string; readonly file: string; readonly steps: readonly object[] }[];
}
const reportOf = (stdout: string): JsonReport => JSON.parse(stdout) as JsonReport;

describe("the report for people", () => {
  test("of files that pass: every step with its path, and a summary at the end", () => {
    const { status, stdout, stderr } = run("good.json", "folder");
    expect([status, stderr]).toEqual([0, ""]);
    const file = (name: string): string =>
      [
        name,
        "  ✓ lost-then-asked",
        "      ✓ draft  OUTCOME_UNKNOWN (fresh)",
        "        proposed → bound → identified → authorized → unclaimed → permitted → approved → executing → unknown",
        "      ✓ ask  OK (receipt_reconciled)",
        "        proposed → bound → identified → authorized → asking → answered",
        "        asked about: proposed → bound → identified → authorized → unclaimed → permitted → approved → executing → unknown → querying → receipt_reconciled",
        "",
      ].join("\n");
    const files = ["good.json", "folder/a.json", "folder/inner/b.json"].map(file);
    expect(stdout).toBe([...files, "3 files, 3 cases, 6 steps: all passed", ""].join("\n"));
  });

  test("of a step that fails: expected against received, its place, and where it was lost", () => {
    const { status, stdout, stderr } = run("failing.json");
    expect([status, stderr]).toEqual([1, ""]);
    const line = new TextDecoder()
      .decode(bytesOf(FILES["failing.json"] ?? ""))
      .split('"step_id"')[0]
      ?.split("\n").length;
    expect(stdout.split("\n").slice(0, 8)).toEqual([
      "failing.json",
      "  ✗ lost-then-asked",
      `      ✗ draft  OUTCOME_UNKNOWN (fresh)  failing.json:${(line ?? 0) - 1}`,
      '        code: expected "UNKNOWN_TOOL", received "OUTCOME_UNKNOWN"',
      "        data: expected {}, received null",
      "        cause: execute: it had not answered when the deadline of the call passed; raise `deadlineMs`, or answer sooner",
      "        the expected code and delivery could no longer be reached from [bound] on",
      "        proposed → [bound] → identified → authorized → unclaimed → permitted → approved → executing → unknown",
    ]);
    expect(stdout.endsWith("1 file, 1 case, 2 steps: 1 step failed\n")).toBe(true);
  });

  test("obeys nothing that a file says", () => {
    const { status, stdout } = run("hostile.json");
    expect(status).toBe(0);
    expect(stdout).toContain("✓ \\u001b[31mred\\u0007\\u202e\\u009b1m\\u000a\n");
    // Nothing but line ends commands a terminal.
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe("the report as JSON", () => {
  test("sums up over files, and has what each step came to", () => {
    const { status, stdout, stderr } = run("--json", "folder", "failing.json");
    expect([status, stderr]).toEqual([1, ""]);
    const report = reportOf(stdout);
    expect(report).toMatchObject({ passed: false, case_count: 3, step_count: 6 });
    expect(report.cases.map(({ id, file }) => [id, file])).toEqual([
      ["lost-then-asked", "folder/a.json"],
      ["lost-then-asked", "folder/inner/b.json"],
      ["lost-then-asked", "failing.json"],
    ]);
    expect(Object.keys(report.cases[0]?.steps[0] ?? {})).toEqual([
      ...["step_id", "passed", "actual_code", "status", "outcome", "recovery", "delivery", "data", "side_effect_count"],
      ...["lifecycle", "owner_lifecycle", "digests", "validation_errors", "diagnostics", "failure"],
    ]);
    expect(report.cases[2]?.steps[0]).toMatchObject({
      failure: { lost_in: "bound", place: { column: expect.any(Number) as number } },
    });
  });

  test("commands no terminal either", () => {
    const { stdout } = run("--json", "hostile.json");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(reportOf(stdout).cases[0]?.id).toBe("\u001b[31mred\u0007\u202e\u009b1m\n");
  });

  test("of the sample scenarios, where no file is named: all pass", () => {
    const { status, stdout, stderr } = callgate(["run", "--json"], { cwd: tmpdir() });
    expect([status, stderr]).toEqual([0, ""]);
    const report = reportOf(stdout);
    expect(report.passed).toBe(true);
    expect(report.cases.filter(({ file }) => file === "fixtures/tool-cases.json")).toHaveLength(18);
  });
});

describe("what cannot be run", () => {
  test.each<[string[], string, string]>([
    [["invalid.json"], "FIXTURE_INVALID", "invalid.json, /cases/0/steps/0/now"],
    [["broken.json"], "JSON_SYNTAX", "broken.json, line 1, column 2"],
    [["long.json"], "JSON_TOO_LARGE", "long.json"],
    [["refused.json"], "SCENARIO_NO_STATUS_REF", "refused.json, /cases/0/steps/1/status_ref_from"],
    [["missing.json"], "FILE_NOT_FOUND", "missing.json"],
    [["empty"], "NO_SCENARIOS", "empty"],
    // All files are read first, in order: what would fail or be refused while running comes later.
    [
      ["failing.json", "refused.json", "invalid.json", "broken.json"],
      "FIXTURE_INVALID",
      "invalid.json, /cases/0/steps/0/now",
    ],
    [["good.json", "broken.json", "invalid.json"], "JSON_SYNTAX", "broken.json, line 1, column 2"],
  ])("%j is %s at %s", async (names, code, at) => {
    const refused = runInProcess(
      names.map((name) => join(FOLDER, name)),
      { json: true, color: false },
    );
    await expect(refused).rejects.toMatchObject({ code, at });
  });

  test.each([
    ["invalid.json", "FIXTURE_INVALID"],
    ["refused.json", "SCENARIO_NO_STATUS_REF"],
  ])("%s: one line that says what to do, status 2, no report", (name, code) => {
    const { status, stdout, stderr } = run("good.json", name);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(new RegExp(`^callgate: ${code}: .+ on line \\d+ \\(at ${name}, /.+\\)\\. [A-Z].+\\.\n$`));
  });

  test("an absolute name is not repeated, and with --json the error is one object", () => {
    const { status, stdout, stderr } = run("--json", join(FOLDER, "invalid.json"));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).not.toContain(FOLDER);
    expect(stderr.trimEnd()).not.toContain("\n");
    expect(JSON.parse(stderr)).toEqual({
      code: "FIXTURE_INVALID",
      message: expect.stringContaining("an integer from 0") as string,
      at: "invalid.json, /cases/0/steps/0/now",
      remedy: expect.any(String) as string,
    });
  });
});

describe("the output", () => {
  test("a reader that goes away ends the command quietly", () => {
    const { status, stdout, stderr } = shell("$CALLGATE run --json | head -n 1; exit ${PIPESTATUS[0]}", FOLDER);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "{\n", stderr: "" });
  });

  test.each(["run good.json", "--help"])("%s on a full disk is OUTPUT_FAILED", (args) => {
    const { status, stderr } = shell(`$CALLGATE ${args} > /dev/full`, FOLDER);
    expect(status).toBe(2);
    expect(stderr).toMatch(/OUTPUT_FAILED.*ENOSPC/);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  // `script` gives the command a terminal.
  test.each([
    ["", true],
    ["--no-color", false],
    ["--json", false],
  ])("on a terminal, %s: colours are used: %s", (option, used) => {
    const onTerminal = (setting: string): string =>
      shell(`${setting} script -qec "$CALLGATE run good.json ${option}" /dev/null`, FOLDER).stdout;
    expect(onTerminal("TERM=xterm NO_COLOR=").includes("\u001b[32m")).toBe(used);
    expect(onTerminal("TERM=xterm NO_COLOR=1")).not.toContain("\u001b[");
  });
});

test("a folder of scenarios for a gate of one's own, without the gate, says which option is missing", () => {
  const folder = join(import.meta.dirname, "../../fixtures/gates/starter/scenarios");
  const { status, stdout, stderr } = callgate(["run", folder]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^callgate: NO_SCENARIOS: [^\n]*none is about the sample tools; name the gate of these by --gate/,
  );
});

test("-t is given once", () => {
  const { status, stderr } = callgate(["run", "-t", "a", "-t", "b"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^callgate: USAGE: [^\n]*-t[^\n]*It is given once/);
});
