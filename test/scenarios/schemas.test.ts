import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { pointerOf } from "../../src/json/pointer.ts";
import { ACTIONS, APPROVALS, GATE_VERSION, SAMPLE_VERSION } from "../../src/scenarios/document.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile, readScenarioFile } from "../../src/scenarios/read.ts";
import { sharedFolder } from "../json/shared-folder.ts";
import { DOCUMENT_SCHEMAS, schemaText } from "./document-schemas.ts";
import { valueIn, type Edits } from "./edited.ts";
import { counterGate, gateDocument, gateDocumentWith, moduleOf } from "./gate-document.ts";
import { ACCEPTED_GATE_EDITS, REFUSED_GATE_EDITS } from "./gate-edits.ts";
import { bytesOf, editedDocument, sampleDocument } from "./sample-document.ts";
import { ACCEPTED_SAMPLE_EDITS, REFUSED_SAMPLE_EDITS } from "./sample-edits.ts";

const ROOT = join(import.meta.dirname, "../..");
const OFFERED = offeredNames(moduleOf(counterGate())) as OfferedNames;
const STEP = "/cases/0/steps/1";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true });
const validators = {
  [SAMPLE_VERSION]: ajv.compile(DOCUMENT_SCHEMAS[SAMPLE_VERSION]),
  [GATE_VERSION]: ajv.compile(DOCUMENT_SCHEMAS[GATE_VERSION]),
};

/** What a schema cannot say of a document. Shape: what it is, what the reader says of it. */
const BEYOND_A_SCHEMA = [
  ["ids that stand twice", /: an earlier (case|step of the case) has the same id,/],
  ["the order of roles", /\/roles\/\d+: roles stand in ascending order of code points,/],
  ["which step a query refers to", /: a query refers to an earlier step of its case,/],
  ["what a gate offers", /\/(world\/name|approval|faults\/\d+): one of these is expected: /],
  ["which tools of a gate write", /\/side_effects\/[^/]+: no such member is known here,/],
] as const;

const SCALARS = [null, true, false, 0, 1, -1, 1.5, 1e21, 253_402_300_740, 9_007_199_254_740_991];
const TEXTS = ["", " \u3000", "x", "constructor", "\u{1f600}".repeat(255), "\u{1f600}".repeat(256)];
const WIDE = Array.from({ length: 1_025 }, (_, index) => index);
const MANY = Object.fromEntries(WIDE.map((item) => [`member-${item}`, item]));
const names = (count: number): readonly string[] => WIDE.slice(10, 10 + count).map((item) => `name-${item}`);
const CONTAINERS = [
  ...[[], [[]], [null], ["b", "a"], ["a", "a"], names(16), names(17), names(32), names(33), WIDE, [WIDE]],
  ...[{}, { a: 1 }, { a: [1.5, null] }, { a: WIDE }, { a: MANY }, MANY],
];

/** The pointers of all values in a value. */
function pointersIn(value: unknown, path: readonly string[] = []): readonly string[] {
  const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [pointerOf(path), ...below.flatMap(([name, item]) => pointersIn(item, [...path, name]))];
}

/** Every document that differs in one place: a value that is another, one that is missing, one that is too many. */
function singleEdits(document: object): readonly Edits[] {
  const pointers = pointersIn(document);
  const texts = pointers.map((pointer) => valueIn(document, pointer)).filter((value) => typeof value === "string");
  const values = [...SCALARS, ...new Set([...TEXTS, ...texts]), ...CONTAINERS];
  return pointers.flatMap((pointer) => {
    const value = valueIn(document, pointer);
    const added = Array.isArray(value)
      ? values.map((item) => ({ [`${pointer}/${value.length}`]: item }))
      : ["note", "toString", "__proto__", "$schema"].map((name) => ({ [`${pointer}/${name}`]: 1 }));
    const isContainer = typeof value === "object" && value !== null;
    return [
      ...(pointer === "" ? [] : [undefined, ...values].map((instead) => ({ [pointer]: instead }))),
      ...(isContainer ? added : []),
    ];
  });
}

/** A second step, with every combination of what a query may not have and a dispatch may not refer to. */
const COMBINED: readonly Edits[] = [...ACTIONS, "cancel"].flatMap((action) =>
  [...APPROVALS, "forged"].flatMap((approval) =>
    ["none", "rate_limit"].flatMap((failure) =>
      [null, "draft", "ask", "nobody", ""].map((statusRefFrom) => ({
        [`${STEP}/action`]: action,
        [`${STEP}/approval`]: approval,
        [`${STEP}/failure`]: failure,
        [`${STEP}/status_ref_from`]: statusRefFrom,
      })),
    ),
  ),
);

/** What the reader says of a file, with its place; null where it takes it. */
function refusalOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return `${error.code} at ${error.at}: ${error.detail}`;
  }
}

describe.each([
  {
    version: SAMPLE_VERSION,
    document: editedDocument,
    read: (bytes: Uint8Array) => readScenarioFile(bytes),
    edits: [...ACCEPTED_SAMPLE_EDITS, ...REFUSED_SAMPLE_EDITS].map(([, edits]) => edits),
    more: [...singleEdits(sampleDocument()), ...COMBINED],
    beyond: BEYOND_A_SCHEMA.slice(0, 3),
    files: globSync("fixtures/*.json", { cwd: ROOT }),
  },
  {
    version: GATE_VERSION,
    document: gateDocumentWith,
    read: (bytes: Uint8Array) => readGateScenarioFile(bytes, OFFERED),
    edits: [...ACCEPTED_GATE_EDITS, ...REFUSED_GATE_EDITS].map(([, edits]) => edits),
    more: singleEdits(gateDocument()),
    beyond: BEYOND_A_SCHEMA,
    files: globSync("fixtures/gates/**/*.json", { cwd: ROOT }),
  },
] as const)("the schema of $version", ({ version, document, read, edits, more, beyond, files }) => {
  const isValid = validators[version];

  // To write it anew: npx -c 'vitest run test/scenarios/schemas.test.ts -u'
  test("is the one that is shipped", async () => {
    const file = join(ROOT, `src/scenarios/${version}.schema.json`);
    await expect(await schemaText(version)).toMatchFileSnapshot(file);
  });

  test.each(files)("takes %s", (name) => {
    expect(isValid(JSON.parse(readFileSync(join(ROOT, name), "utf8")))).toBe(true);
  });

  test("says what the reader says of every file, as far as a schema can", () => {
    const judged = [...edits, ...more].map((edit) => {
      const text = JSON.stringify(document(edit));
      return { edit, refusal: refusalOf(() => read(bytesOf(text))), isValid: isValid(JSON.parse(text)) };
    });
    const differing = judged.filter((one) => one.isValid !== (one.refusal === null));
    const isBeyond = (refusal: string | null): boolean =>
      refusal !== null && beyond.some(([, words]) => words.test(refusal));
    expect(differing.filter(({ refusal }) => !isBeyond(refusal))).toEqual([]);
    // What is in the list of exceptions is one.
    const unmet = beyond.filter(([, words]) => !differing.some(({ refusal }) => words.test(refusal ?? "")));
    expect(unmet).toEqual([]);
    expect(judged.length).toBeGreaterThan(1_000);
    expect(judged.filter(({ refusal }) => refusal === null).length).toBeGreaterThan(100);
  });
});

describe("what no schema can say, since it sees no text", () => {
  const text = JSON.stringify(sampleDocument());
  const nested = `${"[".repeat(26)}${"]".repeat(26)}`;

  test.each([
    ["an integer with a fraction", text.replace('"now":1000', '"now":1000.0'), "FIXTURE_INVALID"],
    ["an integer with an exponent", text.replace('"now":1000', '"now":1e3'), "FIXTURE_INVALID"],
    ["an integer that no double holds", text.replace('"ORDER-7"', "9007199254740993"), "JSON_NUMBER_RANGE"],
    ["a member that stands twice", text.replace('"id":', '"id":"a","id":'), "JSON_DUPLICATE_MEMBER"],
    ["half a surrogate pair", text.replace("lost-then-asked", "\\ud800"), "JSON_SURROGATE"],
    ["33 containers in one another", text.replace('"ORDER-7"', nested), "JSON_TOO_DEEP"],
    ["65,537 bytes", text.padEnd(65_537), "JSON_TOO_LARGE"],
  ])("%s", (_name, refused, code) => {
    expect(validators[SAMPLE_VERSION](JSON.parse(refused))).toBe(true);
    expect(refusalOf(() => readScenarioFile(bytesOf(refused)))).toMatch(new RegExp(`^${code} `));
  });
});

test("the scenarios of the guide are taken", () => {
  const guide = readFileSync(join(ROOT, "GUIDE.md"), "utf8");
  const [, scenarios = ""] = /^```json scenarios\/vouchers\.json\n(.*?)^```$/ms.exec(guide) ?? [];
  expect(validators[GATE_VERSION](JSON.parse(scenarios))).toBe(true);
});

const INTEROP = sharedFolder("interop");

test.skipIf(INTEROP === null)("the scenarios of the other implementation are taken", () => {
  const scenarios = readFileSync(join(INTEROP ?? "", "tool-cases.json"), "utf8");
  expect(validators[SAMPLE_VERSION](JSON.parse(scenarios))).toBe(true);
});
