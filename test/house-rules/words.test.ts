import { describe, expect, test } from "vitest";
import { projectFiles, textOf } from "./project-files.ts";

/** Everything that a reader of the project reads, but the rules themselves, which have to name what they forbid. */
const TEXTS = projectFiles(
  "{src,machines,test,diagrams,fixtures}/**/*",
  "*.{md,json,ts,mjs}",
  ".ci/*",
  ".*.{json,mjs}",
).filter(
  (path) =>
    /\.(ts|js|mjs|md|json|mmd)$|^\.ci\/run$/.test(path) && !/^test\/house-rules\/|^package-lock\.json$/.test(path),
);
/** What the project says of itself. */
const CLAIMS = TEXTS.filter((path) => /^(src|machines)\/|\.md$/.test(path));

/** Where only one text of ours, or of one string, is parsed. */
const PARSES_SAFELY = new Set(["src/json/locate.ts", "src/host/files.ts"]);
const SOURCES = TEXTS.filter((path) => path.startsWith("src/") && !PARSES_SAFELY.has(path));

interface Ban {
  readonly word: RegExp;
  readonly instead: string;
  readonly among: readonly string[];
}

const BANS: readonly Ban[] = [
  {
    // A denial of it is true, and worth saying.
    word: /^(?!.*\b(no|not|never|cannot)\b).*\bexactly[- ]once\b/i,
    instead: "at most once, knowingly",
    among: CLAIMS,
  },
  { word: /\b(TODO|FIXME|XXX|HACK)\b/, instead: "do it, or leave it out", among: TEXTS },
  // Node 24's own gives some members the name of another; see test/json/copy.test.ts.
  { word: /\bJSON\.parse\(/, instead: "readJson, parseKept or copyData", among: SOURCES },
  { word: /\bhelpers?\b/i, instead: "a name for what it does", among: CLAIMS },
  { word: /\b(white|black)-?list/i, instead: "allowed, refused", among: TEXTS },
  { word: /\bsanity\b/i, instead: "what is checked", among: TEXTS },
  { word: /\bissue #?\d/i, instead: "the reason itself", among: TEXTS },
  { word: /(^|[^\w.])\/(home|root|work|Users)\/\w/, instead: "a path from the project's root", among: TEXTS },
];

function linesWith({ word, among }: Ban): readonly string[] {
  return among.flatMap((path) =>
    textOf(path)
      .split("\n")
      .flatMap((line, index) => (word.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

describe("words", () => {
  test.each(BANS)("$word is not said; say: $instead", (ban) => {
    expect(linesWith(ban)).toEqual([]);
  });

  test.each([
    ["runs a call exactly once", true],
    ["it never claims exactly-once", false],
    ["// TODO: later", true],
    ["see issue 12", true],
    ["/root/callgate/src", true],
    ["`../shared` beside the root/ of", false],
    ["a sentence about nothing", false],
  ])("%j is caught: %s", (text, expected) => {
    expect(BANS.some(({ word }) => word.test(text))).toBe(expected);
  });
});
