import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT_ROOT, projectFiles, SOURCES } from "./project-files.ts";

const { forbidden = [], options } = await extractConfig(join(PROJECT_ROOT, ".dependency-cruiser.mjs"));
const RULE_NAMES = forbidden.map((rule) => rule.name);

async function cruised(baseDir: string): Promise<ICruiseResult> {
  const ruleSet = { forbidden };
  const { output } = await cruise(["src", "machines"], { ...options, baseDir, validate: true, ruleSet });
  if (typeof output === "string") throw new TypeError("the cruiser reported text");
  return output;
}

describe("the project", () => {
  let result: ICruiseResult;

  beforeAll(async () => {
    result = await cruised(PROJECT_ROOT);
  });

  test("is seen whole by the cruiser", () => {
    const seen = result.modules.map(({ source }) => source).filter((source) => /^(src|machines)\//.test(source));
    expect(seen.toSorted()).toEqual(SOURCES);
  });

  test("imports inward only", () => {
    expect(result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  });

  test("has a row for each room, and a room for each row", () => {
    const rooms = projectFiles("src/*/").map((folder) => `room-${folder.slice("src/".length)}`);
    const rows = RULE_NAMES.filter((name) => name?.startsWith("room-"));
    expect(new Set(rows)).toEqual(new Set([...rooms, "room-index", "room-machines"]));
  });
});

/** One wrong import each: the file that has it, the line, and the rule that says so. */
const WRONG = [
  ["src/protocol/seed.ts", 'import "../json/stone.ts";', "room-protocol"],
  ["src/errors/seed.ts", 'import type {} from "../host/stone.ts";', "room-errors"],
  ["src/json/seed.ts", 'import "../schemas/stone.ts";', "room-json"],
  ["src/schemas/seed.ts", 'import "../policy/stone.ts";', "room-schemas"],
  ["src/policy/seed.ts", 'import "../schemas/stone.ts";', "room-policy"],
  ["machines/seed.ts", 'import "../src/guards/stone.ts";', "room-machines"],
  ["src/packages/seed.ts", 'import "../engine/stone.ts";', "room-packages"],
  ["src/guards/seed.ts", 'import "../tools/stone.ts";', "room-guards"],
  ["src/engine/seed.ts", 'import "../guards/stone.ts";', "room-engine"],
  ["src/host/seed.ts", 'import "../json/stone.ts";', "room-host"],
  ["src/ledger/seed.ts", 'import "../tools/stone.ts";', "room-ledger"],
  ["src/tools/seed.ts", 'import "../ledger/stone.ts";', "room-tools"],
  ["src/dispatcher/seed.ts", 'import "../providers/stone.ts";', "room-dispatcher"],
  ["src/providers/seed.ts", 'import "../dispatcher/stone.ts";', "room-providers"],
  ["src/sample/seed.ts", 'import "../scenarios/stone.ts";', "room-sample"],
  ["src/scenarios/seed.ts", 'import "../cli/stone.ts";', "room-scenarios"],
  ["src/drawing/seed.ts", 'import "../scenarios/stone.ts";', "room-drawing"],
  ["src/cli/seed.ts", 'import "../index.ts";', "room-cli"],
  ["src/index.ts", 'import "./cli/stone.ts";', "room-index"],
  ["src/cellar/seed.ts", 'import "../protocol/stone.ts";', "no-room"],
  ["src/protocol/seed-value.ts", 'import "../errors/stone.ts";', "words-protocol-types-only"],
  ["src/errors/seed-value.ts", 'import "../protocol/stone.ts";', "words-errors-types-only"],
  ["src/guards/seed-ajv.ts", 'import type {} from "ajv/dist/2020.js";', "package-ajv"],
  ["src/tools/seed-formats.ts", 'import "ajv-formats";', "package-ajv-formats"],
  ["src/policy/seed-pattern.ts", 'import "re2js";', "package-re2js"],
  ["src/dispatcher/seed-types.ts", 'import type {} from "json-schema-to-ts";', "package-json-schema-to-ts"],
  ["src/schemas/seed-value.ts", 'import "json-schema-to-ts";', "package-json-schema-to-ts-types-only"],
  ["src/dispatcher/seed-machine.ts", 'import "xstate";', "package-xstate"],
  ["src/scenarios/seed-command.ts", 'import "commander";', "package-commander"],
  ["src/ledger/seed-random.ts", 'import "node:crypto";', "package-node:crypto"],
  ["src/scenarios/seed-file.ts", 'import "node:fs/promises";', "package-node:fs"],
  ["src/drawing/seed-http.ts", 'import "node:http";', "package-node:http"],
  ["src/dispatcher/seed-net.ts", 'import "node:net";', "package-node:net"],
  ["src/cli/seed-module.ts", 'import "node:module";', "package-node:module"],
  ["src/cli/seed-path.ts", 'import "node:path";', "package-node:path"],
  ["src/cli/seed-url.ts", 'import "url";', "package-node:url"],
  ["src/cli/seed-process.ts", 'import "node:process";', "package-node:process"],
  ["src/engine/seed-util.ts", 'import "node:util";', "package-node:util"],
  ["src/host/seed-clock.ts", 'import "node:timers";', "no-other-package"],
  ["machines/seed-graph.ts", 'import "@xstate/graph";', "no-development-package"],
  ["src/cli/seed-nowhere.ts", 'import "./nowhere.ts";', "no-unresolved"],
  ["src/json/seed-circle-back.ts", 'import "./seed-circle.ts";', "no-circle"],
  ["src/json/seed-orphan.ts", "", "no-orphan"],
] as const;

/** Right imports that look like some of the wrong ones. */
const RIGHT = [
  ["src/protocol/fine.ts", 'import type {} from "../errors/stone.ts";'],
  ["src/schemas/fine.ts", 'import "ajv"; import "../json/stone.ts";'],
  ["src/json/fine.ts", 'import "node:crypto";'],
  ["src/cli/fine.ts", 'import "commander"; import "../dispatcher/stone.ts";'],
] as const;

const ROOMS = RULE_NAMES.flatMap((name) => /^room-(?!machines|index)(.+)$/.exec(name ?? "")?.[1] ?? []);
const DEPENDENCIES = ["ajv", "ajv-formats", "re2js", "json-schema-to-ts", "xstate", "commander"];

describe("a seeded project", () => {
  const root = mkdtempSync(join(tmpdir(), "callgate-layers-"));
  let violations: ReadonlySet<string>;

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  beforeAll(async () => {
    for (const room of ROOMS) write(`src/${room}/stone.ts`, "export {};");
    for (const [path, line] of [...WRONG, ...RIGHT]) write(path, line);
    write("src/json/seed-circle.ts", 'import "./seed-circle-back.ts";');
    for (const name of [...DEPENDENCIES, "@xstate/graph"]) write(`node_modules/${name}/index.js`, "");
    write("node_modules/ajv/dist/2020.js", "");
    const named = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, "1.0.0"]));
    write(
      "package.json",
      JSON.stringify({ dependencies: named(DEPENDENCIES), devDependencies: named(["@xstate/graph"]) }),
    );
    const { summary } = await cruised(root);
    violations = new Set(summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`));
  });

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  test.each(WRONG)("%s with %s breaks %s", (path, _line, rule) => {
    expect(violations).toContain(`${path}: ${rule}`);
  });

  test.each(RIGHT)("%s with %s breaks nothing", (path) => {
    expect([...violations].filter((violation) => violation.startsWith(`${path}:`))).toEqual([]);
  });

  test("shows that every rule can fail", () => {
    expect(RULE_NAMES.filter((name) => !WRONG.some(([, , rule]) => rule === name))).toEqual([]);
  });
});
