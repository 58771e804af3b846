import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const LAUNCHER = join(import.meta.dirname, "../../src/cli/launcher.js");
const REQUIRED_MAJOR = 24;

const run = (node: string, args: readonly string[]) => spawnSync(node, args, { encoding: "utf8" });

/** The first Node on the path that is not the project's own, where it is older than required. */
function olderNode(): { readonly path: string; readonly version: string } | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const path = folders.map((folder) => join(folder, "node")).find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  const version = run(path, ["--version"]).stdout.trim().replace(/^v/, "");
  return Number.parseInt(version, 10) < REQUIRED_MAJOR ? { path, version } : null;
}

const OLDER = olderNode();

describe("on a Node that is too old", () => {
  const oneLine = (version: string): string => `callgate needs Node 24 or newer; this is Node ${version}\n`;

  test.skipIf(OLDER === null)("a real one says so in one line and exits 2", () => {
    const { path, version } = OLDER ?? { path: "", version: "" };
    const { status, stdout, stderr } = run(path, [LAUNCHER, "run", "--json"]);
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: oneLine(version) });
  });

  test.each(["0.12.18", "8.17.0", "18.20.8", "20.20.2", "23.11.1"])(
    "a Node that calls itself %s does as well",
    (version) => {
      const rename = `Object.defineProperty(process, "versions", { value: { node: "${version}" } });`;
      const preload = `data:text/javascript,${encodeURIComponent(rename)}`;
      const { status, stdout, stderr } = run(process.execPath, ["--import", preload, LAUNCHER, "run"]);
      expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: oneLine(version) });
    },
  );
});

describe("on a Node that is new enough", () => {
  const folder = mkdtempSync(join(tmpdir(), "callgate-launcher-"));
  const launcher = join(folder, "launcher.js");

  const runWith = (main: string, ...args: readonly string[]) => {
    writeFileSync(join(folder, "main.ts"), main);
    const { status, stdout, stderr } = run(process.execPath, [launcher, ...args]);
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    copyFileSync(LAUNCHER, launcher);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test("the commands are run, with the arguments as they were given", () => {
    const main =
      "const given: string[] = process.argv.slice(2); console.log(JSON.stringify(given)); process.exitCode = 7;";
    expect(runWith(main, "run", "a b", "--json")).toEqual({
      status: 7,
      stdout: '["run","a b","--json"]\n',
      stderr: "",
    });
  });

  test.each([
    ["import './missing.ts';", "ERR_MODULE_NOT_FOUND"],
    ["throw new RangeError('secret');", "RangeError"],
  ])("commands that cannot be loaded (%s) give one line and exit 2", (main, reason) => {
    const stderr = `callgate could not start (${reason}); install it again\n`;
    expect(runWith(main)).toEqual({ status: 2, stdout: "", stderr });
  });
});
