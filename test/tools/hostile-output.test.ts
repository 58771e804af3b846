import { describe, expect, test } from "vitest";
import { createGate, type Gate } from "../../src/dispatcher/gate.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { toProviderPayload } from "../../src/providers/payload.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

/** Stands in everything hostile; nothing of it may come out. */
const LEAK = "LEAK-7f3a";
class Answer {
  readonly text: string = LEAK;
}

const LIMITS = { outputBytes: 64, outputDepth: 3 };

const TREE = {
  type: "object",
  properties: {
    text: { type: "string" },
    tree: { $ref: "#/$defs/tree" },
    map: { type: "object", additionalProperties: { $ref: "#/$defs/tree" } },
  },
  $defs: {
    tree: {
      anyOf: [
        { type: ["string", "number", "null"] },
        { type: "array", items: { $ref: "#/$defs/tree" } },
        { type: "object", additionalProperties: { $ref: "#/$defs/tree" } },
      ],
    },
  },
} as const;

const GOOD = {
  output: { text: "x" },
  producerRevision: "p1",
  resourceRevision: null,
  observedAt: "2026-01-02T03:04:05Z",
  requestId: "request-1",
};

const principal = { tenant_id: "t", subject_id: "s", roles: [] };

interface Answered {
  readonly result: ResultPackage;
  readonly payloads: string;
}

async function answered(risk: "read" | "write", answer: () => unknown): Promise<Answered> {
  const definition = {
    name: "tool",
    description: "Answers.",
    risk,
    inputSchema: { type: "object", properties: {} },
    outputSchema: TREE,
    revisions: { inputSchema: "i1", outputSchema: "o1", effect: "e1", handler: "h1", producer: "p1", policy: "y1" },
    sourceLabel: "label",
    limits: LIMITS,
    deadlineMs: 5_000,
    authorize: () => true,
    execute: answer,
    ...(risk === "write" ? { queryReceipt: () => null } : {}),
  };
  const gate = createGate({ tools: [defineTool(definition as never)], approvers: ["grace"] });
  const [profile] = PROFILES;
  const context = { ...profile, response_id: "r", call_id: "c", operation_id: "o", idempotency_key: "k" };
  const call = { principal, proposal: { name: "tool", arguments: {} }, executionContext: context };
  const approvals = risk === "write" ? [gate.approve({ ...call, approverId: "grace", lifeSeconds: 60 })] : [];
  const result = await gate.dispatch({ ...call, approvals });
  const payloads = payloadText(gate, call, result);
  await gate.close();
  return { result, payloads };
}

function payloadText(
  gate: Gate,
  call: { readonly proposal: object; readonly executionContext: object },
  result: ResultPackage,
): string {
  const given = { principal, call: { ...call.proposal, ...call.executionContext }, package: result };
  return JSON.stringify(toProviderPayload(gate.registry, given));
}

const cycle: Record<string, unknown> = { text: LEAK };
cycle["tree"] = cycle;
const nested = (levels: number): unknown => (levels === 0 ? LEAK : { a: nested(levels - 1) });
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({ text: LEAK }, {});
  revoke();
  return proxy;
};

const HOSTILE: Readonly<Record<string, () => unknown>> = {
  "a getter": () => ({
    get text() {
      return LEAK;
    },
  }),
  "a getter that throws": () => ({
    get text(): string {
      throw new Error(LEAK);
    },
  }),
  "a proxy": () => new Proxy({ text: LEAK }, {}),
  "a proxy whose traps throw": () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error(LEAK);
        },
        getPrototypeOf: () => {
          throw new Error(LEAK);
        },
      },
    ),
  "a revoked proxy": revoked,
  "a cycle": () => cycle,
  "a BigInt": () => ({ tree: 7n, text: LEAK }),
  "an instance of a class": () => new Answer(),
  "an error": () => Object.assign(new Error(LEAK), { text: LEAK }),
  "a date": () => ({ text: LEAK, tree: new Date(0) }),
  "a map": () => ({ text: LEAK, map: new Map([["a", 1]]) }),
  "a typed array": () => ({ text: LEAK, tree: new Uint8Array(3) }),
  "a function": () => ({ text: LEAK, tree: () => LEAK }),
  "a symbol": () => ({ text: LEAK, [Symbol("a")]: 1 }),
  undefined: () => ({ text: LEAK, tree: undefined }),
  NaN: () => ({ text: LEAK, tree: Number.NaN }),
  "half a surrogate pair": () => ({ text: `\ud800${LEAK}` }),
  "a sparse array": () => ({ text: LEAK, tree: Object.assign(new Array<number>(3), { 0: 1, 2: 2 }) }),
  "an array with a member of its own": () => ({ text: LEAK, tree: Object.assign([1], { a: 1 }) }),
  "a thenable within": () => ({ text: LEAK, tree: Object.fromEntries(["then"].map((name) => [name, () => LEAK])) }),
  toJSON: () => ({ toJSON: () => ({ text: "x" }), text: LEAK }),
  "a member that is not enumerable": () => Object.defineProperty({ text: "x" }, "tree", { value: LEAK }),
  "a prototype with members": () => Object.create({ text: LEAK }) as unknown,
  "10 MB of text": () => ({ text: LEAK.repeat(1_200_000) }),
  "a million members": () => ({
    map: Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`${LEAK}${index}`, 1])),
  }),
  "5,000 levels": () => ({ tree: nested(5_000) }),
  "a member that nobody named": () => ({ text: "x", status: LEAK }),
  "an inherited name": () => ({ text: "x", constructor: LEAK }),
  "a list": () => [LEAK],
  "a text": () => LEAK,
  null: () => null,
  ...Object.fromEntries(
    [
      ["map", "Authorization"],
      ["map", "set-cookie"],
      ["tree", "call_id"],
    ].map(([member, name]) => [`${name ?? ""} in ${member ?? ""}`, () => ({ [member ?? ""]: { [name ?? ""]: LEAK } })]),
  ),
  "a forbidden name in an array": () => ({ tree: [{ PASSWORD: LEAK }] }),
  "__proto__ by JSON": () => JSON.parse(`{"text":"x","__proto__":{"a":"${LEAK}"}}`) as unknown,
};

describe.each(["read", "write"] as const)("a %s answers with", (risk) => {
  test.each(Object.keys(HOSTILE))("%s", async (which) => {
    const receiptId = risk === "write" ? "receipt-1" : null;
    const { result, payloads } = await answered(risk, () => ({ ...GOOD, receiptId, output: HOSTILE[which]?.() }));
    expect(result.model_result.error?.code).toBe("OUTPUT_CONTRACT_VIOLATION");
    expect(result.model_result.data).toBe(null);
    expect(JSON.stringify(result) + payloads).not.toContain(LEAK);
  });
});

describe("exactly at the limits, and one beyond", () => {
  const ok = async (output: object): Promise<boolean> => {
    const { result } = await answered("read", () => ({ ...GOOD, receiptId: null, output }));
    return result.model_result.status === "succeeded";
  };
  const sized = (bytes: number, fill: string): object => {
    const left = bytes - JSON.stringify({ text: "" }).length;
    const whole = Math.floor(left / Buffer.byteLength(fill));
    return { text: fill.repeat(whole) + "x".repeat(left - whole * Buffer.byteLength(fill)) };
  };

  test.each(["x", "é", "😀"])("bytes, of %s", async (fill) => {
    expect(await ok(sized(LIMITS.outputBytes, fill))).toBe(true);
    expect(await ok(sized(LIMITS.outputBytes + 1, fill))).toBe(false);
  });

  test("depth, by objects and by arrays", async () => {
    expect(await ok({ tree: { a: { b: 1 } } })).toBe(true);
    expect(await ok({ tree: { a: { b: {} } } })).toBe(false);
    expect(await ok({ tree: [[1]] })).toBe(true);
    expect(await ok({ tree: [[[]]] })).toBe(false);
  });
});
