import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT, textOf } from "./project-files.ts";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(textOf("package.json")) as Manifest;
const HAS_ARCHITECTURE = existsSync(join(PROJECT_ROOT, "ARCHITECTURE.md"));

describe("package.json", () => {
  test.each(Object.entries({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies }))(
    "%s has one exact version",
    (_name, version) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    },
  );

  test("develops on a Node that it supports", () => {
    const major = (version: string | undefined): number => Number(/\d+/.exec(version ?? "")?.[0]);
    expect(MANIFEST.engines.node).toMatch(/^>=\d+$/);
    expect(major(MANIFEST.devDependencies["node"])).toBeGreaterThanOrEqual(major(MANIFEST.engines.node));
    expect(major(MANIFEST.devDependencies["@types/node"])).toBe(major(MANIFEST.devDependencies["node"]));
  });

  test("checks all that the tests test", () => {
    expect(MANIFEST.scripts["check:tests"]).toBe(MANIFEST.scripts["test"]);
  });
});

test("package-lock.json names no host to fetch from", () => {
  expect(textOf("package-lock.json")).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});

describe.skipIf(!HAS_ARCHITECTURE)("ARCHITECTURE.md", () => {
  test.each(Object.keys(MANIFEST.dependencies))("says what %s is for", (name) => {
    expect(textOf("ARCHITECTURE.md")).toMatch(new RegExp(`(^|[^\\w-])${name}([^\\w-]|$)`, "m"));
  });

  test("has at most 250 lines", () => {
    expect(textOf("ARCHITECTURE.md").trimEnd().split("\n").length).toBeLessThanOrEqual(250);
  });
});
