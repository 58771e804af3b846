import { describe, expect, test, vi } from "vitest";
import { lintToolList, listTools, sampleTools } from "../../src/cli/tools.ts";
import { canonicalize } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import { lintTools } from "../../src/tools/lint-tools.ts";
import { callgate } from "./command.ts";

async function printedBy(command: () => Promise<number>): Promise<{ status: number; stdout: string }> {
  let stdout = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
    stdout += String(text);
    for (const done of rest) if (typeof done === "function") done(null);
    return true;
  });
  try {
    return { status: await command(), stdout };
  } finally {
    write.mockRestore();
  }
}

describe("callgate tools list", () => {
  test("says of each tool what it is registered as", () => {
    const { status, stdout, stderr } = callgate(["tools", "list", "--json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const expected = sampleTools().map(
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
    for (const { name, contract } of sampleTools()) {
      expect(stdout).toContain(`${name}: `);
      for (const revision of Object.values(contract)) expect(stdout).toContain(revision);
    }
  });
});

describe("callgate tools lint", () => {
  test("finds nothing wrong with the sample tools", () => {
    expect(callgate(["tools", "lint"])).toEqual({ status: 0, stdout: "2 tools, no problems\n", stderr: "" });
    expect(JSON.parse(callgate(["tools", "lint", "--json"]).stdout)).toEqual({ passed: true, problems: [] });
  });

  const wrong = [...sampleTools(), { name: "a\u001b[31m", risk: "read" }];

  test("says each problem with its remedy on a line of its own, and ends with 1", async () => {
    const { status, stdout } = await printedBy(() => lintToolList(wrong, { json: false }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^tool a\\u001b\[31m, description: [^\n]+\. To mend it: [^\n]+\.$/m);
    expect(stdout).toMatch(/\n3 tools, \d+ problems\n$/);
    expect(stdout).not.toContain("\u001b");
  });

  test("and as JSON", async () => {
    const { status, stdout } = await printedBy(() => lintToolList(wrong, { json: true }));
    expect(status).toBe(1);
    const { passed, problems } = JSON.parse(stdout) as { passed: boolean; problems: readonly object[] };
    expect(passed).toBe(false);
    expect(problems).toEqual(lintTools(wrong));
  });
});

test("what cannot be registered is not listed", async () => {
  const [tool] = sampleTools();
  if (tool === undefined) throw new TypeError("there is no sample tool");
  await expect(listTools([tool, tool], { json: false })).rejects.toThrow(
    expect.objectContaining({ code: "TOOL_DUPLICATE" }),
  );
});

test.each([["tools"], ["tools", "mend"], ["tools", "list", "more"]])("%j: usage", (...args) => {
  const { status, stdout, stderr } = callgate(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^callgate: USAGE: [^\n]+\n$/);
});
