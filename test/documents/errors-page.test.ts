import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FAILURES } from "../../src/errors/failures.ts";
import { REFUSALS } from "../../src/errors/refusals.ts";
import { errorsPage } from "./errors-page.ts";

const PAGE = readFileSync(new URL("../../ERRORS.md", import.meta.url), "utf8");
const ROWS = [...Object.entries(REFUSALS), ...Object.entries(FAILURES)];

/** Every section of a code: its text up to the next heading. */
const SECTIONS = new Map(
  PAGE.split(/^(?=#+ )/m).flatMap((section) => {
    const code = /^### (\w+)$/m.exec(section)?.[1];
    return code === undefined ? [] : [[code, section] as const];
  }),
);
const UNESCAPED = /\\(?=[_*<>[\]])/g;

describe("ERRORS.md", () => {
  test("is what the catalogue gives", async () => {
    expect(await errorsPage()).toBe(PAGE);
  });

  test("has every code of the catalogue once, in its order, and no other", () => {
    const codes = ROWS.map(([code]) => code);
    expect([...PAGE.matchAll(/^### (.+)$/gm)].map((heading) => heading[1]?.replaceAll(UNESCAPED, ""))).toEqual(codes);
    expect([...PAGE.matchAll(/^\| \[`(\w+)`\]\(#(\w+)\)/gm)].map(([, code, anchor]) => [code, anchor])).toEqual(
      codes.map((code) => [code, code.toLowerCase()]),
    );
  });

  test("names no code that the catalogue does not have", () => {
    const named = [...PAGE.matchAll(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g)].map(([code]) => code);
    expect(named.filter((code) => !Object.hasOwn(REFUSALS, code) && !Object.hasOwn(FAILURES, code))).toEqual([]);
  });

  // The page is read back as a reader would, so that a fact which the generator forgets shows.
  test.each(ROWS)("says of %s all that its row says", (code, row) => {
    const section = SECTIONS.get(code)?.replaceAll(UNESCAPED, "") ?? "";
    const facts = new Map([...section.matchAll(/^- ([\w ]+): (.*)$/gm)].map(([, name, value]) => [name, value]));
    const told = {
      kind: row.kind,
      category: row.category,
      remedy: row.remedy,
      "exit status": `${row.exitStatus}`,
      "HTTP status": `${row.httpStatus}`,
      ...(row.kind === "refusal" && {
        outcome: `\`${row.outcome}\``,
        recovery: `\`${row.recovery}\``,
        "retry after": row.retryAfterMs === null ? "—" : `${row.retryAfterMs} ms`,
      }),
    };
    expect(Object.fromEntries(facts)).toEqual(told);
    expect(section).toContain(`\n> ${row.sentence}\n`);
  });
});
