import { describe, expect, test } from "vitest";
import { linearPattern } from "../../src/schemas/linear-pattern.ts";

const SPACES = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const TEXTS = [
  ...[
    "",
    "a",
    "[b",
    "^b",
    "(a",
    "<a>",
    "(?i",
    "(",
    "b",
    "ab",
    "aab",
    "é",
    "α",
    "٣",
    "7",
    "_",
    "-",
    ":",
    "[",
    "]",
    "^",
    ".",
    "/",
    "\\",
    "\u0000",
    "\b",
    "\u0001",
  ],
  ...[
    "😀",
    "a😀",
    "\u{1f601}",
    "\u200b",
    "\u0085",
    "\u001c",
    "A",
    "a\n",
    "\na",
    "a\u2028b",
    "foo bar",
    "a.b@x",
    "=",
    "K",
  ],
  ...SPACES.split(""),
];

/** Patterns of the dialect, each meaning what the language of the schemas says it means. */
const PATTERNS = [
  ...[
    "",
    "^$",
    "a",
    "^a$",
    "a$",
    "^a",
    "^(?:a|b){2,3}$",
    "^a+?b$",
    "^.$",
    "^.{2}$",
    "^a.b$",
    "^[^]$",
    "^[]$",
    "x|^[^a]$",
  ],
  ...["^\\s$", "^\\S$", "^[\\s]$", "^[^\\s]$", "^[\\S]$", "^[^\\S]$", "^[\\s\\S]$", "^[\\S\\t]$", "^a\\sb$", "^\\S+$"],
  ...["^\\d$", "^\\D$", "^\\w$", "^\\W$", "^[\\w.]+@x$", "^[\\W_]$", "\\bfoo\\b", "o\\B", "^[\\b]$", "^\\0$", "^\\cA$"],
  ...["^\\u0061$", "^\\u{61}$", "^\\u{1f600}$", "^\\ud83d\\ude00$", "^\\uD83D\\uDE00$", "^[\\u{1f600}-\\u{1f601}]$"],
  ...["^[\\ud83d\\ude00-\\ud83d\\ude01]$", "^😀$", "^\\x41$", "^[😀a]$", "^\\u{000061}$", "^\\u00e9$"],
  ...[
    "^\\/$",
    "^[\\/]$",
    "^[\\-a]$",
    "^[a\\]]$",
    "^[[]$",
    "^[[:a]$",
    "^[\\^a]$",
    "^[a^]$",
    "^\\.$",
    "^[.]$",
    "^\\\\$",
    "^[:-=]$",
  ],
  ...["^\\p{L}$", "^\\P{L}$", "^\\p{Lu}$", "^[\\p{L}\\d]$", "^\\p{Script=Greek}$", "^\\p{sc=Greek}$", "^\\p{gc=Nd}$"],
  ...[
    "^(?<letter>a)$",
    "^(a)(b)?$",
    "^\\t$",
    "^[\\t\\n\\v\\f\\r]$",
    "^a{1,}$",
    "^a{2}b$",
    "^(|a)$",
    "\\$",
    "^\\[$",
    "^[^\\u0000-~]$",
  ],
  ...[
    "^[[].$",
    "^[a[^].$",
    "^[(?<]a>?$",
    "^[^[]$",
    "^[.]?.$",
    "^(?:[?<])a$",
    "^\\(\\?i$",
    "(?<a>\\.)",
    "^[(?i:]$",
    "\n",
    "/",
  ],
];

describe("patterns mean what ECMA-262 says", () => {
  test.each(PATTERNS)("%s", (source) => {
    const linear = linearPattern(source, "u");
    const native = new RegExp(source, "u");
    const differing = TEXTS.filter((text) => linear.test(text) !== native.test(text));
    expect(differing).toEqual([]);
  });
});

describe("refused: they have no linear form, or are no pattern of ECMA-262", () => {
  test.each([
    ...[
      "(?=a)",
      "(?!a)",
      "(?<=a)",
      "(?<!a)",
      "(a)\\1",
      "(?<x>a)\\k<x>",
      "a{0,1001}",
      "\\ud83d",
      "[\\ude00]",
      "(?i:a)",
      "(?s:.)",
    ],
    ...[
      "(?i)a",
      "(?P<x>a)",
      "\\Aa",
      "a\\z",
      "\\Qa",
      "\\C",
      "\\pL",
      "[[:alpha:]]",
      "^\\-$",
      "a{,2}",
      "a++",
      "(",
      "[a",
      "\\",
    ],
    ...["\\p{Greek}", "\\p{Unknown}", "{1}", "a{2,1}", "[b-a]"],
  ])("%s", (source) => {
    expect(() => linearPattern(source, "u")).toThrow(Error);
  });
});

test("two patterns are never told apart by nothing", () => {
  // Ajv keeps compiled patterns under their text.
  expect(String(linearPattern("a", "u"))).not.toBe(String(linearPattern("b", "u")));
});

test.each(["^(a+)+$", "^(a|a)*$", "^(.*)*x$", "(a*)*b"])("%s runs in linear time", (source) => {
  const pattern = linearPattern(source, "u");
  const started = performance.now();
  expect(pattern.test(`${"a".repeat(20_000)}!`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});
