import { describe, expect, it } from "vitest";
import { createGate } from "../../src/dispatcher/gate.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { sampleWorld } from "../../src/sample/world.ts";

const READ = {
  principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
  proposal: { name: "get_order", arguments: { order_ref: "ORDER-7" } },
  executionContext: {
    provider: "openai",
    api_family: "responses",
    adapter_revision: "openai-responses-v1",
    response_id: "response-1",
    call_id: "call-1",
    operation_id: "operation-1",
    idempotency_key: null,
  },
};

function gateWithIds(randomId: () => string) {
  const host = { ...simulatedHost(1_000), randomId };
  const { tools, approvers } = sampleWorld(simulatedHost(1_000));
  return createGate({ tools, approvers, host });
}

describe("ids of the host", () => {
  it.each([
    ["none", () => undefined],
    ["no text", () => 7],
    ["too short", () => "ab"],
    ["upper case", () => "A".repeat(32)],
    ["a line more", () => `${"a".repeat(32)}\n`],
    [
      "a throw",
      () => {
        throw new Error("no entropy");
      },
    ],
  ])("are refused when malformed: %s", async (_what, randomId) => {
    const dispatched = gateWithIds(randomId as () => string).dispatch(READ);
    await expect(dispatched).rejects.toMatchObject({ code: "RANDOMNESS_INVALID" });
  });

  it("are refused the second time: one run must not get the rights of another", async () => {
    const gate = gateWithIds(() => "a".repeat(32));
    await gate.dispatch(READ);
    const again = { ...READ, executionContext: { ...READ.executionContext, call_id: "call-2" } };
    await expect(gate.dispatch(again)).rejects.toMatchObject({ code: "RANDOMNESS_INVALID" });
  });
});
