import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failureText } from "../../src/cli/failure-text.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { callgate } from "./command.ts";

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  version: string;
};

describe("usage", () => {
  test.each([
    [["--help"], "run"],
    [["run", "--help"], "owner_lifecycle"],
    [["digest", "--help"], "approver_id"],
    [["validate", "-h"], "payload"],
    [["help", "run"], "owner_lifecycle"],
  ])("%j: examples first, then everything", (args, word) => {
    const { status, stdout, stderr } = callgate(args);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Examples:\n {2}callgate /);
    expect(stdout).toContain("Usage: callgate");
    expect(stdout).toContain(word);
  });

  test.each(["--version", "-V"])("%s", (option) => {
    expect(callgate([option])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([
    [[], "a command is expected"],
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["run", "--jsn"], "unknown option '--jsn' (Did you mean --json?)"],
    [["digest"], "missing required argument 'file'"],
    [["digest", "a", "b"], "too many arguments for 'digest'"],
    [["help", "nothing"], "a command is expected"],
  ])("%j is one line, and status 2", (args, detail) => {
    const { status, stdout, stderr } = callgate(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^callgate: USAGE: the command line is not valid: .*[^.]\. See --help\.\n$/);
    expect(stderr).toContain(detail);
  });

  test("with --json it is one object, wherever the option stands", () => {
    const { status, stdout, stderr } = callgate(["run", "--bogus", "--json"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr)).toMatchObject({ code: "USAGE", remedy: "see --help" });
  });
});

describe("what is said of a failure", () => {
  test("something unforeseen is INTERNAL, and nothing of it is told", () => {
    const foreign = new Error("secret of /some/folder");
    expect(failureText(foreign, false)).toMatch(/^callgate: INTERNAL: something went wrong inside\. Report it .*\.\n$/);
    expect(failureText(foreign, true)).not.toMatch(/secret|folder|stack/);
  });

  test.each([true, false])("is one line that commands no terminal (as JSON: %s)", (asJson) => {
    const failure = new CallgateError("FILE_NOT_FOUND", { at: "a\nb\u001b[2J\u202e\u2028c" });
    const line = failureText(failure, asJson);
    expect(line.endsWith("\n")).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  });

  test("is not longer than a screen", () => {
    const failure = new CallgateError("FIXTURE_INVALID", { at: `/${"x".repeat(60_000)}` });
    expect(failureText(failure, false).length).toBeLessThan(1_500);
  });
});
