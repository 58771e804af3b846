import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleDocument } from "../scenarios/sample-document.ts";
import { callgate } from "./command.ts";

const STARTER = join(import.meta.dirname, "../../fixtures/gates/starter");
const HTTP = join(import.meta.dirname, "../../fixtures/gates/http-refunds");
const FOLDER = mkdtempSync(join(tmpdir(), "callgate-gate-"));

const TOOL = `defineTool({
  name: "look", description: "Looks.", risk: "read", sourceLabel: "eyes", deadlineMs: 100,
  inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
  outputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
  revisions: { inputSchema: "a", outputSchema: "b", effect: "c", handler: "d", producer: "e", policy: "f" },
  authorize: () => true, execute: () => { throw new Error("never"); },
})`;

const FILES: Readonly<Record<string, string>> = {
  "sample.json": JSON.stringify(sampleDocument()),
  "named.mjs": `import { defineTool } from "callgate"; export const other = 1; export const approvers = ["grace"]; export const tools = [${TOOL}];`,
  "typed.ts": `import { defineGate, defineTool, type Tool } from "callgate"; const tools: Tool[] = [${TOOL}]; export default defineGate({ tools, approvers: [] });`,
  "plain.js": `import { defineTool } from "callgate"; export default { approvers: ["grace"], tools: [${TOOL}] };`,
  "empty.mjs": "export const nothing = 1;",
  "broken.mjs": "export default {",
  "throws.mjs": "throw new RangeError('no luck');",
  "missing-import.mjs": "import './nowhere.mjs';",
  "bad-tool.mjs": `import { defineTool } from "callgate"; export default { approvers: [], tools: [defineTool({ name: "" })] };`,
  "gate.txt": "no module",
  "env.json": JSON.stringify({ schema_version: "callgate-scenarios-v1", gate: "named.mjs" }),
};

beforeAll(() => {
  mkdirSync(join(FOLDER, "folder.mjs"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(FOLDER, name), text);
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

const call = (args: readonly string[], input?: object) =>
  callgate(args, { cwd: FOLDER, ...(input === undefined ? {} : { input: JSON.stringify(input) }) });

const CALL = {
  principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
  call: {
    ...{ name: "look", arguments: {}, provider: "openai", api_family: "responses", response_id: "turn-1" },
    ...{ call_id: "call-1", operation_id: "operation-1", idempotency_key: null },
    adapter_revision: "openai-responses-v1",
  },
};

describe("run --gate", () => {
  test.each([
    [STARTER, "gate.mts", "1 file, 3 cases, 11 steps: all passed"],
    [HTTP, "gate.mts", "1 file, 8 cases, 17 steps: all passed"],
  ])("the scenarios of a folder pass, and the command ends by itself", (folder, gate, summary) => {
    const { status, stdout, stderr } = call(["run", "--gate", join(folder, gate), folder]);
    expect([status, stderr, stdout.trimEnd().split("\n").at(-1)]).toEqual([0, "", summary]);
  });

  test("--json has the same members as for the sample tools", () => {
    const own = call(["run", "--gate", join(STARTER, "gate.mts"), STARTER, "--json"]);
    const sample = call(["run", "sample.json", "--json"]);
    const shape = (text: string): unknown => {
      const report = JSON.parse(text) as { cases: { steps: object[] }[] };
      return [report, report.cases[0], report.cases[0]?.steps[0]].map((part) => Object.keys(part ?? {}));
    };
    expect(own.status).toBe(0);
    expect(shape(own.stdout)).toEqual(shape(sample.stdout));
  });

  test.each<[string, readonly string[], string]>([
    ["no scenario files", ["--gate", "named.mjs"], "GATE_FILE_INVALID"],
    ["a file about the sample tools", ["--gate", join(STARTER, "gate.mts"), "sample.json"], "FIXTURE_OF_ANOTHER_GATE"],
    ["a folder with none of its own", ["--gate", join(STARTER, "gate.mts"), "."], "FIXTURE_INVALID"],
    ["no paths", ["--gate", join(STARTER, "gate.mts")], "USAGE"],
    ["its own file without it", [join(STARTER, "scenarios/notes.json")], "FIXTURE_OF_ANOTHER_GATE"],
    ["only files of another gate", [STARTER], "NO_SCENARIOS"],
  ])("%s: refused", (_name, args, code) => {
    const { status, stdout, stderr } = call(["run", ...args]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(new RegExp(`^callgate: ${code}: .*\\n$`));
  });

  test("a folder of both kinds: each run takes its own", () => {
    const folder = join(STARTER, "../../..", "fixtures");
    expect(call(["run", folder]).status).toBe(0);
  });

  test("neither a scenario file nor the environment can name a gate", () => {
    const env = { ...process.env, CALLGATE_GATE: "named.mjs", GATE: "named.mjs" };
    const { status, stderr } = callgate(["run", "env.json"], { cwd: FOLDER, env });
    expect([status, stderr.split(": ")[1]]).toEqual([2, "FIXTURE_OF_ANOTHER_GATE"]);
    const named = call(["run", "--gate", join(STARTER, "gate.mts"), "env.json"]);
    expect([named.status, named.stderr.split(": ")[1]]).toEqual([2, "FIXTURE_INVALID"]);
  });
});

describe("a gate file", () => {
  test.each(["named.mjs", "typed.ts", "plain.js"])("%s is taken by digest and validate", (gate) => {
    const digest = call(["digest", "--gate", gate, "-", "--json"], CALL);
    expect([digest.status, digest.stderr]).toEqual([0, ""]);
    const digests = JSON.parse(digest.stdout) as { approval_digest: string | null };
    // A gate without an approver has nobody whose approval could be digested.
    expect(typeof digests.approval_digest).toBe(gate === "typed.ts" ? "object" : "string");
    const validate = call(["validate", "--gate", gate, "-", "--json"], { ...CALL, package: {} });
    expect([validate.status, validate.stderr]).toEqual([1, ""]);
  });

  test("its tools are listed and looked at by tools", () => {
    const list = call(["tools", "list", "--gate", "named.mjs", "--json"]);
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: "look" }]);
    expect(call(["tools", "lint", "--gate", "named.mjs"])).toMatchObject({ status: 0, stderr: "" });
  });

  test("without it, the tool is none of the registered ones", () => {
    const { stdout } = call(["digest", "-", "--json"], CALL);
    expect(JSON.parse(stdout)).toMatchObject({ approval_digest: null });
  });

  test.each([
    ["nowhere.mjs", "GATE_FILE_NOT_FOUND", "at nowhere.mjs"],
    ["", "GATE_FILE_NOT_FOUND", "at the empty name"],
    ["gate.txt", "GATE_FILE_INVALID", "it is no file that ends in .js, .mjs, .ts or .mts"],
    ["folder.mjs", "GATE_FILE_INVALID", "it is no file that ends in"],
    ["empty.mjs", "GATE_FILE_INVALID", "`tools` is a list of what `defineTool` made"],
    ["broken.mjs", "GATE_FILE_INVALID", "it cannot be loaded: SyntaxError: Unexpected end of input"],
    ["throws.mjs", "GATE_FILE_INVALID", "it cannot be loaded: RangeError: no luck"],
    ["missing-import.mjs", "GATE_FILE_INVALID", "it cannot be loaded: Error: Cannot find module 'nowhere.mjs'"],
    ["bad-tool.mjs", "TOOL_INVALID", "bad-tool.mjs"],
  ])("%s: %s", (name, code, detail) => {
    for (const gate of name === "" ? [name] : [name, join(FOLDER, name)]) {
      const { status, stdout, stderr } = call(["digest", "--gate", gate, "-"], CALL);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(new RegExp(`^callgate: ${code}: [^\\n]*\\n$`));
      expect(stderr).toContain(detail);
      expect(stderr).not.toContain(FOLDER);
      expect(stderr).not.toMatch(/\s+at \S+:\d+/);
    }
  });
});
