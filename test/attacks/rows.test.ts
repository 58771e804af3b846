import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedFolder } from "../json/shared-folder.ts";
import { FAULT_ROWS } from "./rows.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
const TITLES = globSync("*.test.ts", { cwd: HERE })
  .filter((name) => name !== "rows.test.ts")
  .map((name) => readFileSync(join(HERE, name), "utf8"))
  .join("\n");
const COLLECTION = sharedFolder("faults.md");

/** The symptoms of a collection: the first cells of its tables, headings left out. */
function symptomsIn(text: string): readonly string[] {
  const cells = text.split("\n").flatMap((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? []);
  return cells.filter((cell) => cell !== "symptom" && cell !== "---");
}

describe("faults that others had", () => {
  test.each(FAULT_ROWS.filter(({ met }) => met === "here"))("$name: has a test here", ({ name }) => {
    expect(TITLES.split(`"${name}`)).toHaveLength(2);
  });

  test("what is met elsewhere has a file there, and what is not met waits for something", () => {
    const elsewhere = FAULT_ROWS.filter(({ met }) => met === "elsewhere");
    expect(elsewhere.filter(({ file }) => file === undefined || !existsSync(join(ROOT, file)))).toEqual([]);
    const unmet = FAULT_ROWS.filter(({ met }) => met === "not yet");
    expect(unmet.filter(({ awaits }) => awaits === undefined)).toEqual([]);
  });

  test("no row stands twice", () => {
    expect(new Set(FAULT_ROWS.map(({ symptom }) => symptom)).size).toBe(FAULT_ROWS.length);
    expect(new Set(FAULT_ROWS.map(({ name }) => name)).size).toBe(FAULT_ROWS.length);
  });

  describe.skipIf(COLLECTION === null)("as they were collected", () => {
    test("none is forgotten, and none is made up", () => {
      const symptoms = symptomsIn(readFileSync(COLLECTION ?? "", "utf8"));
      const digests = symptoms.map((symptom) => createHash("sha256").update(symptom).digest("hex").slice(0, 12));
      const known = FAULT_ROWS.map(({ symptom }) => symptom);
      expect(symptoms.filter((_, index) => !known.includes(digests[index] ?? ""))).toEqual([]);
      expect(known).toEqual(digests);
    });
  });
});
