import { codePointLength } from "../protocol/identifier.ts";

/** A place in a text, as an editor counts. Units: lines and code points, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n?|\n/g;

/** The place of a UTF-16 offset into a text. */
export function placeOfOffset(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  let line = 1;
  let lineStart = 0;
  for (const end of before.matchAll(LINE_END)) {
    line += 1;
    lineStart = end.index + end[0].length;
  }
  return { line, column: codePointLength(before.slice(lineStart)) + 1 };
}

/** How a place is named in a failure. */
export function describePlace({ line, column }: Place): string {
  return `line ${line}, column ${column}`;
}
