import { RE2JS } from "re2js";

/** The two members of a regular expression that Ajv uses. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** What `\s` means in ECMA-262, and all that it does not: the linear engine's own `\s` is of ASCII only. */
const SPACE = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NO_SPACE =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const ANYTHING = "[\\x00-\\x{10ffff}]";
const NOTHING = "[^\\x00-\\x{10ffff}]";
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";

const ESCAPE = [
  String.raw`\\u(?<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?<low>[dD][c-fC-F][0-9a-fA-F]{2})`,
  String.raw`\\u(?:\{(?<point>[0-9a-fA-F]+)\}|(?<unit>[0-9a-fA-F]{4}))`,
  String.raw`\\c(?<control>[a-zA-Z])`,
  String.raw`\\(?<sign>[pP])\{(?:(?:Script|sc|General_Category|gc)=)?(?<property>[^}]*)\}`,
  String.raw`\\(?<escaped>.)`,
].join("|");

/** One piece of a pattern that was found to be one: in a class, and outside of classes. */
const PIECE_IN_CLASS = new RegExp(`${ESCAPE}|.`, "suy");
const PIECE_OUTSIDE = new RegExp(String.raw`${ESCAPE}|\[\^?\]|\(\?(?:<(?![=!])[^>]*>|[a-z-])?|.`, "suy");

/**
 * Ajv's regular-expression engine for every schema that was not written by us: linear time in the length of the text, and
 * the meaning that ECMA-262 gives a pattern.
 * Errors: throws on a pattern that is none of ECMA-262 or has no linear form (look-around, back references, …), so that
 * the schema is refused.
 */
export const linearPattern: ((source: string, flags: string) => Pattern) & { code: string } = Object.assign(
  (source: string): Pattern => {
    const compiled = RE2JS.compile(inLinearSyntax(source));
    return {
      test: (text) => compiled.matcher(text).find(),
      // Ajv keeps patterns by this text: without one of its own, two patterns would share one entry.
      toString: () => `linear:${source}`,
    };
  },
  { code: "linearPattern" },
);

function inLinearSyntax(source: string): string {
  // The linear engine knows syntax that ECMA-262 does not, and would give it a meaning of its own.
  const { source: pattern } = new RegExp(source, "u");
  let text = "";
  let isInClass = false;
  for (let index = 0; index < pattern.length;) {
    const pieces: RegExp = isInClass ? PIECE_IN_CLASS : PIECE_OUTSIDE;
    pieces.lastIndex = index;
    const match: RegExpExecArray | null = pieces.exec(pattern);
    if (match === null) throw new TypeError("a pattern has a piece that is none");
    const { 0: piece, groups = {} } = match;
    if (piece.startsWith("\\")) text += escapeText(piece, groups, isInClass);
    else if (isInClass) text += piece === "[" ? "\\[" : piece;
    else text += outsideText(piece);
    if (piece === "[" || piece === "]") isInClass = piece === "[";
    index += piece.length;
  }
  return text;
}

function outsideText(piece: string): string {
  if (piece === ".") return NO_LINE_END;
  if (piece === "[]") return NOTHING;
  if (piece === "[^]") return ANYTHING;
  // What a group is called matters to nobody who only asks whether a text fits.
  if (piece.startsWith("(?<")) return "(";
  if (/^\(\?[a-z-]/.test(piece)) throw new SyntaxError("modifiers have no linear form");
  return piece;
}

function escapeText(piece: string, groups: Readonly<Record<string, string | undefined>>, isInClass: boolean): string {
  const { high, low, point, unit, control, sign, property, escaped } = groups;
  if (high !== undefined && low !== undefined) {
    return codePoint(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0));
  }
  const hex = point ?? unit;
  if (hex !== undefined) return codePoint(Number.parseInt(hex, 16));
  if (control !== undefined) return codePoint(control.charCodeAt(0) % 32);
  if (property !== undefined) return `\\${sign ?? ""}{${property}}`;
  if (escaped === "s") return isInClass ? SPACE : `[${SPACE}]`;
  if (escaped === "S") return isInClass ? NO_SPACE : `[${NO_SPACE}]`;
  if (escaped === "b" && isInClass) return codePoint(8);
  return escaped === "0" ? codePoint(0) : piece;
}

function codePoint(point: number | undefined): string {
  if (point === undefined || (point >= 0xd800 && point <= 0xdfff)) {
    throw new SyntaxError("half of a surrogate pair has no linear form");
  }
  return `\\x{${point.toString(16)}}`;
}
