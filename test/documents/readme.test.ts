import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { PROFILES } from "../../src/protocol/call.ts";
import { codeBlocks, pageText, ROOT } from "./code-blocks.ts";

const README = pageText("README.md");
const [EXAMPLE = "", SETTLED = ""] = codeBlocks("README.md").flatMap(({ language, label, text }) =>
  language === "ts" && label === null ? [text] : [],
);

/** Runs a program of the page with the sources in place of the package. Shape: the lines it prints. */
function printedBy(program: string): readonly string[] {
  const source = program.replace('from "callgate"', `from ${JSON.stringify(`${ROOT}/src/index.ts`)}`);
  const run = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", source], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  return run.stdout.trimEnd().split("\n");
}

describe("README", () => {
  it("has an example that runs and prints what its comments say", () => {
    const promised = [...EXAMPLE.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(3);
    expect(printedBy(EXAMPLE)).toEqual(promised);
  });

  it("has a way to settle an outcome in doubt that answers the call itself", () => {
    const answered = "return { output, ...evidence };\n  },\n  queryReceipt";
    expect(EXAMPLE).toContain(answered);
    const losing = EXAMPLE.replace(answered, 'throw new Error("lost");\n  },\n  queryReceipt');
    const end = "await gate.close();\n";
    expect(losing).toContain(end);
    const asking = `
      console.log(first.model_result.error?.code);
      const known = await settled(first);
      console.log(known.model_result.execution.delivery, JSON.stringify(known.model_result.data), refunds.size);
      console.log(known.protected_audit.provider_context.call_id);
    `;
    expect(printedBy(losing.replace(end, SETTLED + asking + end)).slice(-3)).toEqual([
      "OUTCOME_UNKNOWN",
      'local_replay {"draft":"DRAFT-1"} 1',
      "call_1",
    ]);
  });

  it("gives the two commands on its first screen", () => {
    const firstScreen = README.split("\n").slice(0, 24).join("\n");
    expect(firstScreen).toContain("npm ci && npm start");
    expect(firstScreen).toContain("npm ci && npm test");
  });

  it("names every profile, and no other", () => {
    const [, section = ""] = README.split("### Providers\n");
    const rows = [...section.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| `([\w-]+)`/gm)];
    expect(
      rows.map(([, provider, api_family, adapter_revision]) => ({ provider, api_family, adapter_revision })),
    ).toEqual(PROFILES);
  });
});
