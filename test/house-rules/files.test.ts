import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFiles, SOURCES, textOf } from "./project-files.ts";

const TESTS = projectFiles("test/**/*.ts");
const CODE = [...SOURCES, ...TESTS, ...projectFiles("diagrams/**/*.ts", "*.{ts,mjs}", ".ci/*")];

const linesOf = (path: string): number => textOf(path).trimEnd().split("\n").length;

describe("size", () => {
  test("no file is over 400 lines", () => {
    expect(CODE.filter((path) => linesOf(path) > 400)).toEqual([]);
  });

  test("the median source file is under 150 lines", () => {
    const lengths = SOURCES.map(linesOf).toSorted((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(150);
  });
});

describe("names", () => {
  const WITHOUT_MEANING = /^(utils?|helpers?|common|types?|misc|shared|constants|base)\.(test\.)?(ts|js|mjs)$/;

  test("every file is named after what it holds", () => {
    expect(CODE.filter((path) => WITHOUT_MEANING.test(basename(path)))).toEqual([]);
    expect("src/json/utils.ts").toSatisfy((path: string) => WITHOUT_MEANING.test(basename(path)));
  });

  test("files are named in lower case, words joined by hyphens", () => {
    const named = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;
    expect(CODE.filter((path) => !named.test(basename(path)))).toEqual([]);
  });
});

describe("doors", () => {
  // Public doors stand directly in src; every other module is imported where it stands.
  const isDoor = (path: string): boolean => /^src\/[^/]+\.ts$/.test(path);
  const RE_EXPORT = /^\s*export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\b/m;

  test("only a public door hands on what others export", () => {
    expect(SOURCES.filter((path) => !isDoor(path) && RE_EXPORT.test(textOf(path)))).toEqual([]);
  });

  test("index.ts is the name of the public door alone", () => {
    expect(CODE.filter((path) => basename(path) === "index.ts" && path !== "src/index.ts")).toEqual([]);
  });

  test.each([
    ["export * from './a.ts';", true],
    ["export * as all from './a.ts';", true],
    ["export type { A } from './a.ts';", true],
    ["export {\n  a,\n} from './a.ts';", true],
    ["import { a } from './a.ts';\nexport { b };", false],
  ])("%j is a re-export: %s", (text, expected) => {
    expect(RE_EXPORT.test(text)).toBe(expected);
  });
});

describe("tests", () => {
  const CASE = /\b(test|it)(\.\w+)*\s*(\(|\.each)/;

  test("a file that has tests is named so that they run", () => {
    const importsTest = /import\s*\{[^}]*\b(test|it|describe)\b[^}]*\}\s*from\s*"vitest"/;
    const silent = TESTS.filter((path) => !path.endsWith(".test.ts") && importsTest.test(textOf(path)));
    expect(silent).toEqual([]);
  });

  test("a file named as a test has one", () => {
    expect(TESTS.filter((path) => path.endsWith(".test.ts") && !CASE.test(textOf(path)))).toEqual([]);
  });

  test("no test is switched off by hand", () => {
    const off = /\b(test|it|describe)\.(skip|todo|only)\b|\b(xit|xtest|xdescribe)\(/;
    expect(TESTS.filter((path) => !path.startsWith("test/house-rules/") && off.test(textOf(path)))).toEqual([]);
  });
});
