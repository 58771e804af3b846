import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of the project. */
export const ROOT = join(import.meta.dirname, "../..");

/** A block of code of a page: a file to save, code to read, lines to run, or what the lines before it print. */
export interface CodeBlock {
  readonly language: string;
  /** What stands after the language: the name of a file, `no-run`, or nothing. */
  readonly label: string | null;
  readonly text: string;
  /** Line of the page on which its text starts. */
  readonly line: number;
}

/** The pages of the project. */
export const PAGES: readonly string[] = globSync(["*.md", "fixtures/**/*.md"], { cwd: ROOT }).toSorted();

/** Text of a page. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The blocks of code of a page, in order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const text = pageText(page);
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map((match) => {
    const [, language = "", label = null, code = ""] = match;
    return { language, label, text: code, line: text.slice(0, match.index).split("\n").length + 1 };
  });
}
