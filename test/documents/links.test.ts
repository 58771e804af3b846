import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PAGES, pageText as textOf, ROOT } from "./code-blocks.ts";

/** The anchors of a page, as the usual viewers make them of its headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe.each(PAGES)("%s", (page) => {
  test("links only to files and headings that are there", () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, target = "", anchor]) => {
      const path = target === "" ? page : join(dirname(page), target);
      return !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(path).has(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test("names only npm scripts that package.json has", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Readonly<Record<string, string>> };
    const named = [...textOf(page).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

test("the pages are found", () => {
  expect(PAGES).toEqual(expect.arrayContaining(["ERRORS.md", "GUIDE.md", "README.md", "SECURITY.md"]));
});
