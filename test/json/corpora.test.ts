import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { readJson } from "../../src/json/read.ts";
import { failureOf } from "./failure.ts";
import { sharedFolder } from "./shared-folder.ts";

const LIMIT = { maxBytes: 1_000_000 };
const TEXTS = sharedFolder("corpora/json");
const VECTORS = sharedFolder("corpora/jcs");

/** Texts that RFC 8259 allows and that this reader refuses, with the reason. */
const STRICTER: ReadonlyMap<string, string> = new Map([
  ["y_object_duplicated_key.json", "JSON_DUPLICATE_MEMBER"],
  ["y_object_duplicated_key_and_value.json", "JSON_DUPLICATE_MEMBER"],
]);

describe.skipIf(TEXTS === null)("the corpus of JSON texts", () => {
  const files = TEXTS === null ? [] : readdirSync(TEXTS).filter((name) => name.endsWith(".json"));
  const bytesOf = (name: string): Uint8Array => readFileSync(join(TEXTS ?? "", name));

  test("is there", () => {
    expect(files.length).toBeGreaterThan(280);
    expect(files.filter((name) => !/^[yn]_/.test(name))).toEqual([]);
  });

  test.each(files.filter((name) => name.startsWith("y_") && !STRICTER.has(name)))("%s is read", (name) => {
    const bytes = bytesOf(name);
    expect(JSON.stringify(readJson(bytes, LIMIT).value)).toBe(
      JSON.stringify(JSON.parse(new TextDecoder().decode(bytes))),
    );
  });

  test.each([...STRICTER])("%s is refused with %s", (name, code) => {
    expect(failureOf(() => readJson(bytesOf(name), LIMIT)).code).toBe(code);
  });

  test.each(files.filter((name) => name.startsWith("n_")))("%s is refused", (name) => {
    expect(failureOf(() => readJson(bytesOf(name), LIMIT)).code).toMatch(
      /^JSON_(SYNTAX|NOT_UTF8|BOM|TOO_DEEP|NUMBER_RANGE)$/,
    );
  });
});

describe.skipIf(VECTORS === null)("the vectors of RFC 8785", () => {
  const names = VECTORS === null ? [] : readdirSync(join(VECTORS, "input"));
  const bytesOf = (folder: string, name: string): Buffer => readFileSync(join(VECTORS ?? "", folder, name));

  test("are there", () => {
    expect(names.length).toBeGreaterThan(5);
  });

  test.each(names)("%s", (name) => {
    const canonical = Buffer.from(canonicalize(readJson(bytesOf("input", name), LIMIT).value));
    const hex = bytesOf("outhex", name.replace(/\.json$/, ".txt")).toString("latin1");
    expect(canonical.toString("hex")).toBe(hex.replaceAll(/\s/g, ""));
    expect(canonical.equals(bytesOf("output", name))).toBe(true);
  });
});
