import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as sources from "../../src/index.ts";
import { installPacked, shellIn } from "../cli/packed-package.ts";
import { unnamedTypes } from "./unnamed-types.ts";

const ROOT = join(import.meta.dirname, "../..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const NODE_TYPES = `--types node --typeRoots '${join(ROOT, "node_modules/@types")}'`;

/** What somebody writes who has the package alone. */
const PROGRAM = `
  import { createGate, defineTool, REFUSALS, type RefusalCode, type ResultPackage } from "callgate";
  const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false } as const;
  const revision = "echo-v1";
  const echo = defineTool({
    name: "echo", description: "Say it again.", risk: "read", inputSchema: text, outputSchema: text, sourceLabel: "echo", deadlineMs: 1000,
    revisions: { inputSchema: revision, outputSchema: revision, effect: revision, handler: revision, producer: revision, policy: revision },
    authorize: ({ arguments: { text } }) => text.length > 0,
    execute: ({ arguments: { text } }) => ({
      output: { text }, producerRevision: revision, resourceRevision: null, observedAt: "2026-01-01T00:00:00Z", requestId: null, receiptId: null,
    }),
  });
  const gate = createGate({ tools: [echo], approvers: [] });
  const answer: ResultPackage = await gate.dispatch({
    principal: { tenant_id: "t", subject_id: "s", roles: [] },
    proposal: { name: "echo", arguments: { text: "hello" } },
    executionContext: {
      provider: "openai", api_family: "responses", adapter_revision: "openai-responses-v1",
      response_id: "r", call_id: "c", operation_id: "o", idempotency_key: null,
    },
  });
  const code: RefusalCode = "NOT_FOUND";
  const printed: readonly unknown[] = [answer.model_result.status, REFUSALS[code].httpStatus];
  await gate.close();
`;

/** Lines that must not compile after it. */
const WRONG = [
  ["an approver that is no text", "createGate({ tools: [echo], approvers: [7] });"],
  ["a code that there is not", 'const other: RefusalCode = "NOWHERE";'],
  ["a call without its host's context", "await gate.dispatch({ principal: null, proposal: null });"],
] as const;

let folder: string;

function compiled(name: string, program: string, options: string): readonly string[] {
  writeFileSync(join(folder, name), program);
  const line = `node '${COMPILER}' --noEmit --strict --target es2024 ${NODE_TYPES} ${options} ${name}`;
  return shellIn(folder, line).stdout.match(/^.*error TS\d+.*$/gm) ?? [];
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callgate-packed-"));
  installPacked(folder);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("the package, installed elsewhere", () => {
  test("gives every name that the sources give, and only those", () => {
    const line = `node --input-type=module --eval 'console.log(Object.keys(await import("callgate")).join())'`;
    const { status, stdout, stderr } = shellIn(folder, line);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trim().split(",").toSorted()).toEqual(Object.keys(sources).toSorted());
  });

  // Libraries are checked too: ours must not lean on what only the sources' own settings allow.
  test.each(["--module nodenext", "--module esnext --moduleResolution bundler"])(
    "has types that hold with %s",
    (options) => {
      expect(compiled("program.mts", PROGRAM, options)).toEqual([]);
    },
    60_000,
  );

  test("has types that refuse what is wrong", () => {
    const program = [PROGRAM, ...WRONG.map(([, line]) => line)].join("\n");
    const firstWrong = program.split("\n").length - WRONG.length + 1;
    const lines = compiled("wrong.mts", program, "--module nodenext --skipLibCheck").map((error) =>
      Number(/\((\d+),/.exec(error)?.[1]),
    );
    expect([...new Set(lines)]).toEqual(WRONG.map((_row, index) => firstWrong + index));
  }, 60_000);

  test("lets every type be named that something of it mentions", () => {
    const installed = join(folder, "node_modules/callgate");
    expect(unnamedTypes(join(installed, "dist/src/index.d.ts"), installed)).toEqual([]);
  }, 60_000);

  test("tells a gate's tools apart all at once, wherever the gate stands", () => {
    const wrong = ["one", "two"].map((name) => `defineTool({ name: "${name}" })`).join();
    writeFileSync(
      join(folder, "wrong.mjs"),
      `import { defineTool } from "callgate"; export const approvers = [], tools = [${wrong}];`,
    );
    const { status, stdout, stderr } = shellIn(folder, "npx callgate tools lint --gate wrong.mjs");
    expect([status, stderr]).toEqual([1, ""]);
    expect(["one", "two"].filter((name) => stdout.includes(`wrong.mjs, tool ${name}, description: `))).toHaveLength(2);
  });

  test("has its command", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(shellIn(folder, "npx callgate --version").stdout).toBe(`${version}\n`);
    const run = shellIn(folder, "npx callgate run");
    expect([run.status, run.stderr, run.stdout.endsWith(": all passed\n")]).toEqual([0, "", true]);
  });

  test("has no test, no source map, and nothing of this machine", () => {
    const installed = join(folder, "node_modules/callgate");
    const files = globSync("**/*.*", { cwd: installed });
    expect(files).toContain("dist/src/index.js");
    expect(files.filter((path) => /(^|\/)(test|node_modules)\/|\.map$|tsbuildinfo/.test(path))).toEqual([]);
    const telling = files.filter((path) => readFileSync(join(installed, path), "utf8").includes(ROOT));
    expect(telling).toEqual([]);
  });

  test("has every file that the pages which come with it link to, but those for people who change it", () => {
    const installed = join(folder, "node_modules/callgate");
    const files = new Set(globSync("**/*", { cwd: installed }));
    const missing = globSync("*.md", { cwd: installed }).flatMap((page) =>
      [...readFileSync(join(installed, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target = ""]) => join(dirname(page), target).replace(/\/$/, ""))
        .filter((target) => !files.has(target)),
    );
    expect(missing.filter((target) => !/^(CONTRIBUTING\.md|machines|test\/.*)$/.test(target))).toEqual([]);
  });
});
