import { expect, test } from "vitest";
import { thrownText } from "../../src/errors/thrown-text.ts";

const withMessage = (message: unknown): Error => Object.assign(new TypeError("some"), { message });
const unreadable = new Proxy(new Error("a"), {
  get: () => {
    throw new Error("b");
  },
});

test.each<[string, unknown, string]>([
  ["name and message", new RangeError("too far"), "RangeError: too far"],
  ["the first line", new RangeError("too far\n  at somewhere (/a/b.ts)"), "RangeError: too far"],
  ["the name alone", new Error(""), "Error"],
  [
    "no folders between quotes",
    new Error("Cannot find module '/a/b c/d.ts' imported from /a/e.ts"),
    "Error: Cannot find module 'd.ts' imported from e.ts",
  ],
  ["no folders of a URL", new Error("see file:///a/b/c.ts:3"), "Error: see c.ts:3"],
  ["no folders of a drive", new Error(String.raw`no C:\Users\somebody\gate.ts`), "Error: no gate.ts"],
  ["what is no absolute path", new Error("1/2 of ./a/b and c/d"), "Error: 1/2 of ./a/b and c/d"],
  ["200 characters", new Error("x".repeat(300)), `Error: ${"x".repeat(200)}`],
  ["a message that is none", withMessage(7), "TypeError: 7"],
  ["what is no error", "text", "something that is no error"],
  ["nothing", null, "something that is no error"],
  ["what throws when it is read", unreadable, "something that cannot be read"],
])("%s", (_name, thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
