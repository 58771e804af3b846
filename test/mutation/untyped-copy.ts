import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { PROJECT_ROOT } from "../house-rules/project-files.ts";

const LEFT_OUT = new Set(["node_modules", ".git", "dist", "coverage"]);

/** The text without its types, every other character where it was, as Node itself runs it. */
export function withoutTypes(text: string): string {
  return stripTypeScriptTypes(text);
}

/**
 * A copy of the project for Stryker to work in, the files to mutate without types: Stryker changes nothing inside `x as T`,
 * so not a row of a table that is `as const`.
 */
export class UntypedCopy {
  readonly root = mkdtempSync(join(tmpdir(), "callgate-mutation-"));

  constructor(mutated: readonly string[]) {
    cpSync(PROJECT_ROOT, this.root, {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(relative(PROJECT_ROOT, path)),
    });
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(this.root, "node_modules"), "dir");
    for (const path of mutated) {
      writeFileSync(join(this.root, path), withoutTypes(readFileSync(join(PROJECT_ROOT, path), "utf8")));
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
