import { expect, test } from "vitest";
import { FAILURES } from "../../src/errors/failures.ts";
import { REFUSALS } from "../../src/errors/refusals.ts";
import { projectFiles, textOf } from "./project-files.ts";

/** Where a code counts as produced. Rules about the catalogue, and tests of it, name codes without producing them. */
const PLACES = projectFiles("test/**/*.test.ts", "fixtures/**/*.json").filter(
  (path) => !/^test\/(house-rules|errors)\//.test(path),
);
const TEXT = PLACES.map(textOf).join("\n");

test.each([
  ["refusal", Object.keys(REFUSALS)],
  ["failure", Object.keys(FAILURES)],
])("every %s is produced by a test or a scenario", (_kind, codes) => {
  expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(TEXT))).toEqual([]);
});
