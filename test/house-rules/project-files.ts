import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the project. Shape: a path that ends in no slash. */
export const PROJECT_ROOT = join(import.meta.dirname, "../..");

/** The files under the root that fit the patterns, sorted. Shape: paths from the root, with slashes. */
export function projectFiles(...patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: PROJECT_ROOT, exclude: ["node_modules/**", "dist/**", "coverage/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
}

/** The text of a file of the project. */
export function textOf(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), "utf8");
}

/** Every source file of the product. */
export const SOURCES = projectFiles("src/**/*.{ts,js}", "machines/**/*.{ts,js}");
