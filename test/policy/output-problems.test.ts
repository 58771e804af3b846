import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { keepsNamesAndDepth } from "../../src/policy/output-contract.ts";
import { nameAndDepthProblems, repetitionProblems } from "../../src/policy/output-problems.ts";
import type { JsonValue } from "../../src/protocol/json.ts";

const TOO_DEEP = {
  problem: "it nests deeper than `limits.outputDepth` allows",
  remedy: "answer less, or raise the limit",
};
const FORBIDDEN = {
  problem: "no output may have a member of this name: it is that of a secret or a control field",
  remedy: "call it otherwise, or leave it out",
};

describe("names and depth", () => {
  test.each<[string, JsonValue, number, readonly object[]]>([
    ["a flat object", { a: 1, b: "password" }, 1, []],
    ["a text, as deep as nothing", "secret", 0, []],
    ["null", { a: null }, 1, []],
    ["an object too deep", { a: { b: 1 } }, 1, [{ at: "/a", ...TOO_DEEP }]],
    ["a list too deep", { a: [[1]] }, 2, [{ at: "/a/0", ...TOO_DEEP }]],
    ["as deep as may be", { a: [{ b: 1 }] }, 3, []],
    [
      "forbidden names, wherever they are",
      { a: [{ "Set-Cookie": 1 }], Secret: {} },
      3,
      [
        { at: "/a/0/Set-Cookie", ...FORBIDDEN },
        { at: "/Secret", ...FORBIDDEN },
      ],
    ],
    [
      "both",
      { password: { a: [] } },
      2,
      [
        { at: "/password", ...FORBIDDEN },
        { at: "/password/a", ...TOO_DEEP },
      ],
    ],
  ])("%s", (_what, value, depth, problems) => {
    expect(nameAndDepthProblems(value, depth)).toEqual(problems);
    expect(keepsNamesAndDepth(value, depth)).toBe(problems.length === 0);
  });
});

test("a member that repeats no argument is told, each one", () => {
  const bound = [
    ["id", "id"],
    ["name", "title"],
    ["none", "none"],
  ] as const;
  expect(repetitionProblems({ id: 1, name: "a" }, { id: 1, title: "b" }, bound, canonicalize)).toEqual([
    {
      at: "/name",
      problem: "it is not what the argument `title` is",
      remedy: "answer about what was asked for, or take the binding out of `outputEquals`",
    },
  ]);
});
