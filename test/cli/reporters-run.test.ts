import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectCases } from "../../src/cli/run-selection.ts";
import { run as runInProcess } from "../../src/cli/run.ts";
import { replaceFile } from "../../src/host/replace-file.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { readScenarioFile } from "../../src/scenarios/read.ts";
import { sampleCases } from "../../src/scenarios/run.ts";
import { bytesOf, editedDocument, valueAt } from "../scenarios/sample-document.ts";
import { callgate, shell } from "./command.ts";
import { readXml } from "./well-formed-xml.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "callgate-reporters-"));

/** Three cases of two steps each: alpha fails in its first step, beta in its second, gamma-ask passes. */
const THREE = editedDocument({
  "/cases/0/id": "alpha",
  "/cases/0/steps/0/expected/code": "UNKNOWN_TOOL",
  "/cases/1": { ...(valueAt("/cases/0") as object), id: "beta" },
  "/cases/1/steps/1/expected/code": "UNKNOWN_TOOL",
  "/cases/2": { ...(valueAt("/cases/0") as object), id: "gamma-ask" },
});
const STUCK = editedDocument({
  "/cases/1": { ...(valueAt("/cases/0") as object), id: "beta" },
  "/cases/1/steps/0/approval": "none",
});

beforeAll(() => {
  writeFileSync(join(FOLDER, "three.json"), bytesOf(THREE));
  writeFileSync(join(FOLDER, "stuck.json"), bytesOf(STUCK));
  mkdirSync(join(FOLDER, "files"));
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

const casesOf = (document: object) => sampleCases(readScenarioFile(bytesOf(document)), { openWorld: sampleWorld });

describe("cases on their own", () => {
  test("come to the same, however many of their steps are run, how often, and beside which others", async () => {
    const cases = casesOf(THREE);
    const alone = await Promise.all(cases.map((scenario) => scenario.run()));
    expect(alone.map(({ report }) => report.passed)).toEqual([false, false, true]);
    const begun = await Promise.all(cases.map((scenario) => scenario.run(1)));
    expect(begun.map(({ report }) => report.steps)).toEqual(alone.map(({ report }) => report.steps.slice(0, 1)));
  });

  test("are placed in the file", async () => {
    const ran = await Promise.all(casesOf(THREE).map((scenario) => scenario.run()));
    const lines = ran.flatMap(({ report }) => report.steps.flatMap(({ failure }) => failure?.place.line ?? []));
    const text = new TextDecoder().decode(bytesOf(THREE)).split("\n");
    expect(lines.map((line) => text[line]?.trim())).toEqual(['"step_id": "draft",', '"step_id": "ask",']);
    expect(lines[0]).not.toBe(lines[1]);
  });

  test("are refused where they stand in the file", async () => {
    await expect(casesOf(STUCK)[1]?.run()).rejects.toMatchObject({
      code: "SCENARIO_NO_STATUS_REF",
      at: "/cases/1/steps/1/status_ref_from",
    });
  });
});

describe("-t", () => {
  test.each([
    ["", ["alpha 2", "beta 2", "gamma-ask 2"]],
    ["eta", ["beta 2"]],
    ["draft", ["alpha 1", "beta 1", "gamma-ask 1"]],
    // A case whose id matches runs whole; a later step brings along the ones before it.
    ["ask", ["alpha 2", "beta 2", "gamma-ask 2"]],
    ["gamma-ask", ["gamma-ask 2"]],
    ["Beta", []],
    [".*", []],
  ])("%j", (name, selected) => {
    expect(selectCases(casesOf(THREE), name).map(({ scenario, stepCount }) => `${scenario.id} ${stepCount}`)).toEqual(
      selected,
    );
  });

  test("takes the last of the steps that match", () => {
    const [selected] = selectCases(casesOf(editedDocument({ "/cases/0/id": "one" })), "a");
    expect(selected?.stepCount).toBe(2);
  });

  test("that matches nothing is NO_SCENARIOS", async () => {
    const refused = runInProcess([join(FOLDER, "three.json")], { json: true, color: false, name: "nothing" });
    await expect(refused).rejects.toMatchObject({
      code: "NO_SCENARIOS",
      detail: expect.stringContaining("-t") as string,
    });
  });
});

describe("the command", () => {
  const run = (...args: string[]) => callgate(["run", "three.json", ...args], { cwd: FOLDER });
  const lastLine = (stdout: string): string | undefined => stdout.trimEnd().split("\n").at(-1);

  test.each([
    [[], 1, "1 file, 3 cases, 6 steps: 2 steps failed"],
    [["--bail"], 1, "1 file, 1 case, 2 steps: 1 step failed, 2 cases not run"],
    [["--bail", "-t", "gamma"], 0, "1 file, 1 case, 2 steps: all passed"],
    [["-t", "draft", "--reporter", "github"], 1, "1 file, 3 cases, 3 steps: 1 step failed"],
  ])("%j", (args, expected, summary) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stderr, lastLine(stdout)]).toEqual([expected, "", summary]);
  });

  test("for people and for GitHub at once: errors beside the report, and one summary", () => {
    const { status, stdout } = run("--reporter", "pretty", "--reporter", "github");
    const [report, ...errors] = stdout.split(/^(?=::error )/m);
    expect([status, report, errors.length]).toEqual([1, run().stdout, 2]);
  });

  test("several reporters: one in the file, the other on the output", () => {
    const { status, stdout } = run("--reporter", "github", "--reporter", "junit", "--output-file", "files/junit.xml");
    expect([status, stdout.match(/^::error file=three\.json,line=\d+,/gm)?.length]).toEqual([1, 2]);
    const { attributes } = readXml(readFileSync(join(FOLDER, "files/junit.xml"), "utf8"));
    expect(attributes).toMatchObject({ tests: "6", failures: "2" });
    expect(readdirSync(join(FOLDER, "files"))).toEqual(["junit.xml"]);
  });

  test("a file that cannot be written: status 2, and the report is printed all the same", () => {
    const { status, stdout, stderr } = run("--reporter", "json", "--output-file", "absent/report.json");
    expect([status, lastLine(stdout)]).toEqual([2, "1 file, 3 cases, 6 steps: 2 steps failed"]);
    expect(stderr).toMatch(/^callgate: FILE_UNWRITABLE: .*ENOENT \(at absent\/report\.json\)/);
  });

  test.each([
    [["--reporter", "html"], "Allowed choices are pretty, json, junit, github"],
    [["--json", "--reporter", "junit"], "nothing else goes where json goes"],
  ])("%j is USAGE", (args, detail) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(detail);
  });

  // `script` gives the command a terminal.
  test.each([
    ["CI=", "", true],
    ["CI=true", "", false],
    ["CI=", "--json", false],
    ["CI=", "2>/dev/null", false],
  ])("%s, on a terminal, %s: progress is shown: %s", (setting, option, shown) => {
    const { stdout } = shell(`${setting} script -qec "$CALLGATE run three.json ${option}" /dev/null`, FOLDER);
    expect(stdout).toContain(option === "--json" ? '"passed": false' : "2 steps failed");
    const line = "case 1 of 3";
    if (shown)
      expect(stdout.startsWith(`\r${line}\rcase 2 of 3\rcase 3 of 3\r${" ".repeat(line.length)}\r`)).toBe(true);
    else expect(stdout).not.toContain(line);
  });
});

describe("a file that is replaced", () => {
  const at = (name: string): string => join(FOLDER, "replaced", name);
  beforeAll(() => {
    mkdirSync(at("folder"), { recursive: true });
    writeFileSync(at("old"), "a longer text of old");
    writeFileSync(at("target"), "old");
    symlinkSync("target", at("link"));
  });

  test.each([
    ["new", "new"],
    ["old", "old"],
    ["link", "target"],
  ])("%s: the whole text stands in %s, and nothing is left beside it", async (name, target) => {
    await replaceFile(at(name), "text");
    expect(readFileSync(at(target), "utf8")).toBe("text");
    expect(readdirSync(at("")).filter((entry) => entry.endsWith(".tmp"))).toEqual([]);
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  });

  test.each([
    ["folder", "EISDIR"],
    ["absent/file", "ENOENT"],
    ["old/file", "ENOTDIR"],
    ["x".repeat(300), "ENAMETOOLONG"],
  ])("%s: FILE_UNWRITABLE, %s, and nothing is left", async (name, reason) => {
    const before = readdirSync(at(""), { recursive: true });
    const refused = replaceFile(at(name), "text");
    await expect(refused).rejects.toMatchObject({ code: "FILE_UNWRITABLE", detail: `the system says ${reason}` });
    expect(readdirSync(at(""), { recursive: true })).toEqual(before);
  });

  test("what was there is not written over, byte after byte", async () => {
    writeFileSync(at("before"), "before");
    linkSync(at("before"), at("kept"));
    await replaceFile(at("before"), "after");
    expect([readFileSync(at("before"), "utf8"), readFileSync(at("kept"), "utf8")]).toEqual(["after", "before"]);
  });

  test("a device is written to, and stays one", async () => {
    await expect(replaceFile("/dev/full", "text")).rejects.toMatchObject({ detail: "the system says ENOSPC" });
    expect(lstatSync("/dev/full").isCharacterDevice()).toBe(true);
  });
});
