import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as sources from "../../src/index.ts";
import { installPacked, shellIn } from "../cli/packed-package.ts";

const VERSION = "26.12.1";

const folder = mkdtempSync(join(tmpdir(), "callgate-node-26-"));
const node = join(folder, "node-26/bin/node");

/** Fetches the program as the registry has it. False where there is no registry, or no such program for this machine. */
function isFetched(): boolean {
  const archive = `node-${process.platform}-${process.arch}-${VERSION}.tgz`;
  const name = `node-${process.platform}-${process.arch}@${VERSION}`;
  shellIn(
    folder,
    `npm_config_offline=false npm pack --silent --fetch-retries=0 --fetch-timeout=60000 ${name} && mkdir node-26 && tar -xzf ${archive} --strip-components 1 -C node-26`,
  );
  if (!existsSync(node)) return false;
  chmodSync(node, 0o755);
  return true;
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.skipIf(!isFetched())("the package, on Node 26", () => {
  beforeAll(() => {
    installPacked(folder);
  }, 120_000);

  const run = (line: string, cwd = folder) => shellIn(cwd, `PATH='${join(folder, "node-26/bin")}':"$PATH"; ${line}`);

  test("is run by it", () => {
    expect(run("node --version").stdout).toBe(`v${VERSION}\n`);
  });

  test("gives every name that the sources give", () => {
    const { status, stdout, stderr } = run(
      `node --input-type=module --eval 'console.log(Object.keys(await import("callgate")).join())'`,
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trim().split(",").toSorted()).toEqual(Object.keys(sources).toSorted());
  });

  test("runs the sample scenarios", () => {
    const { status, stdout, stderr } = run("npx callgate run");
    expect([status, stderr, stdout.endsWith(": all passed\n")]).toEqual([0, "", true]);
  });

  test("writes a gate of one's own, and runs it", () => {
    const own = join(folder, "own");
    mkdirSync(own);
    expect(run("npx callgate init", own).status).toBe(0);
    const { status, stdout, stderr } = run("npx callgate run --gate gate.mts scenarios", own);
    expect([status, stderr, stdout.endsWith(": all passed\n")]).toEqual([0, "", true]);
  });
});
