import { tokensOf } from "./pointer.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const WHITE_SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^ \t\n\r,\]}]+/y;
const BETWEEN_BRACKETS = /[^"{}[\]]+/y;
const CANONICAL_INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * Offset at which the value of a JSON pointer starts, or null where there is none.
 * @param text a JSON text that the parser has accepted: it is only walked here, not checked again
 */
export function offsetOfPointer(text: string, pointer: string): number | null {
  const tokens = tokensOf(pointer);
  if (tokens === null) return null;
  let offset: number | null = skip(WHITE_SPACE, text, 0);
  for (const token of tokens) {
    if (text[offset] === "{") offset = offsetOfMember(text, offset, token);
    else if (text[offset] === "[" && CANONICAL_INDEX.test(token)) offset = offsetOfElement(text, offset, Number(token));
    else return null;
    if (offset === null) return null;
  }
  return offset;
}

function offsetOfMember(text: string, brace: number, wanted: string): number | null {
  let offset = skip(WHITE_SPACE, text, brace + 1);
  while (text[offset] !== "}") {
    const nameEnd = endOfString(text, offset);
    const name: unknown = JSON.parse(text.slice(offset, nameEnd));
    const colon = skip(WHITE_SPACE, text, nameEnd);
    const value = skip(WHITE_SPACE, text, colon + 1);
    if (name === wanted) return value;
    offset = nextAfterValue(text, value);
  }
  return null;
}

function offsetOfElement(text: string, bracket: number, wanted: number): number | null {
  let offset = skip(WHITE_SPACE, text, bracket + 1);
  for (let index = 0; text[offset] !== "]"; index += 1) {
    if (index === wanted) return offset;
    offset = nextAfterValue(text, offset);
  }
  return null;
}

/** Offset of what follows a value and its comma: the next member or element, or the closing bracket. */
function nextAfterValue(text: string, value: number): number {
  const end = skip(WHITE_SPACE, text, endOfValue(text, value));
  return text[end] === "," ? skip(WHITE_SPACE, text, end + 1) : end;
}

function endOfValue(text: string, value: number): number {
  let offset = value;
  let depth = 0;
  do {
    const character = text[offset];
    if (character === '"') {
      offset = endOfString(text, offset);
    } else if (character === "{" || character === "[") {
      depth += 1;
      offset += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      offset += 1;
    } else {
      offset = skip(depth === 0 ? SCALAR : BETWEEN_BRACKETS, text, offset);
    }
  } while (depth > 0);
  return offset;
}

// By hand: a regular expression with a choice in its loop overflows its stack on a long string.
function endOfString(text: string, quote: number): number {
  let offset = quote + 1;
  while (text.charCodeAt(offset) !== QUOTE) offset += text.charCodeAt(offset) === BACKSLASH ? 2 : 1;
  return offset + 1;
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  pattern.test(text);
  return pattern.lastIndex;
}
