import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { readScenarioFile } from "../../src/scenarios/read.ts";
import { bytesOf, editedDocument, sampleDocument, valueAt } from "./sample-document.ts";
import { ACCEPTED_SAMPLE_EDITS, REFUSED_SAMPLE_EDITS } from "./sample-edits.ts";

const CASE = "/cases/0";
const STEP = `${CASE}/steps/0`;
const QUERY = `${CASE}/steps/1`;
const ARGUMENTS = `${STEP}/proposal/arguments`;
const CONTEXT = `${STEP}/execution_context`;
const EXPECTED = `${STEP}/expected`;

const OBJECTS = ["", "/contract", CASE, `${CASE}/principal`, STEP, `${STEP}/proposal`, CONTEXT, EXPECTED];
const MEMBERS = OBJECTS.flatMap((object) =>
  Object.keys(valueAt(object) as object).map((name) => [object, name] as const),
);

function failureOf(bytes: Uint8Array): { code: string; at: string | null; detail: string } | null {
  try {
    readScenarioFile(bytes);
    return null;
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return { code: error.code, at: error.at, detail: error.detail ?? "" };
  }
}

describe("a valid file", () => {
  test("is read as it stands, and knows its places", () => {
    const file = readScenarioFile(bytesOf(sampleDocument()));
    expect(file.document).toEqual(sampleDocument());
    expect(["", `${CASE}/id`, "/cases/1"].map((pointer) => file.placeOf(pointer)?.line)).toEqual([1, 9, undefined]);
  });

  test.each(ACCEPTED_SAMPLE_EDITS)("may have %s", (_name, edits) => {
    const document = editedDocument(edits);
    expect(readScenarioFile(bytesOf(document)).document).toEqual(document);
  });
});

describe("members are exact", () => {
  test.each(MEMBERS)("%s/%s may not be missing", (object, name) => {
    const failure = failureOf(bytesOf(editedDocument({ [`${object}/${name}`]: undefined })));
    expect(failure).toMatchObject({ code: "FIXTURE_INVALID", at: object });
    expect(failure?.detail).toContain(`\`${name}\` is missing`);
  });

  test.each(OBJECTS.flatMap((object) => ["note", "toString", "__proto__"].map((name) => `${object}/${name}`)))(
    "%s is one too many",
    (at) => {
      expect(failureOf(bytesOf(editedDocument({ [at]: 1 })))).toMatchObject({ code: "FIXTURE_INVALID", at });
    },
  );

  test.each(
    MEMBERS.flatMap(([object, name]) => [true, 1.5, [[]]].map((value) => [`${object}/${name}`, value] as const)),
  )("%s may not be %j", (at, value) => {
    const failure = failureOf(bytesOf(editedDocument({ [at]: value })));
    expect(failure?.code).toBe("FIXTURE_INVALID");
    // What is wrong with a list may be its first item.
    expect([at, `${at}/0`]).toContain(failure?.at);
  });
});

describe("refused", () => {
  test.each(REFUSED_SAMPLE_EDITS)("%s", (_name, edits, at) => {
    expect(failureOf(bytesOf(JSON.stringify(editedDocument(edits))))).toMatchObject({ code: "FIXTURE_INVALID", at });
  });

  test("another version has a code of its own, whatever else stands there", () => {
    const failure = failureOf(bytesOf({ schema_version: "tool-cases-v3" }));
    expect(failure).toMatchObject({ code: "FIXTURE_VERSION", at: "/schema_version" });
  });

  test.each(["[]", "null", "1", '"tool-cases-v2"'])("%s is no document", (text) => {
    expect(failureOf(bytesOf(text))).toMatchObject({ code: "FIXTURE_INVALID", at: "" });
  });

  test("the line of what is wrong is named", () => {
    const bytes = bytesOf(editedDocument({ [`${QUERY}/now`]: true }));
    const lines = new TextDecoder().decode(bytes).split("\n");
    const line = lines.findIndex((text) => text.includes('"now": true')) + 1;
    expect(failureOf(bytes)?.detail).toContain(`on line ${line}`);
  });
});

describe("integers are written as integers", () => {
  const text = JSON.stringify(sampleDocument());

  test.each([
    ['"now":1000', '"now":1000.0', `${STEP}/now`],
    ['"now":1000', '"now":1e3', `${STEP}/now`],
    ['"now":1000', '"now":1E+3', `${STEP}/now`],
    ['"now":1000', '"now":-0.0', `${STEP}/now`],
    ['"side_effect_count":1', '"side_effect_count":1.0', `${EXPECTED}/side_effect_count`],
  ])("%s may not be written %s", (written, instead, at) => {
    expect(failureOf(bytesOf(text.replace(written, instead)))).toMatchObject({ code: "FIXTURE_INVALID", at });
  });

  test("arguments may have any number that can be hashed", () => {
    const written = '{"any":[1.0,1e3,1e21,-0.0,9007199254740993.0]}';
    const { document } = readScenarioFile(bytesOf(text.replace(JSON.stringify(valueAt(ARGUMENTS)), written)));
    expect(document.cases[0]?.steps[0]?.proposal.arguments).toEqual({ any: [1, 1000, 1e21, 0, 9007199254740992] });
  });
});

describe("the text is read strictly", () => {
  const text = JSON.stringify(sampleDocument());
  const nested = (levels: number): string =>
    text.replace(JSON.stringify(valueAt(ARGUMENTS)), `{"any":${"[".repeat(levels)}${"]".repeat(levels)}}`);

  test.each<[string, Uint8Array, string | null]>([
    ["65,536 bytes", bytesOf(text.padEnd(65_536)), null],
    ["65,537 bytes", bytesOf(text.padEnd(65_537)), "JSON_TOO_LARGE"],
    // Root, cases, case, steps, step, proposal and arguments are seven.
    ["32 containers in one another", bytesOf(nested(25)), null],
    ["33 containers in one another", bytesOf(nested(26)), "JSON_TOO_DEEP"],
    ["a member twice", bytesOf(text.replace('"id":', '"id":"a","id":')), "JSON_DUPLICATE_MEMBER"],
    ["a member twice, once escaped", bytesOf(text.replace('"id":', '"\\u0069d":"a","id":')), "JSON_DUPLICATE_MEMBER"],
    ["NaN", bytesOf(text.replace("1000", "NaN")), "JSON_SYNTAX"],
    ["Infinity", bytesOf(text.replace("1000", "Infinity")), "JSON_SYNTAX"],
    ["a number that overflows", bytesOf(text.replace("1000", "1e400")), "JSON_NUMBER_RANGE"],
    ["an integer that no double holds", bytesOf(text.replace("1000", "9007199254740993")), "JSON_NUMBER_RANGE"],
    ["half a surrogate pair", bytesOf(text.replace("lost-then-asked", "\\ud800")), "JSON_SURROGATE"],
    ["invalid UTF-8", Uint8Array.from([...bytesOf(text), 0xff]), "JSON_NOT_UTF8"],
    ["a byte order mark", Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(text)]), "JSON_BOM"],
    ["nothing", bytesOf(""), "JSON_SYNTAX"],
    ["a trailing comma", bytesOf(text.replace(/}$/, ",}")), "JSON_SYNTAX"],
  ])("%s", (_name, bytes, code) => {
    expect(failureOf(bytes)?.code ?? null).toBe(code);
  });
});
