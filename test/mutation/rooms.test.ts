import { describe, expect, test } from "vitest";
import { projectFiles, SOURCES } from "../house-rules/project-files.ts";
import { acceptedSurvivors } from "./accepted.ts";
import { ROOMS, sourcesOf } from "./rooms.ts";
import { withoutTypes } from "./untyped-copy.ts";

const MUTATED = Object.values(ROOMS).flatMap((room) => sourcesOf(room));

describe("the rooms", () => {
  test("have every file of judgement and dispatcher, each in one of them", () => {
    const whole = /^(src\/(json|schemas|policy|guards|packages|engine|dispatcher)|machines)\//;
    const expected = SOURCES.filter((path) => whole.test(path) || /^src\/errors\/(refusals|failures)\.ts$/.test(path));
    expect(MUTATED.toSorted()).toEqual(expected);
  });

  test.each(Object.entries(ROOMS))("%s names tests that are there", (_name, { tests }) => {
    const found = (path: string) => projectFiles(path.endsWith(".ts") ? path : `${path}/**/*.test.ts`);
    expect(tests.filter((path) => found(path).length === 0)).toEqual([]);
  });

  test("have every file that the list of accepted survivors names", () => {
    expect(acceptedSurvivors().filter(({ file }) => !MUTATED.includes(file))).toEqual([]);
  });
});

test("a text without types has every other character where it was", () => {
  const text =
    'export const CODES = ["A"] as const satisfies readonly string[];\nexport const second = (code: string) => code!;\n';
  const expected =
    'export const CODES = ["A"]                                     ;\nexport const second = (code        ) => code ;\n';
  expect(withoutTypes(text)).toBe(expected);
});
