import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { casesOf, predictionsOf } from "./fixture-cases.ts";

const shared = process.env["CALLGATE_SHARED"] ?? fileURLToPath(new URL("../../../shared/", import.meta.url));
const published = `${shared}/interop/tool-cases.json`;

describe.skipIf(!existsSync(published))("the published cases", () => {
  const cases = existsSync(published) ? casesOf(published) : [];

  test("there are 18 cases with 23 steps", () => {
    expect([cases.length, cases.flatMap(({ steps }) => steps).length]).toEqual([18, 23]);
  });

  test.each(cases)("the model predicts $id", (fixtureCase) => {
    expect(predictionsOf(fixtureCase)).toEqual(fixtureCase.steps.map(({ expected }) => expected));
  });
});

describe("the cases of this project", () => {
  const folder = fileURLToPath(new URL("../../fixtures/", import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

  test.each(files)("the model predicts every step of %s", (name) => {
    for (const fixtureCase of casesOf(`${folder}/${name}`)) {
      const expected = fixtureCase.steps.map((step) => step.expected);
      expect(predictionsOf(fixtureCase), `case ${fixtureCase.id}`).toEqual(expected);
    }
  });
});
