import { describe, expect, test } from "vitest";
import { createGate } from "../../src/dispatcher/gate.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { APPROVER, dispatchRequest, START_SECONDS, told } from "./world.ts";

/** A gate over one tool that writes, and answers what it is told to. */
function gateThatAnswers(say: () => JsonObject) {
  const tree = {
    type: ["object", "array", "string", "number", "null"],
    additionalProperties: { $ref: "#/$defs/tree" },
    items: { $ref: "#/$defs/tree" },
  };
  const tool = defineTool({
    name: "write_note",
    description: "Answers anything.",
    risk: "write",
    inputSchema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
    outputSchema: { type: "object", properties: { tree: { $ref: "#/$defs/tree" } }, $defs: { tree } } as never,
    revisions: { inputSchema: "i", outputSchema: "o", effect: "e", handler: "h", producer: "p", policy: "y" },
    sourceLabel: "notes",
    limits: { outputBytes: 100_000_000, outputDepth: 100 },
    deadlineMs: 100,
    authorize: () => true,
    execute: () => ({
      ...{ output: say() as never, producerRevision: "p", resourceRevision: null, observedAt: "2026-01-02T03:04:05Z" },
      ...{ requestId: null, receiptId: null },
    }),
    unsafeNoReceipt: true,
  });
  const gate = createGate({ tools: [tool], approvers: [APPROVER], host: simulatedHost(START_SECONDS) });
  return {
    dispatch: (id: string) => gate.dispatch(dispatchRequest(gate, { id }, START_SECONDS)),
  };
}

function nested(levels: number, make: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = "leaf";
  for (let level = 0; level < levels; level += 1) value = make(value);
  return value;
}

describe("an output at the limit of what can be hashed is kept, stored and replayed", () => {
  // The result is the root, its data stands at level 1, `tree` at 2: 30 more levels reach 32.
  const inside: Readonly<Record<string, () => JsonValue>> = {
    "lists as deep as can be": () => nested(30, (inner) => [inner]),
    "objects as deep as can be": () => nested(30, (inner) => ({ inner })),
    "a list as long as can be": () => Array.from({ length: 1_024 }, (_, index) => index),
    "a text as long as can be": () => "😀".repeat(65_536),
    "megabytes of texts": () => Array.from({ length: 64 }, (_, index) => String(index).padEnd(65_536, "x")),
    "the largest and the smallest numbers": () => [Number.MAX_VALUE, Number.MIN_VALUE, -0, 2 ** 53, 1e21],
  };
  test.each(Object.keys(inside))("%s", async (what) => {
    const { dispatch } = gateThatAnswers(() => ({ tree: inside[what]?.() ?? null }));
    const first = await dispatch("call-1");
    expect(told(first)).toBe("OK fresh");
    const second = await dispatch("call-2");
    expect(told(second)).toBe("OK local_replay");
    expect(JSON.stringify(second.model_result.data)).toBe(JSON.stringify(first.model_result.data));
  });

  const outside: Readonly<Record<string, () => JsonValue>> = {
    "lists one level deeper": () => nested(31, (inner) => [inner]),
    "objects one level deeper": () => nested(31, (inner) => ({ inner })),
    "a list one longer": () => Array.from({ length: 1_025 }, (_, index) => index),
    "a text one longer": () => "😀".repeat(65_537),
    "a name too long": () => ({ ["x".repeat(65_537)]: 1 }),
  };
  test.each(Object.keys(outside))("and not beyond: %s", async (what) => {
    const { dispatch } = gateThatAnswers(() => ({ tree: outside[what]?.() ?? null }));
    expect(told(await dispatch("call-1"))).toBe("OUTPUT_CONTRACT_VIOLATION");
    expect(told(await dispatch("call-2"))).toBe("OUTCOME_UNKNOWN");
  });
});
