import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { digest as runDigest } from "../../src/cli/digest.ts";
import { validate as runValidate } from "../../src/cli/validate.ts";
import { callgate, shell } from "./command.ts";

const INTEROP = join(import.meta.dirname, "../interop");
const FOLDER = mkdtempSync(join(tmpdir(), "callgate-audit-"));
/** A file of a text, or of a value as JSON. */
const inFolder = (name: string, content: unknown): string => {
  const path = join(FOLDER, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

const PRINCIPAL = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
const CALL = {
  name: "create_refund_draft",
  arguments: { order_ref: "ORDER-7", reason: "other" },
  provider: "openai",
  api_family: "responses",
  response_id: "turn-1",
  call_id: "call-1",
  operation_id: "operation-1",
  idempotency_key: "key-1",
  adapter_revision: "openai-responses-v1",
};
const ENTRY = { principal: PRINCIPAL, call: CALL };

interface Vector {
  readonly principal: object;
  readonly call: object;
  readonly call_binding_sha256: { readonly result_sha256: string; readonly downstream: object; readonly value: string };
}
const { vectors } = JSON.parse(readFileSync(join(INTEROP, "digest-vectors.json"), "utf8")) as { vectors: Vector[] };

interface Tampered {
  readonly valid: boolean;
  readonly payload?: object | null;
}
const tampered = JSON.parse(readFileSync(join(INTEROP, "tampered.json"), "utf8")) as Record<
  "packages" | "sets",
  Tampered[]
>;

const parsed = (text: string): unknown => JSON.parse(text);
const digest = (input: unknown, ...args: string[]) =>
  callgate(["digest", "-", ...args], { input: typeof input === "string" ? input : JSON.stringify(input) });
const validate = (input: unknown, ...args: string[]) =>
  callgate(["validate", "-", ...args], { input: JSON.stringify(input) });

describe("digest", () => {
  test("gives the digests of the other implementation, for a list a list", () => {
    const inputs = vectors.map(({ principal, call, call_binding_sha256: { result_sha256, downstream } }) => ({
      ...{ principal, call, result_sha256, downstream },
    }));
    const { status, stdout, stderr } = callgate(["digest", inFolder("vectors.json", inputs), "--json"], {
      cwd: FOLDER,
    });
    expect([status, stderr]).toEqual([0, ""]);
    const expected = vectors.map(
      ({ principal: _principal, call: _call, call_binding_sha256: { value }, ...digests }) => ({
        ...digests,
        call_binding_sha256: value,
      }),
    );
    expect(expected).toHaveLength(24);
    expect(parsed(stdout)).toEqual(expected);
  });

  test("for an object an object; null where there is none", () => {
    const single = digest({ ...ENTRY, call: { ...CALL, name: "nobodys_tool" } }, "--json");
    expect(single.status).toBe(0);
    expect(parsed(single.stdout)).toMatchObject({ approval_digest: null, status_ref: null, call_binding_sha256: null });
    const read = digest([{ ...ENTRY, call: { ...CALL, name: "get_order", arguments: {} } }], "--json");
    expect(parsed(read.stdout)).toMatchObject([{ approval_digest: expect.any(String) as string, status_ref: null }]);
  });

  test("another approver has another digest, and the default one is the sample world's", () => {
    const approvers = [{}, { approver_id: "human-reviewer-1" }, { approver_id: "somebody" }];
    const { stdout } = digest(
      approvers.map((more) => ({ ...ENTRY, ...more })),
      "--json",
    );
    const [byDefault, named, other] = (parsed(stdout) as { approval_digest: string }[]).map(
      (all) => all.approval_digest,
    );
    expect(named).toBe(byDefault);
    expect(other).not.toBe(byDefault);
  });

  test("for people one digest a line; what it printed may stand beside what it was made from", () => {
    const [first] = parsed(digest([ENTRY], "--json").stdout) as Record<string, string | null>[];
    const { status, stdout } = digest({ ...ENTRY, ...first });
    expect(status).toBe(0);
    const lines = Object.entries(first ?? {}).map(([name, value]) => `${name.padEnd(29)}  ${value ?? "none"}\n`);
    expect(stdout).toBe(lines.join(""));
  });

  const bad: readonly [string, unknown, string, string | null][] = [
    ["not JSON", "{", "JSON_SYNTAX", "line 1, column 2"],
    ["a number", 7, "AUDIT_INPUT_INVALID", ""],
    ["a list in a list", [[ENTRY]], "AUDIT_INPUT_INVALID", "/0"],
    ["no principal", { call: CALL }, "AUDIT_INPUT_INVALID", "/principal"],
    ["no call", [ENTRY, { principal: PRINCIPAL }], "AUDIT_INPUT_INVALID", "/1/call"],
    ["a misspelt member", { ...ENTRY, result_sha265: null }, "AUDIT_INPUT_INVALID", "/result_sha265"],
    [
      "a bad principal",
      [{ ...ENTRY, principal: { ...PRINCIPAL, roles: ["b", "a"] } }],
      "PRINCIPAL_INVALID",
      "/0, roles",
    ],
    ["a member too many", { ...ENTRY, call: { ...CALL, extra: 1 } }, "CONTEXT_INVALID", ""],
    ["no tool name", { ...ENTRY, call: { ...CALL, name: " " } }, "NAME_INVALID", ""],
    ["another profile", { ...ENTRY, call: { ...CALL, api_family: "messages" } }, "PROFILE_UNREGISTERED", ""],
    ["a bad result digest", { ...ENTRY, result_sha256: "AB" }, "AUDIT_INPUT_INVALID", "/result_sha256"],
    ["a bad approver", { ...ENTRY, approver_id: "" }, "AUDIT_INPUT_INVALID", "/approver_id"],
    ["bad evidence", { ...ENTRY, downstream: { request_id: null } }, "AUDIT_INPUT_INVALID", "/downstream"],
  ];
  test.each(bad)("%s is refused", async (_name, input, code, at) => {
    await expect(runDigest(inFolder("bad.json", input), { json: true })).rejects.toMatchObject({ code, at });
  });

  test("what is refused is one object on the standard error output, and status 2", () => {
    const { status, stdout, stderr } = digest([{ ...ENTRY, approver_id: "" }], "--json");
    expect([status, stdout]).toEqual([2, ""]);
    expect(parsed(stderr)).toMatchObject({ code: "AUDIT_INPUT_INVALID", at: "/0/approver_id" });
  });
});

describe("validate", () => {
  test("says of packages and sets what is true of them, with the payload of a valid single one", () => {
    const all = [...tampered.packages, ...tampered.sets];
    const { status, stdout, stderr } = callgate(["validate", inFolder("all.json", all), "--json"]);
    expect([status, stderr]).toEqual([1, ""]);
    const verdicts = parsed(stdout) as (Tampered & { errors: object[] })[];
    expect(verdicts.map(({ valid, payload }) => ({ valid, payload }))).toEqual(
      all.map(({ valid, payload = null }) => ({ valid, payload })),
    );
    expect(verdicts.every(({ valid, errors }) => valid === (errors.length === 0))).toBe(true);
    expect([tampered.packages.length, tampered.sets.length]).toEqual([48, 14]);
  });

  test("all valid is status 0, and a single object is a list of one", () => {
    const single = validate(
      tampered.packages.find(({ valid }) => valid),
      "--json",
    );
    expect([single.status, parsed(single.stdout)]).toMatchObject([0, [{ valid: true, errors: [] }]]);
    const set = validate(
      tampered.sets.filter(({ valid }) => valid),
      "--json",
    );
    expect([set.status, parsed(set.stdout)]).toMatchObject([0, [{ valid: true, payload: null }, { valid: true }]]);
  });

  test("for people: the verdict, why not, and what goes back", () => {
    const [good, bad] = [true, false].map((wanted) => tampered.packages.find(({ valid }) => valid === wanted));
    const { status, stdout } = validate([good, bad]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^1: valid\n\{\n {2}"type": [^]*\n\}\n2: not valid\n(?: {3}.+ \(\/package\/.+\)\n)+$/);
  });

  test("whatever stands for a principal, call or package has a verdict", () => {
    const { status, stdout } = validate(
      [
        { principal: 1, call: null, package: [] },
        { principal: {}, calls: 3, packages: {} },
      ],
      "--json",
    );
    expect([status, parsed(stdout)]).toMatchObject([
      1,
      [
        { valid: false, payload: null },
        { valid: false, payload: null },
      ],
    ]);
  });

  test.each<[string, unknown, string]>([
    ["neither form", { principal: {}, call: {} }, ""],
    ["both forms", [{ principal: {}, call: {}, package: {}, calls: [], packages: [] }], "/0"],
    ["words", ["package"], "/0"],
  ])("%s is bad input", async (_name, input, at) => {
    const refused = runValidate(inFolder("bad.json", input), { json: true });
    await expect(refused).rejects.toMatchObject({ code: "AUDIT_INPUT_INVALID", at });
  });
});

describe("16 MiB", () => {
  const LIMIT = 16 * 1024 * 1024;
  const text = JSON.stringify([ENTRY]);

  test("are read", () => {
    expect(digest(text.padEnd(LIMIT)).status).toBe(0);
  });

  test.each([
    ["digest", runDigest],
    ["validate", runValidate],
  ])("and no byte more, by %s", async (_name, command) => {
    const path = inFolder("long.json", text.padEnd(LIMIT + 1));
    await expect(command(path, { json: true })).rejects.toMatchObject({ code: "JSON_TOO_LARGE" });
  });

  test("of a standard input, of which no more is read than is needed", () => {
    const line = "head -c 200000000 /dev/zero | $CALLGATE validate -; echo ${PIPESTATUS[@]}";
    const { stdout, stderr } = shell(line, FOLDER);
    expect(stderr).toMatch(/^callgate: JSON_TOO_LARGE: /);
    // The writer was told that nobody reads any more.
    expect(stdout).toBe("141 2\n");
  });

  test("a folder is no file", async () => {
    await expect(runDigest(FOLDER, { json: true })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
