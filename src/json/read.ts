import { CallgateError } from "../errors/callgate-error.ts";
import type { JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { offsetBelowDepth } from "./depth-scan.ts";
import { offsetOfPointer } from "./locate.ts";
import { parseText } from "./parse.ts";
import { describePlace, placeOfOffset, type Place } from "./place.ts";

/** A JSON text that was read, and what its value alone no longer tells. */
export interface JsonDocument {
  /** Plain data that nothing else shares. Every zero is a positive zero; `__proto__` is a member like any other. */
  readonly value: JsonValue;
  /** JSON pointers of the numbers that were written with a fraction or an exponent. */
  readonly nonIntegers: ReadonlySet<string>;
  /** Where the value at a JSON pointer starts in the text; null where there is none. */
  placeOf(pointer: string): Place | null;
}

const BYTE_ORDER_MARK = "\uFEFF";
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * Reads a JSON text strictly, from its UTF-8 bytes or from a string that counts as its own UTF-8 bytes.
 * Errors: JSON_TOO_LARGE, JSON_BOM, JSON_NOT_UTF8, JSON_TOO_DEEP, JSON_SYNTAX, JSON_DUPLICATE_MEMBER, JSON_NUMBER_RANGE or
 * JSON_SURROGATE; `at` is a JSON pointer where the value is known, else a line and column.
 */
export function readJson(source: Uint8Array | string, options: { readonly maxBytes: number }): JsonDocument {
  const text = textWithin(source, options.maxBytes);
  if (text.startsWith(BYTE_ORDER_MARK)) throw new CallgateError("JSON_BOM");
  const tooDeep = offsetBelowDepth(text, LIMITS.containerDepth);
  if (tooDeep !== null) throw failureAt("JSON_TOO_DEEP", text, tooDeep);
  const value = parseText(text);
  let nonIntegers: ReadonlySet<string> | null = null;
  return {
    value,
    // Parsed once more for the few who ask, so that a long list of fractions costs nobody else its pointers.
    get nonIntegers() {
      return (nonIntegers ??= nonIntegersOf(text));
    },
    placeOf(pointer) {
      const offset = offsetOfPointer(text, pointer);
      return offset === null ? null : placeOfOffset(text, offset);
    },
  };
}

function nonIntegersOf(text: string): ReadonlySet<string> {
  const pointers = new Set<string>();
  parseText(text, pointers);
  return pointers;
}

function textWithin(source: Uint8Array | string, maxBytes: number): string {
  const byteLength = typeof source === "string" ? Buffer.byteLength(source) : source.byteLength;
  if (!(byteLength <= maxBytes)) {
    throw new CallgateError("JSON_TOO_LARGE", { detail: `it may have at most ${maxBytes} bytes` });
  }
  if (typeof source !== "string") return decode(source);
  const lone = LONE_SURROGATE.exec(source);
  if (lone !== null) throw failureAt("JSON_SURROGATE", source, lone.index);
  return source;
}

function decode(bytes: Uint8Array): string {
  try {
    return decodeStrictly(bytes);
  } catch {
    const valid = validBeginning(bytes);
    throw failureAt("JSON_NOT_UTF8", valid, valid.length);
  }
}

/** The longest beginning that can be decoded, found by halving: the decoder does not say where it stopped. */
function validBeginning(bytes: Uint8Array): string {
  let valid = 0;
  let invalid = bytes.length + 1;
  let text = "";
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    try {
      text = decodeStrictly(bytes.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return text;
}

/** As a stream, bytes may end inside a character. */
function decodeStrictly(bytes: Uint8Array, options?: { readonly stream: true }): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, options);
}

function failureAt(
  code: "JSON_NOT_UTF8" | "JSON_SURROGATE" | "JSON_TOO_DEEP",
  text: string,
  offset: number,
): CallgateError {
  return new CallgateError(code, { at: describePlace(placeOfOffset(text, offset)) });
}
