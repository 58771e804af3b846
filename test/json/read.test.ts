import { describe, expect, test } from "vitest";
import { readJson } from "../../src/json/read.ts";
import { failureOf } from "./failure.ts";

const LIMIT = { maxBytes: 1_000_000 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("accepted", () => {
  test.each<[string, unknown]>([
    ["null", null],
    [" \t\r\n true \t\r\n ", true],
    ["false", false],
    ["0", 0],
    ["-0", 0],
    ["-0.0", 0],
    ["-0e5", 0],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["9007199254740993.0", 9007199254740992],
    ["1e21", 1e21],
    ["1E+2", 100],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["5e-324", Number.MIN_VALUE],
    ["1e-400", 0],
    ['""', ""],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"a\\u00e9b\\u20AC"', "aéb€"],
    ['"\\ud83d\\ude00"', "😀"],
    ['"😀é\u007f\u2028"', "😀é\u007f\u2028"],
    ['"\\\\u0041\\\\"', "\\u0041\\"],
    ["[]", []],
    ["[ 1 , [ ] , { } ]", [1, [], {}]],
    ['{"":{"b":[1]},"a":null}', { "": { b: [1] }, a: null }],
    ['{"a":1,"A":2,"á":3}', { a: 1, A: 2, á: 3 }],
    ['{"2":0,"1":0}', { 1: 0, 2: 0 }],
    ['{"toString":1,"constructor":2,"hasOwnProperty":3}', { toString: 1, constructor: 2, hasOwnProperty: 3 }],
    ['["]}[{","\\"]"]', ["]}[{", '"]']],
  ])("%s", (text, value) => {
    expect(readJson(text, LIMIT).value).toStrictEqual(value);
    expect(readJson(bytesOf(text), LIMIT).value).toStrictEqual(value);
  });

  test("32 containers in one another", () => {
    expect(JSON.stringify(readJson(nested(32), LIMIT).value)).toBe(nested(32));
  });

  test.each([
    ["brackets in a string", `["${"[{".repeat(40)}"]`],
    ["brackets behind an escaped quote", `["\\"${"[".repeat(40)}"]`],
    ["brackets behind an escaped backslash", `["\\\\",[${"[],".repeat(40)}[]]]`],
    ["many arrays side by side", `[${"[],".repeat(40)}[]]`],
    ["many objects side by side", `[${"{},".repeat(40)}{}]`],
  ])("%s are no nesting", (_what, text) => {
    expect(readJson(text, LIMIT).value).toStrictEqual(JSON.parse(text));
  });

  test("a long string of escapes, a long number and much white space", () => {
    const escapes = "\\n".repeat(200_000);
    const text = `${" ".repeat(200_000)}["${escapes}",1.${"0".repeat(200_000)}]`;
    expect(readJson(text, LIMIT).value).toStrictEqual(["\n".repeat(200_000), 1]);
  });

  test("a text of just as many bytes as it may have", () => {
    expect(readJson('"é😀"', { maxBytes: 8 }).value).toBe("é😀");
    expect(readJson(bytesOf('"é😀"'), { maxBytes: 8 }).value).toBe("é😀");
  });

  test("part of a buffer", () => {
    expect(readJson(bytesOf("[[1]]").subarray(1, 4), LIMIT).value).toStrictEqual([1]);
  });

  test("__proto__ is a member like any other", () => {
    const { value } = readJson('{"__proto__":{"polluted":true},"\\u005f_proto__x":1}', LIMIT);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"__proto__x":1}');
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")).toEqual({
      value: { polluted: true },
      writable: true,
      enumerable: true,
      configurable: true,
    });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("refused", () => {
  test.each<[string, string | Uint8Array, string, string | null]>([
    ["no text", "", "JSON_SYNTAX", "line 1, column 1"],
    ["white space only", " \n ", "JSON_SYNTAX", "line 2, column 2"],
    ["a second value", "1 2", "JSON_SYNTAX", "line 1, column 3"],
    ["a comment", "1 // one", "JSON_SYNTAX", "line 1, column 3"],
    ["other white space", "[\u00a01]", "JSON_SYNTAX", "line 1, column 2"],
    ["a word", "nil", "JSON_SYNTAX", "line 1, column 1"],
    ["a word cut off", "[tru]", "JSON_SYNTAX", "line 1, column 2"],
    ["a capitalised word", "[True]", "JSON_SYNTAX", "line 1, column 2"],
    ["NaN", "NaN", "JSON_SYNTAX", "line 1, column 1"],
    ["Infinity", "[-Infinity]", "JSON_SYNTAX", "line 1, column 2"],
    ["a leading zero", "[01]", "JSON_SYNTAX", "line 1, column 2"],
    ["a plus sign", "+1", "JSON_SYNTAX", "line 1, column 1"],
    ["no whole part", ".5", "JSON_SYNTAX", "line 1, column 1"],
    ["no fraction", "1.", "JSON_SYNTAX", "line 1, column 1"],
    ["no exponent", "1e", "JSON_SYNTAX", "line 1, column 1"],
    ["hexadecimal", "0x1F", "JSON_SYNTAX", "line 1, column 1"],
    ["a letter after a number", "[1n]", "JSON_SYNTAX", "line 1, column 2"],
    ["single quotes", "['a']", "JSON_SYNTAX", "line 1, column 2"],
    ["a string not closed", '[1,\n"abc', "JSON_SYNTAX", "line 2, column 1"],
    ["a string closed by an escaped quote", '"abc\\"', "JSON_SYNTAX", "line 1, column 1"],
    ["a line feed in a string", '"a\nb"', "JSON_SYNTAX", "line 1, column 3"],
    ["a null character in a string", '"\u0000"', "JSON_SYNTAX", "line 1, column 2"],
    ["an unknown escape", '"a\\x41"', "JSON_SYNTAX", "line 1, column 3"],
    ["an escape of three digits", '"\\u12g4"', "JSON_SYNTAX", "line 1, column 2"],
    ["an escape whose last digit is none", '"\\u123g"', "JSON_SYNTAX", "line 1, column 2"],
    ["an escape cut off", '"\\u12', "JSON_SYNTAX", "line 1, column 2"],
    ["a comma at the end of an array", "[1,]", "JSON_SYNTAX", "line 1, column 4"],
    ["two commas", "[1,,2]", "JSON_SYNTAX", "line 1, column 4"],
    ["no comma", "[1 2]", "JSON_SYNTAX", "line 1, column 4"],
    ["an array not closed", "[1", "JSON_SYNTAX", "line 1, column 3"],
    ["an array closed by a brace", "[1}", "JSON_SYNTAX", "line 1, column 3"],
    ["a bracket too many", "[]]", "JSON_SYNTAX", "line 1, column 3"],
    ["a comma at the end of an object", '{"a":1,}', "JSON_SYNTAX", "line 1, column 8"],
    ["a name without quotes", "{a:1}", "JSON_SYNTAX", "line 1, column 2"],
    ["a name that is a number", '{"a":1,2:3}', "JSON_SYNTAX", "line 1, column 8"],
    ["no colon", '{"a" 1}', "JSON_SYNTAX", "line 1, column 6"],
    ["no value", '{"a":}', "JSON_SYNTAX", "line 1, column 6"],
    ["no comma between members", '{"a":1 "b":2}', "JSON_SYNTAX", "line 1, column 8"],
    ["columns are code points", '["😀é" 1]', "JSON_SYNTAX", "line 1, column 7"],
    ["lines end in LF, CR LF or CR", "[\n\r\n\r 1 2]", "JSON_SYNTAX", "line 4, column 4"],
    ["a member twice", '{"a":1,"b":2,"a":1}', "JSON_DUPLICATE_MEMBER", "/a"],
    ["a member twice, once escaped", '{"x":[{"amount":1,"\\u0061mount":2}]}', "JSON_DUPLICATE_MEMBER", "/x/0/amount"],
    ["__proto__ twice", '{"__proto__":1,"__proto__":1}', "JSON_DUPLICATE_MEMBER", "/__proto__"],
    ["a name that a pointer escapes", '{"a/b~":{"c":1,"c":2}}', "JSON_DUPLICATE_MEMBER", "/a~1b~0/c"],
    ["an integer of 2^53", '{"a":[0,9007199254740992]}', "JSON_NUMBER_RANGE", "/a/1"],
    ["an integer that rounds to 2^53", "-9007199254740993", "JSON_NUMBER_RANGE", ""],
    ["an endless integer", `[${"9".repeat(400)}]`, "JSON_NUMBER_RANGE", "/0"],
    ["a number that overflows", '{"a":{"b":1e400}}', "JSON_NUMBER_RANGE", "/a/b"],
    ["a negative number that overflows", "[-1.5E999]", "JSON_NUMBER_RANGE", "/0"],
    ["a high surrogate alone", '["\\ud83dx"]', "JSON_SURROGATE", "/0"],
    ["a low surrogate alone", '{"a":"\\ude00"}', "JSON_SURROGATE", "/a"],
    ["surrogates the wrong way round", '"\\ude00\\ud83d"', "JSON_SURROGATE", ""],
    ["half a pair in a member name", '{"a":{"\\ud800":1}}', "JSON_SURROGATE", "/a"],
    ["half a pair in the text", '["\ud83d"]', "JSON_SURROGATE", "line 1, column 3"],
    ["a pair of which half is escaped", '"\ud83d\\ude00"', "JSON_SURROGATE", "line 1, column 2"],
    ["33 containers", `{"a":\n${nested(32)}}`, "JSON_TOO_DEEP", "line 2, column 32"],
    ["containers without an end", "[".repeat(900_000), "JSON_TOO_DEEP", "line 1, column 33"],
    ["objects without an end", '{"":'.repeat(200_000), "JSON_TOO_DEEP", "line 1, column 129"],
    ["a byte order mark", bytesOf("\uFEFF{}"), "JSON_BOM", null],
    ["a byte order mark in a string", "\uFEFF{}", "JSON_BOM", null],
    ["a byte order mark only", Uint8Array.of(0xef, 0xbb, 0xbf), "JSON_BOM", null],
    ["a byte order mark of UTF-16", Uint8Array.of(0xff, 0xfe, 0x5b, 0), "JSON_NOT_UTF8", "line 1, column 1"],
    ["one byte too many", bytesOf("1".padEnd(1_000_001)), "JSON_TOO_LARGE", null],
    ["characters few enough, bytes too many", `"${"é".repeat(500_000)}"`, "JSON_TOO_LARGE", null],
  ])("%s", (_what, source, code, at) => {
    const failure = failureOf(() => readJson(source, LIMIT));
    expect([failure.code, failure.at]).toEqual([code, at]);
  });

  test.each([
    ["a byte that starts nothing", [0xff]],
    ["a continuation alone", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an overlong null", [0xe0, 0x80, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a pair of surrogates", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ["above U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["a sequence of five", [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ["a sequence cut off by another character", [0xe2, 0x82]],
    ["a Latin-1 letter", [0xe9]],
  ])("bytes that are not UTF-8: %s", (_what, invalid) => {
    const emoji = "😀".repeat(50);
    const source = Uint8Array.from([...bytesOf(`["é",\n"${emoji}`), ...invalid, ...bytesOf('"]')]);
    const failure = failureOf(() => readJson(source, LIMIT));
    expect([failure.code, failure.at]).toEqual(["JSON_NOT_UTF8", "line 2, column 52"]);
  });

  test("bytes that end inside a character", () => {
    const failure = failureOf(() => readJson(bytesOf('"é').subarray(0, 2), LIMIT));
    expect([failure.code, failure.at]).toEqual(["JSON_NOT_UTF8", "line 1, column 2"]);
  });

  test("the limit is looked at before anything is decoded", () => {
    expect(failureOf(() => readJson(Uint8Array.of(0xff, 0xff, 0xff), { maxBytes: 2 })).code).toBe("JSON_TOO_LARGE");
    expect(failureOf(() => readJson("{}", { maxBytes: Number.NaN })).code).toBe("JSON_TOO_LARGE");
  });

  test.each([
    ["1 2", "the text must end after its value"],
    ["{a:1}", "a member name in double quotes is expected"],
    ['{"a" 1}', "a colon is expected"],
    ['{"a":1 "b":2}', "a comma or a closing brace is expected"],
    ["[1 2]", "a comma or a closing bracket is expected"],
    ["[nul]", "a value is expected"],
    ["[x]", "a value is expected"],
    ["[01]", "this is not a number as JSON writes it"],
    ['["a', "the string is not closed"],
    ['["\n"]', "control characters in strings are escaped"],
    ['["\\q"]', "there is no such escape"],
    ["[1", "a comma or a closing bracket is expected, but the text ends"],
    ['{"a":1,"a":2}', "the second on line 1, column 8"],
    ["[1e999]", "the number on line 1, column 2"],
    ["[9007199254740992]", "the number on line 1, column 2"],
    ['["\\ud800"]', "in the string on line 1, column 2"],
    ['{"\\ud800":1}', "in a member name of the object on line 1, column 2"],
    ["1".padEnd(1_000_001), "it may have at most 1000000 bytes"],
  ])("a failure says what was expected or found: case %#", (text, detail) => {
    expect(failureOf(() => readJson(text, LIMIT)).detail).toBe(detail);
  });

  test("a failure names the place and nothing of the text", () => {
    const secret = "hunter2";
    const texts = [
      `{"a":"${secret}" 1}`,
      `["${secret}\\q"]`,
      `["${secret}`,
      `{"a":["${secret}\\ud800"]}`,
      `[1${secret}]`,
    ];
    for (const text of texts) expect(failureOf(() => readJson(text, LIMIT)).message).not.toContain(secret);
    expect(failureOf(() => readJson('{"a":\n[1e999]}', LIMIT)).message).toContain("on line 2, column 2");
    expect(failureOf(() => readJson("[1", LIMIT)).message).toContain("but the text ends");
  });
});

describe("numbers written with a fraction or an exponent", () => {
  test.each<[string, readonly string[]]>([
    ["[1,-0,20]", []],
    ["1.0", [""]],
    ['{"a":[1,1e3,{"b/c":-0.0}],"d":"1.5"}', ["/a/1", "/a/2/b~1c"]],
    ["[1E2,0e0,1.5]", ["/0", "/1", "/2"]],
  ])("%s", (text, pointers) => {
    const document = readJson(text, LIMIT);
    expect([...document.nonIntegers]).toEqual(pointers);
    expect(document.nonIntegers).toBe(document.nonIntegers);
  });
});

describe("places", () => {
  const TEXT = [
    "",
    ' { "cases" : [ {"id":"é😀", "n":-1.5e3},',
    '  {"id": "]}\\"", "skip": {"a": [[], {}, "x"]}, "":[ ]}, true, [ 10 , 20]',
    ' ], "a/b~c": {"\\u0064": null}, "last": 7 }\t',
  ].join("\r\n");
  const document = readJson(TEXT, LIMIT);

  test.each([
    ["", 2, 2],
    ["/cases", 2, 14],
    ["/cases/0", 2, 16],
    ["/cases/0/id", 2, 22],
    ["/cases/0/n", 2, 32],
    ["/cases/1", 3, 3],
    ["/cases/1/id", 3, 10],
    ["/cases/1/skip/a/1", 3, 37],
    ["/cases/1/", 3, 51],
    ["/cases/2", 3, 57],
    ["/cases/3/1", 3, 70],
    ["/a~1b~0c/d", 4, 25],
    ["/last", 4, 40],
  ])("%s", (pointer, line, column) => {
    expect(document.placeOf(pointer)).toEqual({ line, column });
  });

  test.each(["cases", "/none", "/cases/4", "/cases/01", "/cases/-1", "/cases/id", "/cases/0/id/0", "/last/0", "/a~2b"])(
    "there is nothing at %s",
    (pointer) => {
      expect(document.placeOf(pointer)).toBeNull();
    },
  );

  test("behind a long string of escapes", () => {
    const text = `["${'\\"'.repeat(200_000)}",true]`;
    expect(readJson(text, LIMIT).placeOf("/1")).toEqual({ line: 1, column: text.length - 4 });
  });
});
