import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { readScenarioFile } from "../../src/scenarios/read.ts";
import { bytesOf, editedDocument, sampleDocument, valueAt } from "./sample-document.ts";

type Edits = Readonly<Record<string, unknown>>;

const CASE = "/cases/0";
const ROLES = `${CASE}/principal/roles`;
const STEP = `${CASE}/steps/0`;
const QUERY = `${CASE}/steps/1`;
const ARGUMENTS = `${STEP}/proposal/arguments`;
const CONTEXT = `${STEP}/execution_context`;
const EXPECTED = `${STEP}/expected`;

const OBJECTS = ["", "/contract", CASE, `${CASE}/principal`, STEP, `${STEP}/proposal`, CONTEXT, EXPECTED];
const MEMBERS = OBJECTS.flatMap((object) =>
  Object.keys(valueAt(object) as object).map((name) => [object, name] as const),
);

const LONG = "\u{1f600}".repeat(256);
const WIDE = Array.from({ length: 1_025 }, () => 0);
const roles = (count: number): string[] => Array.from({ length: count }, (_, index) => `role-${index + 10}`);
const many = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
const caseWith = (id: string, ...steps: unknown[]): unknown => ({ ...(valueAt(CASE) as object), id, steps });

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

  test.each<[string, Edits]>([
    ["now 0", { [`${STEP}/now`]: 0 }],
    ["the last second", { [`${STEP}/now`]: 253_402_300_739 }],
    ["no key", { [`${CONTEXT}/idempotency_key`]: null }],
    ["an id of 255 code points", { [`${CASE}/id`]: "\u{1f600}".repeat(255) }],
    ["32 roles", { [ROLES]: roles(32) }],
    ["roles in order of code points", { [ROLES]: ["\uff5e", "\u{1f600}"] }],
    ["arguments that fit no tool", { [ARGUMENTS]: { any: [1.5, null, 1e21] } }],
    ["the name of no tool", { [`${STEP}/proposal/name`]: "no tool at all" }],
    ["an expectation that cannot come true", { [`${EXPECTED}/side_effect_count`]: 99 }],
    [
      "a query of a query",
      { [`${CASE}/steps/2`]: { ...(valueAt(QUERY) as object), step_id: "again", status_ref_from: "ask" } },
    ],
    ["one step id in two cases", { "/cases/1": caseWith("other", valueAt(STEP)) }],
  ])("may have %s", (_name, edits) => {
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
  test.each<[string, Edits, string]>([
    ["another contract", { "/contract/model_result": "tool-model-result-v1" }, "/contract/model_result"],
    ["another audit", { "/contract/protected_audit": "tool-audit-v1" }, "/contract/protected_audit"],
    ["no cases", { "/cases": [] }, "/cases"],
    ["257 cases", { "/cases": many(257) }, "/cases"],
    ["no steps", { [`${CASE}/steps`]: [] }, `${CASE}/steps`],
    ["257 steps", { [`${CASE}/steps`]: many(257) }, `${CASE}/steps`],
    ["two cases of one id", { "/cases/1": valueAt(CASE) }, "/cases/1/id"],
    ["two steps of one id", { [`${QUERY}/step_id`]: "draft" }, `${QUERY}/step_id`],
    ["an empty id", { [`${CASE}/id`]: "" }, `${CASE}/id`],
    ["a blank id", { [`${CASE}/id`]: " \u3000\u0085" }, `${CASE}/id`],
    ["a long id", { [`${CASE}/id`]: LONG }, `${CASE}/id`],
    ["a blank step id", { [`${STEP}/step_id`]: " " }, `${STEP}/step_id`],
    ["a blank tenant", { [`${CASE}/principal/tenant_id`]: " " }, `${CASE}/principal/tenant_id`],
    ["a long subject", { [`${CASE}/principal/subject_id`]: LONG }, `${CASE}/principal/subject_id`],
    ["33 roles", { [ROLES]: roles(33) }, ROLES],
    ["a blank role", { [ROLES]: ["a", ""] }, `${ROLES}/1`],
    ["a long role", { [ROLES]: [LONG] }, `${ROLES}/0`],
    ["a null role", { [ROLES]: [null] }, `${ROLES}/0`],
    ["roles out of order", { [ROLES]: ["b", "a"] }, `${ROLES}/1`],
    ["a role twice", { [ROLES]: ["a", "a"] }, `${ROLES}/1`],
    ["roles in order of UTF-16 units", { [ROLES]: ["\u{1f600}", "\uff5e"] }, `${ROLES}/1`],
    ["another action", { [`${STEP}/action`]: "cancel" }, `${STEP}/action`],
    ["another approval", { [`${STEP}/approval`]: "forged" }, `${STEP}/approval`],
    ["another failure", { [`${STEP}/failure`]: "power_cut" }, `${STEP}/failure`],
    ["a failure that every object has", { [`${STEP}/failure`]: "toString" }, `${STEP}/failure`],
    ["a blank tool name", { [`${STEP}/proposal/name`]: "\t" }, `${STEP}/proposal/name`],
    ["arguments in words", { [ARGUMENTS]: "{}" }, ARGUMENTS],
    ["null arguments", { [ARGUMENTS]: null }, ARGUMENTS],
    ["arguments beyond what is hashed", { [ARGUMENTS]: { all: WIDE } }, `${ARGUMENTS}/all`],
    ["a blank response id", { [`${CONTEXT}/response_id`]: "" }, `${CONTEXT}/response_id`],
    ["a null call id", { [`${CONTEXT}/call_id`]: null }, `${CONTEXT}/call_id`],
    ["a long call id", { [`${CONTEXT}/call_id`]: LONG }, `${CONTEXT}/call_id`],
    ["a blank operation id", { [`${CONTEXT}/operation_id`]: "\n" }, `${CONTEXT}/operation_id`],
    ["a blank key", { [`${CONTEXT}/idempotency_key`]: "" }, `${CONTEXT}/idempotency_key`],
    ["another provider", { [`${CONTEXT}/provider`]: "another" }, CONTEXT],
    ["another provider's family", { [`${CONTEXT}/api_family`]: "messages" }, CONTEXT],
    ["another provider's revision", { [`${CONTEXT}/adapter_revision`]: "anthropic-messages-v1" }, CONTEXT],
    ["a time before zero", { [`${STEP}/now`]: -1 }, `${STEP}/now`],
    ["a time in which no approval fits", { [`${QUERY}/now`]: 253_402_300_740 }, `${QUERY}/now`],
    ["a time in words", { [`${STEP}/now`]: "1000" }, `${STEP}/now`],
    ["a dispatch that refers", { [`${STEP}/status_ref_from`]: "ask" }, `${STEP}/status_ref_from`],
    ["a query to none", { [`${QUERY}/status_ref_from`]: null }, `${QUERY}/status_ref_from`],
    ["a query to itself", { [`${QUERY}/status_ref_from`]: "ask" }, `${QUERY}/status_ref_from`],
    ["a query to a stranger", { [`${QUERY}/status_ref_from`]: "nobody" }, `${QUERY}/status_ref_from`],
    ["a query to a later step", { [STEP]: valueAt(QUERY), [QUERY]: valueAt(STEP) }, `${STEP}/status_ref_from`],
    [
      "a query to another case's step",
      { "/cases/1": caseWith("other", valueAt(QUERY)) },
      "/cases/1/steps/0/status_ref_from",
    ],
    ["a query with an approval", { [`${QUERY}/approval`]: "valid" }, `${QUERY}/approval`],
    ["a query with a failure", { [`${QUERY}/failure`]: "rate_limit" }, `${QUERY}/failure`],
    ["another code", { [`${EXPECTED}/code`]: "MAYBE" }, `${EXPECTED}/code`],
    ["another status", { [`${EXPECTED}/status`]: "done" }, `${EXPECTED}/status`],
    ["another outcome", { [`${EXPECTED}/outcome`]: "failed" }, `${EXPECTED}/outcome`],
    ["another recovery", { [`${EXPECTED}/recovery`]: "retry" }, `${EXPECTED}/recovery`],
    ["another delivery", { [`${EXPECTED}/delivery`]: "replay" }, `${EXPECTED}/delivery`],
    ["data in words", { [`${EXPECTED}/data`]: "none" }, `${EXPECTED}/data`],
    ["data beyond what is hashed", { [`${EXPECTED}/data`]: { all: WIDE } }, `${EXPECTED}/data/all`],
    ["a count below zero", { [`${EXPECTED}/side_effect_count`]: -1 }, `${EXPECTED}/side_effect_count`],
  ])("%s", (_name, edits, at) => {
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
