import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import { canonicalize } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { callgate } from "./command.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "callgate-tools-"));
const { tools: SAMPLE_TOOLS } = sampleWorld(simulatedHost(0));

const tool = (name: string, changes = ""): string => `defineTool({
  name: ${JSON.stringify(name)}, description: "Looks.", risk: "read", sourceLabel: "eyes", deadlineMs: 100,
  inputSchema: { type: "object", properties: {} }, outputSchema: { type: "object", properties: {} },
  revisions: { inputSchema: "a", outputSchema: "b", effect: "c", handler: "d", producer: "e", policy: "f" },
  authorize: () => true, execute: () => { throw new Error("never"); }, ${changes}
})`;
/** One that is wrong in two ways, and one in its schema. */
const WRONG = tool("one\u001b[31m", 'description: "", deadlineMs: 0');
const WRONG_SCHEMA = tool("two", 'inputSchema: { type: "object", properties: {}, required: ["z"] }');
const gate = (body: string): string => `import { createRegistry, defineGate, defineTool } from "callgate"; ${body}`;
const NAMED = `export const approvers = [], resolver = () => { throw new Error("opened"); };`;

const FILES: Readonly<Record<string, string>> = {
  "right.mjs": gate(`${NAMED} export const tools = [${tool("look")}, ${tool("see")}];`),
  "in-a-list.mjs": gate(`${NAMED} export const tools = [${WRONG}, ${tool("right")}, ${WRONG_SCHEMA}];`),
  "in-a-function.mjs": gate(`${NAMED} export const tools = () => [${WRONG}, ${tool("right")}, ${WRONG_SCHEMA}];`),
  "defined.mjs": gate(
    `export default defineGate({ approvers: [], resolver: () => 1, tools: () => [${WRONG}, ${tool("right")}, ${WRONG_SCHEMA}] });`,
  ),
  "before.mjs": gate(
    `const one = ${WRONG}; const two = ${WRONG_SCHEMA}; if (one.contract.name + two.description === "") throw one; export default defineGate({ approvers: [], tools: [one, two] });`,
  ),
  "left-out.mjs": gate(`${WRONG}; ${WRONG_SCHEMA}; ${NAMED} export const tools = [${tool("right")}];`),
  "schemas.mjs": gate(`${NAMED} export const tools = [${WRONG_SCHEMA}];`),
  "names.mjs": gate(`${NAMED} export const tools = [${tool("a.b")}, ${tool("a_b")}];`),
  "strangers.mjs": gate(`${NAMED} export const tools = [{ name: "plain" }, null, ${tool("right")}];`),
  "registered.mjs": gate(`createRegistry([${tool("a")}, ${tool("a")}]); ${NAMED} export const tools = [];`),
  "also-broken.mjs": gate(`${WRONG_SCHEMA}; throw new RangeError("no luck");`),
  "no-gate.mjs": gate(`${WRONG_SCHEMA}; export const tools = 7;`),
  "only-broken.mjs": gate('throw new RangeError("no luck");'),
  "not-one.mjs": gate("export const tools = 7;"),
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(FOLDER, name), text);
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

const call = (...args: readonly string[]) => callgate(args, { cwd: FOLDER, input: "[]" });

interface Told {
  readonly passed: boolean;
  readonly problems: readonly { readonly at: string; readonly problem: string; readonly remedy: string }[];
}

const lint = (file: string): { readonly status: number | null; readonly stderr: string; readonly told: Told } => {
  const { status, stdout, stderr } = call("tools", "lint", "--gate", file, "--json");
  return { status, stderr, told: JSON.parse(stdout) as Told };
};

describe("callgate tools list", () => {
  test("says of each tool what it is registered as", () => {
    const { status, stdout, stderr } = callgate(["tools", "list", "--json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const expected = SAMPLE_TOOLS.map(
      ({ name, description, risk, deadlineMs, contract, inputSchema, outputSchema }) => ({
        ...{ name, provider_name: name, description, risk, deadline_ms: deadlineMs, tool_contract: contract },
        input_schema_sha256: sha256(canonicalize(inputSchema)),
        output_schema_sha256: sha256(canonicalize(outputSchema)),
      }),
    );
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  test("also for people", () => {
    const { status, stdout } = callgate(["tools", "list"]);
    expect(status).toBe(0);
    for (const { name, contract } of SAMPLE_TOOLS) {
      expect(stdout).toContain(`${name}: `);
      for (const revision of Object.values(contract)) expect(stdout).toContain(revision);
    }
  });

  test("of a gate of one's own, without opening it", () => {
    const { status, stdout, stderr } = call("tools", "list", "--gate", "right.mjs", "--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject([{ name: "look" }, { name: "see" }]);
  });
});

describe("callgate tools lint", () => {
  test("finds nothing wrong with the sample tools", () => {
    expect(callgate(["tools", "lint"])).toEqual({ status: 0, stdout: "2 tools, no problems\n", stderr: "" });
    expect(JSON.parse(callgate(["tools", "lint", "--json"]).stdout)).toEqual({ passed: true, problems: [] });
  });

  test("nor with a gate that is right, which it does not open", () => {
    const { status, stdout, stderr } = call("tools", "lint", "--gate", "right.mjs");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "2 tools, no problems\n", stderr: "" });
  });

  test.each(["in-a-list.mjs", "in-a-function.mjs", "defined.mjs", "before.mjs", "left-out.mjs"])(
    "%s: everything that is wrong with each tool, once",
    (file) => {
      const { status, stderr, told } = lint(file);
      expect({ status, stderr, passed: told.passed }).toEqual({ status: 1, stderr: "", passed: false });
      expect(told.problems.map(({ at }) => at)).toEqual([
        `${file}, tool one\\u{1b}[31m, description`,
        `${file}, tool one\\u{1b}[31m, deadlineMs`,
        `${file}, tool two, inputSchema/required/0`,
      ]);
      for (const { problem, remedy } of told.problems) expect([problem, remedy].map(String)).not.toContain("");
    },
  );

  test.each<[string, readonly string[]]>([
    ["names.mjs", ["tool a_b"]],
    ["registered.mjs", ["tool a"]],
    ["strangers.mjs", ["tools/0", "tools/1"]],
    ["schemas.mjs", ["tool two, inputSchema/required/0"]],
  ])("%s: what a registry says of them", (file, places) => {
    const { status, told } = lint(file);
    expect([status, told.problems.map(({ at }) => at)]).toEqual([1, places.map((place) => `${file}, ${place}`)]);
  });

  test.each<[string, string]>([
    ["also-broken.mjs", "it cannot be loaded: RangeError: no luck"],
    ["no-gate.mjs", "`tools` is a list of what `defineTool` made"],
  ])("%s: what else is wrong with the file comes after the tools", (file, problem) => {
    const { status, told } = lint(file);
    expect([status, told.problems.map(({ at }) => at)]).toEqual([
      1,
      [`${file}, tool two, inputSchema/required/0`, file],
    ]);
    expect(told.problems[1]?.problem).toContain(problem);
  });

  test("says each problem with its remedy on a line of its own", () => {
    const { status, stdout, stderr } = call("tools", "lint", "--gate", "in-a-list.mjs");
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    const [first, ...lines] = stdout.split("\n");
    expect(first).toMatch(/^in-a-list.mjs, tool one\\u\{1b\}\[31m, description: [^\n]+\. To mend it: [^\n]+\.$/);
    expect([lines.length, ...lines.slice(-2)]).toEqual([4, "3 problems", ""]);
    expect(stdout).not.toContain("\u001b");
    expect(call("tools", "lint", "--gate", "schemas.mjs").stdout).toMatch(/\n1 problem\n$/);
  });

  test.each(["only-broken.mjs", "not-one.mjs", "nowhere.mjs"])(
    "%s is no gate whose tools could be looked at",
    (file) => {
      const { status, stdout, stderr } = call("tools", "lint", "--gate", file);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^callgate: GATE_FILE_(?:INVALID|NOT_FOUND): [^\\n]+${file}\\)[^\\n]+\\n$`));
    },
  );
});

describe("what lint finds is refused by every other command, all of it at once", () => {
  test.each<[string, string, number]>([
    ["in-a-list.mjs", "TOOL_INVALID", 3],
    ["in-a-function.mjs", "TOOL_INVALID", 3],
    ["defined.mjs", "TOOL_INVALID", 3],
    ["left-out.mjs", "TOOL_INVALID", 3],
    ["schemas.mjs", "SCHEMA_INVALID", 1],
    ["names.mjs", "TOOL_DUPLICATE", 1],
    ["strangers.mjs", "TOOL_INVALID", 2],
    ["also-broken.mjs", "TOOL_INVALID", 2],
  ])("%s: %s", (file, code, count) => {
    const { status, stdout, stderr } = call("tools", "list", "--gate", file, "--json");
    expect([status, stdout]).toEqual([2, ""]);
    const { message, ...told } = JSON.parse(stderr) as { readonly message: string } & Told;
    expect(told).toMatchObject({ code, problems: lint(file).told.problems });
    expect([told.problems.length, message.split(`(at ${file}`).length - 1]).toEqual([count, count]);
  });

  test.each([
    ["run", "."],
    ["digest", "-"],
    ["validate", "-"],
  ])("%s", (...command) => {
    const { status, stdout, stderr } = call(...command, "--gate", "in-a-list.mjs");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^callgate: TOOL_INVALID: [^\n]+, description\)[^\n]+, deadlineMs\)[^\n]+tool two, [^\n]+\n$/,
    );
  });
});

test.each([["tools"], ["tools", "mend"], ["tools", "list", "more"]])("%j: usage", (...args) => {
  const { status, stdout, stderr } = callgate(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^callgate: USAGE: [^\n]+\n$/);
});

test("the help says whose tools they are", () => {
  expect(callgate(["tools", "--help"]).stdout).toContain("Tools are those of the gate, or of the sample world.");
});
