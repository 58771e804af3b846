import { describe, expect, test } from "vitest";
import { createGate } from "../../src/dispatcher/gate.ts";
import type { Diagnostic } from "../../src/dispatcher/diagnostic.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { NOT_STARTED_BY_TOOL, NotStarted, notStartedCode } from "../../src/tools/not-started.ts";

const NOTHING = { type: "object", properties: {}, required: [], additionalProperties: false } as const;
const revisions = { inputSchema: "i", outputSchema: "o", effect: "e", handler: "h", producer: "p", policy: "y" };

/** What a caller without types can write. */
const untyped = NotStarted as new (...given: readonly unknown[]) => NotStarted;

/** Dispatches an approved call of a tool that throws what is made inside it. */
async function answerTo(thrown: () => unknown) {
  const diagnostics: Diagnostic[] = [];
  const tool = defineTool({
    name: "charge_card",
    description: "Charges a card.",
    risk: "write",
    inputSchema: NOTHING,
    outputSchema: NOTHING,
    revisions,
    sourceLabel: "cards",
    deadlineMs: 1_000,
    authorize: () => true,
    execute: () => {
      throw thrown();
    },
    queryReceipt: () => null,
  });
  const gate = createGate({ tools: [tool], approvers: ["grace"], onDiagnostic: (told) => diagnostics.push(told) });
  const call = {
    principal: { tenant_id: "acme", subject_id: "ada", roles: [] },
    proposal: { name: "charge_card", arguments: {} },
    executionContext: {
      ...PROFILES[0],
      response_id: "resp_1",
      call_id: "call_1",
      operation_id: "order 7",
      idempotency_key: "charge-order-7",
    },
  };
  const approval = gate.approve({ ...call, approverId: "grace", lifeSeconds: 60 });
  const { model_result } = await gate.dispatch({ ...call, approvals: [approval] });
  const again = await gate.dispatch({ ...call, approvals: [approval] });
  await gate.close();
  return { code: model_result.error?.code, again: again.model_result.error?.code, diagnostics };
}

describe("NotStarted", () => {
  test.each(NOT_STARTED_BY_TOOL)(
    "with %s is a known no: the same approval lets the call be tried again",
    async (code) => {
      const cause = new Error("the card was declined");
      const notStarted = new NotStarted(code, { cause });
      expect([notStarted.code, notStarted.cause, notStarted.message]).toEqual([
        code,
        cause,
        expect.stringContaining(code),
      ]);
      expect(notStartedCode(notStarted)).toBe(code);
      expect(await answerTo(() => notStarted)).toMatchObject({ code, again: code });
    },
  );

  test.each([["card declined"], ["NOT_FOUND"], ["OUTCOME_UNKNOWN"], ["toString"], [["RATE_LIMIT"]], [undefined], [7]])(
    "is not made with %j",
    (given) => {
      expect(() => new untyped(given)).toThrow(TypeError);
      expect(() => new untyped(given)).toThrow("NotStarted takes a code, RATE_LIMIT, TOOL_ERROR");
    },
  );

  test("that could not be made leaves a write unknown, and the host is told why", async () => {
    const { code, again, diagnostics } = await answerTo(() => new untyped("card declined"));
    expect([code, again]).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.problems[0]?.problem).toContain("TypeError: NotStarted takes a code");
  });
});
