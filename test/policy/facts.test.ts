import { describe, expect, test } from "vitest";
import { agreesSettled, agreesUnknown, isSameContract } from "../../src/policy/facts.ts";
import type { SettledFacts } from "../../src/protocol/facts.ts";
import { boundCall, WRITE } from "../packages/sample-calls.ts";

const { facts, toolContract } = boundCall(WRITE);

/** Whether a difference in a member keeps a settled record, and an outcome in doubt, from answering. */
const MATTERS: Readonly<Record<keyof SettledFacts, readonly [settled: boolean, unknown: boolean]>> = {
  request_sha256: [true, true],
  provider: [true, true],
  api_family: [true, true],
  adapter_revision: [true, true],
  output_schema_revision: [true, false],
  effect_revision: [true, true],
  handler_revision: [true, false],
  producer_revision: [true, true],
};

describe("what a record must agree in", () => {
  test.each(Object.entries(MATTERS))("%s: settled %o", (member, [settled, unknown]) => {
    const other = { ...facts, [member]: "another" };
    expect([agreesSettled(facts, other), agreesSettled(other, facts)]).toEqual([!settled, !settled]);
    expect([agreesUnknown(facts, other), agreesUnknown(other, facts)]).toEqual([!unknown, !unknown]);
  });

  test("nothing else matters", () => {
    const other = { ...facts, more: "something" };
    expect([agreesSettled(facts, other), agreesUnknown(facts, other)]).toEqual([true, true]);
  });
});

describe("one tool in all its revisions", () => {
  test("is the same as its like", () => {
    expect(isSameContract(toolContract, { ...toolContract })).toBe(true);
  });

  test.each(Object.keys(toolContract))("is not one with another %s", (member) => {
    expect(isSameContract(toolContract, { ...toolContract, [member]: "another" })).toBe(false);
    expect(isSameContract({ ...toolContract, [member]: "another" }, toolContract)).toBe(false);
  });
});
