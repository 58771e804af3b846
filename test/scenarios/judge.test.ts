import { expect, test } from "vitest";
import { validationError } from "../../src/packages/validation-error.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";
import type { ScenarioAnswer } from "../../src/scenarios/document.ts";
import { failureOf } from "../../src/scenarios/judge.ts";

const ANSWER: ScenarioAnswer = {
  code: "NOT_FOUND",
  status: "failed",
  outcome: "not_started",
  recovery: "none",
  delivery: "fresh",
  data: null,
  side_effect_count: 0,
};
const JUDGED = {
  place: { line: 3, column: 5 },
  expected: ANSWER,
  received: ANSWER,
  lifecycle: { run: "run" as AttemptId, machine: "operation", states: ["proposed", "bound", "identified", "rejected"] },
  validationErrors: [],
} as const;

test("a step passes whose package validates and whose answer is as expected", () => {
  expect(failureOf(JUDGED)).toBeNull();
});

test("a package that does not validate fails its step, whatever it says", () => {
  const validationErrors = [validationError("/package/model_result", "digest_mismatch")];
  expect(failureOf({ ...JUDGED, validationErrors })).toEqual({
    place: { line: 3, column: 5 },
    differences: [],
    lost_in: null,
  });
});

test("a state that the machine does not have is a bug", () => {
  const lifecycle = { ...JUDGED.lifecycle, states: ["nowhere"] };
  const received: ScenarioAnswer = { ...ANSWER, code: "TOOL_ERROR" };
  expect(() => failureOf({ ...JUDGED, received, lifecycle })).toThrow(TypeError);
});
