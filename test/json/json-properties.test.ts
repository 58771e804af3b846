import npmCanonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { canonicalize, copyJson, quote } from "../../src/json/canonical.ts";
import { pointerOf, tokensOf } from "../../src/json/pointer.ts";
import { readJson } from "../../src/json/read.ts";
import type { JsonPath, JsonValue } from "../../src/protocol/json.ts";
import { anyText, hashedValue, readableValue } from "./arbitraries.ts";

const LIMIT = { maxBytes: 1_000_000 };

/** What an action gives, or the failure it ends in. Whatever else it throws is thrown. */
function attempt<Value>(action: () => Value): Value | CallgateError {
  try {
    return action();
  } catch (error) {
    if (error instanceof CallgateError) return error;
    throw error;
  }
}

const SHORT_ESCAPES = /\\(["\\/bfnrt])/g;
const MEANT: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * What `JSON.parse` gives, every zero a positive one; undefined where it throws. Short escapes are written out first: in
 * member names V8 takes them for other names (see copy.test.ts).
 */
function parsed(text: string): JsonValue | undefined {
  const writtenOut = text.replaceAll(SHORT_ESCAPES, (_escape, letter: string) => {
    const unit = (MEANT[letter] ?? letter).charCodeAt(0);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  });
  try {
    return JSON.parse(writtenOut, (_name, value: JsonValue) => (value === 0 ? 0 : value)) as JsonValue;
  } catch {
    return undefined;
  }
}

function* valuesIn(value: JsonValue, path: JsonPath = []): Generator<[JsonPath, JsonValue]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield* valuesIn(member, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

describe("canonical text", () => {
  test("equals that of another implementation", () => {
    fc.assert(
      fc.property(hashedValue, (value) => {
        expect(canonicalize(value)).toBe(npmCanonicalize(value));
      }),
      { numRuns: 1000 },
    );
  });

  test("is read back as the same value, and written again as the same text", () => {
    fc.assert(
      fc.property(readableValue, (value) => {
        const copy = copyJson(value);
        const { value: read } = readJson(copy.canonical, LIMIT);
        expect(read).toStrictEqual(copy.value);
        expect(canonicalize(read)).toBe(copy.canonical);
        expect(readJson(JSON.stringify(value), LIMIT).value).toStrictEqual(copy.value);
      }),
      { numRuns: 1000 },
    );
  });

  test("is the JSON of whatever is accepted; nothing but a failure is thrown", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      stringUnit: "binary",
    });
    fc.assert(
      fc.property(anything, (value) => {
        const canonical = attempt(() => canonicalize(value));
        if (canonical instanceof CallgateError) expect(canonical.code).toMatch(/^JSON_/);
        else expect(parsed(canonical)).toStrictEqual(parsed(JSON.stringify(value)));
      }),
      { numRuns: 2000 },
    );
  });

  test("of a string is its literal", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(quote(text)).toBe(JSON.stringify(text));
      }),
    );
  });
});

describe("reading", () => {
  const alphabet = [
    ...' \t\n\r{}[]:,"\\/-+.0123456789eEtruefalsnbuDd'.split(""),
    "😀",
    "é",
    "\u00a0",
    "\u0001",
    "\\u00e9",
    "\\ud83d",
    '"a"',
    "1e400",
  ];
  const brokenText = fc
    .tuple(hashedValue, fc.array(fc.tuple(fc.nat(), fc.constantFrom("", ...alphabet)), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => {
      let text = JSON.stringify(value, null, 1);
      for (const [at, piece] of changes) {
        const offset = at % (text.length + 1);
        text = `${text.slice(0, offset)}${piece}${text.slice(piece === "" ? offset + 1 : offset)}`;
      }
      return text;
    });
  const texts = fc.oneof(
    brokenText,
    fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 30 }),
    fc.string({ unit: "binary" }),
  );

  test("agrees with JSON.parse on every text, but where it is stricter on purpose", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const document = attempt(() => readJson(text, LIMIT));
        const expected = parsed(text);
        if (!(document instanceof CallgateError)) expect(document.value).toStrictEqual(expected);
        else if (expected === undefined) expect(document.code).toMatch(/^JSON_/);
        else expect(document.code).toMatch(/^JSON_(DUPLICATE_MEMBER|NUMBER_RANGE|SURROGATE|TOO_DEEP)$/);
      }),
      { numRuns: 5000 },
    );
  });

  test("throws nothing but failures, whatever the bytes, and takes them as their text", () => {
    const changedBytes = fc
      .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }))
      .map(([text, changes]) => {
        const bytes = new TextEncoder().encode(text);
        for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(changedBytes, fc.uint8Array()), (bytes) => {
        const document = attempt(() => readJson(bytes, LIMIT));
        const text = Buffer.from(bytes).toString("utf8");
        if (document instanceof CallgateError) expect(document.code).toMatch(/^JSON_/);
        else
          expect([document.value, Buffer.from(text)]).toStrictEqual([readJson(text, LIMIT).value, Buffer.from(bytes)]);
      }),
      { numRuns: 5000 },
    );
  });

  test("tells where each value stands", () => {
    fc.assert(
      fc.property(readableValue, fc.constantFrom("", " ", "\t\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const document = readJson(text, LIMIT);
        for (const [path, member] of valuesIn(copyJson(value).value)) {
          const place = document.placeOf(pointerOf(path));
          const line = text.split("\n")[(place?.line ?? 0) - 1] ?? "";
          const rest = Array.from(line)
            .slice((place?.column ?? 0) - 1)
            .join("");
          const start =
            typeof member === "object" && member !== null
              ? Array.isArray(member)
                ? "["
                : "{"
              : JSON.stringify(member);
          expect(rest.startsWith(start)).toBe(true);
        }
      }),
    );
  });
});

describe("pointers", () => {
  test("stand for their path", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.string({ unit: fc.constantFrom("~", "/", "0", "1") }))), (path) => {
        expect(tokensOf(pointerOf(path))).toEqual(path);
      }),
    );
  });

  test.each(["a", "a/b", "/~", "/a~2", "/~0~"])("%s is none", (text) => {
    expect(tokensOf(text)).toBeNull();
  });
});
