import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile, readScenarioFile } from "../../src/scenarios/read.ts";
import { valueIn } from "./edited.ts";
import { counterGate, gateDocument, gateDocumentWith, moduleOf } from "./gate-document.ts";
import { ACCEPTED_GATE_EDITS, REFUSED_GATE_EDITS } from "./gate-edits.ts";
import { bytesOf, sampleDocument } from "./sample-document.ts";

const CASE = "/cases/0";
const STEP = `${CASE}/steps/0`;
const EXPECTED = `${STEP}/expected`;
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
  test.each(ACCEPTED_GATE_EDITS)("may have %s, and is read as it stands", (_name, edits) => {
    const document = gateDocumentWith(edits);
    expect(readGateScenarioFile(bytesOf(document), OFFERED).document).toEqual(document);
  });
});

const OBJECTS = ["", CASE, `${CASE}/world`, STEP, EXPECTED];
const MEMBERS = OBJECTS.flatMap((object) =>
  Object.keys(valueIn(gateDocument(), object) as object).map((name) => [object, name] as const),
);

describe("members are exact", () => {
  test.each(MEMBERS)("%s/%s may not be missing", (object, name) => {
    const failure = failureOf(gateDocumentWith({ [`${object}/${name}`]: undefined }));
    expect(failure).toMatchObject({ code: "FIXTURE_INVALID", at: object });
    expect(failure?.detail).toContain(`\`${name}\` is missing`);
  });

  test.each(OBJECTS.flatMap((object) => ["note", "__proto__"].map((name) => `${object}/${name}`)))(
    "%s is one too many",
    (at) => {
      expect(failureOf(gateDocumentWith({ [at]: 1 }))).toMatchObject({ code: "FIXTURE_INVALID", at });
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
  test.each(REFUSED_GATE_EDITS)("%s", (_name, edits, at) => {
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
