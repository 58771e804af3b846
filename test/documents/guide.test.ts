import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderName } from "../../src/protocol/call.ts";
import type { ModelResult } from "../../src/protocol/result.ts";
import { installPacked, shellIn } from "../cli/packed-package.ts";
import { modelServer, type SentRequest } from "../providers/model-server.ts";
import { codeBlocks, ROOT } from "./code-blocks.ts";
import { REPLIES } from "./model-replies.ts";

const WORKFLOW = ".github/workflows/callgate.yml";
const BLOCKS = codeBlocks("GUIDE.md").filter(({ label }) => label !== "no-run");
const LOOPS: Readonly<Record<ProviderName, string>> = { openai: "openai", anthropic: "anthropic", google: "gemini" };

let folder: string;

function save(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs something with files of the guide changed, and changes them back. */
async function withChanged<Result>(
  changes: readonly (readonly [file: string, from: string, to: string])[],
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const before = new Map(changes.map(([file]) => [file, readFileSync(join(folder, file), "utf8")]));
  try {
    for (const [file, from, to] of changes) {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text).toContain(from);
      save(file, text.replace(from, to));
    }
    return await run();
  } finally {
    for (const [file, text] of before) save(file, text);
  }
}

/** Puts packages of this project into the folder, as `npm install` would: nothing is fetched. */
function install(names: readonly string[]): void {
  for (const name of names) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), place);
    if (name === "typescript") symlinkSync("../typescript/bin/tsc", join(folder, "node_modules/.bin/tsc"));
  }
}

/** Runs a loop of the guide with the SDK of its provider against a server on this machine. */
async function runLoop(provider: ProviderName): Promise<{ stdout: string; requests: readonly SentRequest[] }> {
  const server = await modelServer(REPLIES[provider]);
  const env = {
    ...process.env,
    ...{ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` },
    ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: server.url },
    ...{ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: server.url },
  };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [`${LOOPS[provider]}.mts`], { cwd: folder, env });
    return { stdout, requests: server.requests };
  } finally {
    await server.close();
  }
}

/** Every text that stands as a value in something. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Runs one line of the guide. */
async function runLine(line: string): Promise<string> {
  const [, packages] = /^npm install (?:--save-dev )?(.+)$/.exec(line) ?? [];
  if (packages !== undefined) {
    install(packages.split(" ").filter((name) => name !== "callgate"));
    return "";
  }
  if (line === "node openai.mts") return (await runLoop("openai")).stdout;
  const { status, stdout, stderr } = shellIn(folder, line);
  expect({ line, status, stdout: status === 0 ? "" : stdout, stderr }).toEqual({
    line,
    status: 0,
    stdout: "",
    stderr: "",
  });
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callgate-guide-"));
  installPacked(folder);
  install(["@anthropic-ai/sdk", "@google/genai"]);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("GUIDE.md", () => {
  test("does what it says, step by step", async () => {
    let printed = "";
    for (const { language, label, text } of BLOCKS) {
      if (label !== null) {
        save(label, text);
      } else if (language === "sh") {
        printed = "";
        for (const line of text.trimEnd().split("\n")) printed += await runLine(line);
      } else {
        expect(printed.slice(-text.length)).toBe(text);
      }
    }
    expect(BLOCKS.map(({ language, label }) => label ?? language)).toEqual([
      ...["sh", "vouchers.mts", "gate.mts", "sh", "scenarios/vouchers.json", "sh", "text"],
      ...["main.mts", "sh", "text", WORKFLOW],
      ...["answer.mts", "openai.mts", "sh", "text", "anthropic.mts", "gemini.mts", "tsconfig.json", "sh"],
    ]);
  }, 120_000);

  test("writes what the compiler takes at its strictest", () => {
    const line =
      "npx tsc -p . --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature";
    expect(shellIn(folder, line)).toEqual({ status: 0, stdout: "", stderr: "" });
  }, 60_000);

  describe("has a CI job", () => {
    const steps = (): readonly string[] =>
      [...readFileSync(join(folder, WORKFLOW), "utf8").matchAll(/^ +- run: (.+)$/gm)].map(([, line = ""]) => line);
    const statuses = (): readonly (number | null)[] =>
      steps()
        .filter((line) => line !== "npm ci")
        .map((line) => shellIn(folder, line).status);

    test("that passes", () => {
      expect(steps()).toHaveLength(3);
      expect(statuses()).toEqual([0, 0]);
    });

    test.each([
      ["a scenario that fails", "scenarios/vouchers.json", '"side_effects": 1 }', '"side_effects": 2 }', [0, 1]],
      ["a service that forgets", "vouchers.mts", "byKey.set(key, voucher);", "", [0, 1]],
      ["an answer that breaks its contract", "gate.mts", '.replace(/\\.\\d+Z$/, "Z")', "", [0, 1]],
      [
        "an answer about something else",
        "gate.mts",
        "output: { code, customer, euros }",
        "output: { code, customer, euros: euros + 1 }",
        [0, 1],
      ],
      [
        "an approval that is not asked for",
        "scenarios/vouchers.json",
        '"approval": "none"',
        '"approval": "valid"',
        [0, 1],
      ],
      ["an invalid tool", "gate.mts", "deadlineMs: 2_000", "deadlineMs: 0", [1, 2]],
    ] as const)("that fails for %s", async (_what, file, from, to, expected) => {
      expect(await withChanged([[file, from, to]], statuses)).toEqual(expected);
    });
  });

  describe("has a loop", () => {
    /** Runs a loop; says what the model was told in its second request. */
    const told = async (provider: ProviderName) => {
      const { stdout, requests } = await runLoop(provider);
      const [result = "null"] = textsIn(requests[1]?.body).filter((text) => text.startsWith('{"data":'));
      const { data, error, execution } = JSON.parse(result) as ModelResult;
      const tools = requests.map(({ body }) => /"name":"(\w+)"/.exec(JSON.stringify(body["tools"]))?.[1]);
      return { stdout, tools, is: error?.code ?? execution.delivery, data };
    };
    const VOUCHER = { code: "VOUCHER-1", customer: "CUSTOMER-7", euros: 20 };
    const tools = ["issue_voucher", "issue_voucher"];

    test.each<ProviderName>(["openai", "anthropic", "google"])("with %s that issues one voucher", async (provider) => {
      const { stdout, ...sent } = await told(provider);
      expect(stdout).toContain("The voucher is VOUCHER-1.");
      expect(sent).toEqual({ tools, is: "fresh", data: VOUCHER });
    });

    test.each<ProviderName>(["openai", "anthropic", "google"])(
      "with %s that finds a lost outcome out, and gives it to the model's own call",
      async (provider) => {
        const lost = ["vouchers.mts", "losesAnswers: false", "losesAnswers: true"] as const;
        expect(await withChanged([lost], () => told(provider))).toMatchObject({ is: "local_replay", data: VOUCHER });
      },
    );

    test("that tells the model of an outcome that stays unknown", async () => {
      const lost = ["vouchers.mts", "losesAnswers: false", "losesAnswers: true"] as const;
      const unseen = [
        "vouchers.mts",
        "find: (key: string) => byKey.get(key)",
        "find: (key: string) => byKey.get(`no ${key}`)",
      ] as const;
      const open = await withChanged([lost, unseen], () => told("openai"));
      expect(open).toMatchObject({ is: "OUTCOME_UNKNOWN", data: null });
    });

    test("that tells the model when a person says no", async () => {
      const no = ["openai.mts", 'return "grace"', "return null"] as const;
      expect(await withChanged([no], () => told("openai"))).toMatchObject({ is: "APPROVAL_REQUIRED", data: null });
    });
  });
});
