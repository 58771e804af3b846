import { describe, expect, test } from "vitest";
import { SOURCES, textOf } from "../house-rules/project-files.ts";
import { acceptedSurvivors } from "./accepted.ts";
import { asOneLine } from "./report.ts";
import { withoutTypes } from "./untyped-copy.ts";

// Whether they survive is for the mutation run; that they are still there is seen at once.
describe("the list of accepted survivors", () => {
  const list = acceptedSurvivors();

  test("names lines that are there", () => {
    const linesOf = (path: string) =>
      SOURCES.includes(path) ? withoutTypes(textOf(path)).split("\n").map(asOneLine) : [];
    expect(list.filter(({ file, line }) => !linesOf(file).includes(line))).toEqual([]);
  });

  test("gives a reason for each", () => {
    expect(list.filter(({ reason }) => !/^\S.{19,}\.$/.test(reason))).toEqual([]);
  });

  test("counts in whole numbers, and names none twice", () => {
    expect(list.filter(({ times = 1 }) => !Number.isInteger(times) || times < 1)).toEqual([]);
    const names = list.map(({ file, line, original, replacement }) => [file, line, original, replacement].join("\n"));
    expect(names).toEqual([...new Set(names)]);
  });
});
