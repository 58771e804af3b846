import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, shellIn } from "../cli/packed-package.ts";

const ROOT = join(import.meta.dirname, "../..");
const GUIDE = readFileSync(join(ROOT, "GUIDE.md"), "utf8");
const WORKFLOW = ".github/workflows/callgate.yml";

/** A block of code of the guide: a file to save, lines to run, or what the lines before it print. */
interface Block {
  readonly language: string;
  readonly file: string | null;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [...GUIDE.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
  ([, language = "", file = null, text = ""]) => ({ language, file, text }),
);

let folder: string;

function save(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs one line of the guide. Installing is what `installPacked` has done, from the archive instead of the registry. */
function runLine(line: string): string {
  if (/^npm install callgate$/.test(line)) return "";
  const { status, stdout, stderr } = shellIn(folder, line);
  expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: "" });
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callgate-guide-"));
  installPacked(folder);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("GUIDE.md", () => {
  test("does what it says, step by step", () => {
    let printed = "";
    for (const { language, file, text } of BLOCKS) {
      if (file !== null) save(file, text);
      else if (language === "sh") printed = text.trimEnd().split("\n").map(runLine).join("");
      else expect(printed.slice(-text.length)).toBe(text);
    }
    expect(BLOCKS.map(({ language, file }) => file ?? language)).toEqual([
      ...["sh", "vouchers.mts", "gate.mts", "sh", "scenarios/vouchers.json", "sh", "text"],
      ...["main.mts", "sh", "text", WORKFLOW],
    ]);
  }, 60_000);

  test("writes what the compiler takes at its strictest", () => {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const types = `--typeRoots '${join(ROOT, "node_modules/@types")}' --types node`;
    const options = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck";
    const line = `node '${compiler}' ${options} --allowImportingTsExtensions --module nodenext --target es2024 ${types} *.mts`;
    expect(shellIn(folder, line)).toEqual({ status: 0, stdout: "", stderr: "" });
  }, 60_000);

  describe("has a CI job", () => {
    const steps = (): readonly string[] =>
      [...readFileSync(join(folder, WORKFLOW), "utf8").matchAll(/^ +- run: (.+)$/gm)].map(([, line = ""]) => line);
    const statuses = (): readonly (number | null)[] =>
      steps()
        .filter((line) => line !== "npm ci")
        .map((line) => shellIn(folder, line).status);

    test("that passes", () => {
      expect(steps()).toHaveLength(3);
      expect(statuses()).toEqual([0, 0]);
    });

    test.each([
      ["a scenario that fails", "scenarios/vouchers.json", '"side_effects": 1 }', '"side_effects": 2 }', [0, 1]],
      ["a service that forgets", "vouchers.mts", "byKey.set(key, voucher);", "", [0, 1]],
      ["an invalid tool", "gate.mts", "deadlineMs: 2_000", "deadlineMs: 0", [2, 2]],
    ] as const)("that fails for %s", (_what, file, from, to, expected) => {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text).toContain(from);
      save(file, text.replace(from, to));
      try {
        expect(statuses()).toEqual(expected);
      } finally {
        save(file, text);
      }
    });
  });
});
