import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile, readScenarioFile } from "../../src/scenarios/read.ts";
import { counterGate, gateDocument, gateDocumentWith, gateStep, moduleOf } from "./gate-document.ts";
import { bytesOf, sampleDocument } from "./sample-document.ts";

type Edits = Readonly<Record<string, unknown>>;

const CASE = "/cases/0";
const STEP = `${CASE}/steps/0`;
const EXPECTED = `${STEP}/expected`;
const QUERY = { action: "query_status", approval: "none", status_ref_from: "first" };
const OFFERED = offeredNames(moduleOf(counterGate())) as OfferedNames;

function failureOf(document: object, offered = OFFERED): { code: string; at: string | null; detail: string } | null {
  try {
    readGateScenarioFile(bytesOf(document), offered);
    return null;
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return { code: error.code, at: error.at, detail: error.detail ?? "" };
  }
}

test("a gate's names are those of its module, and of the approvals that every gate has", () => {
  expect(OFFERED).toEqual({
    worlds: ["counters"],
    faults: ["down", "down_for_good", "silent"],
    approvals: ["none", "valid", "expired", "mismatched", "by_a_stranger", "a_bad_and_a_good_one"],
    writingTools: ["count", "tally"],
  });
});

describe("a valid file", () => {
  test.each<[string, Edits]>([
    ["nothing else", {}],
    ["time that passes", { [`${STEP}/advance_ms`]: 1 }],
    ["faults", { [`${STEP}/faults`]: ["down", "silent"] }],
    ["an approval of the gate's own", { [`${STEP}/approval`]: "by_a_stranger" }],
    ["effects in all", { [`${EXPECTED}/side_effects`]: 0 }],
    ["effects of every tool", { [`${EXPECTED}/side_effects`]: { tally: 0, count: 1 } }],
    ["effects of no tool", { [`${EXPECTED}/side_effects`]: {} }],
    ["a query that meets a fault", { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, faults: ["down"] }) }],
  ])("may have %s, and is read as it stands", (_name, edits) => {
    const document = gateDocumentWith(edits);
    expect(readGateScenarioFile(bytesOf(document), OFFERED).document).toEqual(document);
  });
});

const OBJECTS = ["", CASE, `${CASE}/world`, STEP, EXPECTED];
const valueAt = (pointer: string): object =>
  pointer
    .split("/")
    .slice(1)
    .reduce<object>((below, token) => (below as Record<string, object>)[token] ?? {}, gateDocument());
const MEMBERS = OBJECTS.flatMap((object) => Object.keys(valueAt(object)).map((name) => [object, name] as const));

describe("members are exact", () => {
  test.each(MEMBERS)("%s/%s may not be missing", (object, name) => {
    const failure = failureOf(gateDocumentWith({ [`${object}/${name}`]: undefined }));
    expect(failure).toMatchObject({ code: "FIXTURE_INVALID", at: object });
    expect(failure?.detail).toContain(`\`${name}\` is missing`);
  });

  test.each(OBJECTS.flatMap((object) => ["note", "__proto__"].map((name) => `${object}/${name}`)))(
    "%s is one too many",
    (at) => {
      const text = JSON.stringify(gateDocumentWith({ [at.replace("__proto__", "ORIGIN")]: 1 }));
      const bytes = new TextEncoder().encode(text.replace("ORIGIN", "__proto__"));
      expect(() => readGateScenarioFile(bytes, OFFERED)).toThrow(
        expect.objectContaining({ code: "FIXTURE_INVALID", at }),
      );
    },
  );

  test.each(
    MEMBERS.flatMap(([object, name]) => [true, 1.5, [[]]].map((value) => [`${object}/${name}`, value] as const)),
  )("%s may not be %j", (at, value) => {
    const failure = failureOf(gateDocumentWith({ [at]: value }));
    expect(failure?.code).toBe("FIXTURE_INVALID");
    expect([at, `${at}/0`]).toContain(failure?.at);
  });
});

describe("refused", () => {
  test.each<[string, Edits, string]>([
    ["a world that is not offered", { [`${CASE}/world/name`]: "elsewhere" }, `${CASE}/world/name`],
    ["a world that every object has", { [`${CASE}/world/name`]: "toString" }, `${CASE}/world/name`],
    ["parameters in a list", { [`${CASE}/world/parameters`]: [] }, `${CASE}/world/parameters`],
    ["a fault that is not offered", { [`${STEP}/faults`]: ["down", "rate_limit"] }, `${STEP}/faults/1`],
    ["a fault twice", { [`${STEP}/faults`]: ["down", "down"] }, `${STEP}/faults/1`],
    ["17 faults", { [`${STEP}/faults`]: Array.from({ length: 17 }, () => "down") }, `${STEP}/faults`],
    ["a fault alone", { [`${STEP}/faults`]: "down" }, `${STEP}/faults`],
    ["an approval that is not offered", { [`${STEP}/approval`]: "forged" }, `${STEP}/approval`],
    ["no time at all", { [`${STEP}/advance_ms`]: 0 }, `${STEP}/advance_ms`],
    ["time that goes back", { [`${STEP}/advance_ms`]: -1 }, `${STEP}/advance_ms`],
    ["half a millisecond", { [`${STEP}/advance_ms`]: 0.5 }, `${STEP}/advance_ms`],
    ["effects below zero", { [`${EXPECTED}/side_effects`]: -1 }, `${EXPECTED}/side_effects`],
    ["effects of no tool of the gate", { [`${EXPECTED}/side_effects`]: { sum: 1 } }, `${EXPECTED}/side_effects/sum`],
    ["half an effect", { [`${EXPECTED}/side_effects`]: { count: 0.5 } }, `${EXPECTED}/side_effects/count`],
    ["a count of the other format", { [`${EXPECTED}/side_effect_count`]: 1 }, `${EXPECTED}/side_effect_count`],
    ["a failure of the other format", { [`${STEP}/failure`]: "none" }, `${STEP}/failure`],
    ["a time in which no approval fits", { [`${STEP}/now`]: 253_402_300_740 }, `${STEP}/now`],
    ["a dispatch that refers", { [`${STEP}/status_ref_from`]: "first" }, `${STEP}/status_ref_from`],
    [
      "a query with an approval",
      { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, approval: "valid" }) },
      `${CASE}/steps/1/approval`,
    ],
    [
      "a query of itself",
      { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, status_ref_from: "ask" }) },
      `${CASE}/steps/1/status_ref_from`,
    ],
    ["two cases of one id", { "/cases/1": valueAt(CASE) }, "/cases/1/id"],
    ["two steps of one id", { [`${CASE}/steps/1`]: gateStep("first") }, `${CASE}/steps/1/step_id`],
    ["no cases", { "/cases": [] }, "/cases"],
    ["no steps", { [`${CASE}/steps`]: [] }, `${CASE}/steps`],
  ])("%s", (_name, edits, at) => {
    expect(failureOf(gateDocumentWith(edits))).toMatchObject({ code: "FIXTURE_INVALID", at });
  });

  test("a fault where the gate offers none, in words that say so", () => {
    const failure = failureOf(gateDocumentWith({ [`${STEP}/faults`]: ["down"] }), { ...OFFERED, faults: [] });
    expect(failure?.detail).toContain("the gate offers no fault");
  });

  test("a file about other tools has a code of its own, on both sides; another version another", () => {
    const other = { code: "FIXTURE_OF_ANOTHER_GATE", at: "/schema_version" };
    expect(failureOf(sampleDocument())).toMatchObject(other);
    expect(() => readScenarioFile(bytesOf(gateDocument()))).toThrow(expect.objectContaining(other));
    const version = failureOf(gateDocumentWith({ "/schema_version": "callgate-scenarios-v2" }));
    expect(version).toMatchObject({ code: "FIXTURE_VERSION", at: "/schema_version" });
  });
});
