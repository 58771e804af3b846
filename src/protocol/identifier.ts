import { LIMITS, WHITE_SPACE_CLASS } from "./limits.ts";

const SOMETHING = new RegExp(`[^${WHITE_SPACE_CLASS}]`, "u");

/** Whether a value is a string with something beside white space in it. */
export function isNonBlank(value: unknown): value is string {
  return typeof value === "string" && SOMETHING.test(value);
}

/** Number of Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length -= 1;
  }
  return length;
}

/** Whether a value is an identifier: 1 to 255 code points of well-formed Unicode, not only white space. */
export function isIdentifier(value: unknown): value is string {
  if (!isNonBlank(value) || !value.isWellFormed()) return false;
  if (value.length <= LIMITS.identifierCodePoints) return true;
  return value.length <= 2 * LIMITS.identifierCodePoints && codePointLength(value) <= LIMITS.identifierCodePoints;
}

/** Compares two texts by code point (not by UTF-16 unit): negative, zero or positive. */
export function compareByCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // A surrogate stands for a code point above every unit that is none.
    const aIsSurrogate = (a & 0xf800) === 0xd800;
    const bIsSurrogate = (b & 0xf800) === 0xd800;
    return aIsSurrogate === bIsSurrogate ? a - b : aIsSurrogate ? 1 : -1;
  }
  return left.length - right.length;
}
