import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathsShown } from "./lifecycles.ts";
import { freePort, listen, openRelay, parsed } from "./relay.ts";

const LAUNCHER = join(import.meta.dirname, "../../src/cli/launcher.js");
const FIXTURES = join(import.meta.dirname, "../../fixtures");
const ONE = join(FIXTURES, "tool-cases.json");
const folder = mkdtempSync(join(tmpdir(), "callgate-inspect-"));
const file = join(folder, "messages.jsonl");

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [LAUNCHER, "run", ...args], { timeout: 25_000 });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (bytes: Buffer) => {
    stdout += bytes.toString();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  return new Promise((resolve) => {
    child.on("close", (status) => {
      resolve({ status, stdout, stderr });
    });
  });
}

const linesOf = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n").slice(0, -1);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("callgate run --inspect", () => {
  let plain: Ended;

  beforeAll(async () => {
    plain = await run(ONE, "--json");
  });

  test("is compared with a run that passes", () => {
    expect(plain).toMatchObject({ status: 0, stderr: "" });
  });

  test("shows a page what the file has, and the report stays the same", async () => {
    const relay = await openRelay();
    const page = await relay.connect();
    expect(await run(ONE, "--json", "--inspect-url", relay.url, "--inspect-file", file)).toEqual(plain);
    const lines = linesOf(file);
    await page.receive(lines.length);
    expect(page.texts).toEqual(lines);
    page.close();
    relay.stop();
  });

  test("shows the lifecycles that the report has, case by case", async () => {
    expect(await run(ONE, "--json", "--inspect-file", file)).toEqual(plain);
    const messages = parsed(linesOf(file));
    const { cases } = JSON.parse(plain.stdout) as {
      cases: { id: string; steps: { lifecycle: string[]; owner_lifecycle: string[] | null }[] }[];
    };
    const roots = messages.filter((message) => message.type === "@xstate.actor" && !("parentId" in message));
    expect(roots).toMatchObject(cases.map((_case, index) => ({ name: `case ${index + 1}` })));
    for (const [index, { steps }] of cases.entries()) {
      const shown = pathsShown(messages.filter(({ rootId }) => rootId === roots[index]?.sessionId));
      for (const { lifecycle, owner_lifecycle: owner } of steps) {
        // A query goes on where its step of a dispatch ended.
        for (const path of owner === null ? [lifecycle] : [lifecycle, owner])
          expect(shown).toContainEqual(expect.stringContaining(path.join(" ")));
      }
    }
  });

  test("shows nothing of arguments, outputs, identities and digests", async () => {
    await run(FIXTURES, "--json", "--inspect-file", file);
    const sent = readFileSync(file, "utf8");
    const { cases } = JSON.parse(readFileSync(ONE, "utf8")) as {
      cases: {
        principal: object;
        steps: { proposal: { arguments: unknown }; execution_context: object; expected: { data: unknown } }[];
      }[];
    };
    const report = JSON.parse(plain.stdout) as { cases: { steps: { data: unknown; digests: unknown }[] }[] };
    const secrets = new Set([
      ...cases.flatMap(({ principal, steps }) => [
        ...textsIn(principal),
        ...steps.flatMap((step) => textsIn([step.proposal.arguments, step.execution_context, step.expected.data])),
      ]),
      ...textsIn(report.cases.flatMap(({ steps }) => steps.map(({ data, digests }) => [data, digests]))),
      ...["human-reviewer-1", "orders-request-1", "refund-receipt-1", "approval-"],
    ]);
    expect(secrets.size).toBeGreaterThan(60);
    const words = new Set(sent.split(/[^\w.:-]+/));
    expect([...secrets].filter((secret) => words.has(secret))).toEqual([]);
    expect(words).toContain("create_refund_draft");
  });

  test("with no relay there warns in one line, and the report stays the same", async () => {
    const url = `ws://localhost:${await freePort()}`;
    const { stderr, ...rest } = await run(ONE, "--json", "--inspect-url", url);
    expect(rest).toEqual({ status: plain.status, stdout: plain.stdout });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: "INSPECT_INCOMPLETE" });
  });

  test("with a relay that hangs ends all the same, and a failed step stays one", async () => {
    const text = readFileSync(ONE, "utf8").replace('"code": "OK"', '"code": "NOT_FOUND"');
    const failing = join(folder, "failing.json");
    writeFileSync(failing, text);
    const { port, stop } = await listen((socket) => socket.pause());
    const ended = await run(failing, "--inspect-url", `ws://localhost:${port}`);
    expect(ended).toMatchObject({ status: 1, stdout: (await run(failing)).stdout });
    expect(ended.stderr).toMatch(/^callgate: INSPECT_INCOMPLETE: .*\n$/);
    stop();
  });

  test.each([
    [["--inspect-url", "ws://relay.example:8080"], "INSPECT_URL_REFUSED"],
    [["--inspect-url", "nowhere"], "INSPECT_URL_REFUSED"],
    [["--inspect-file", folder], "FILE_UNWRITABLE"],
    [["--unsafe-inspect-remote"], "USAGE"],
    [["--inspect", "--unsafe-inspect-remote"], "USAGE"],
  ])("%j is refused before anything runs", async (args, code) => {
    const { status, stdout, stderr } = await run(ONE, "--json", ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ code });
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
