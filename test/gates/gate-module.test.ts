import { describe, expect, test } from "vitest";
import { defineGate, openGate } from "../../src/dispatcher/open-gate.ts";
import { readGateModule } from "../../src/dispatcher/read-gate-module.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { counterGate, type Counters } from "../scenarios/gate-document.ts";

const [TOOL] = sampleWorld(simulatedHost(0)).tools;
const SCENARIOS = { worlds: { one: () => ({}) }, sideEffects: () => ({}) };
const GATE = { tools: [TOOL], approvers: ["reviewer-1"], scenarios: SCENARIOS };

function problemOf(definition: unknown): { code: string; detail: string } | null {
  try {
    readGateModule(definition);
    return null;
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return { code: error.code, detail: error.detail ?? "" };
  }
}

test.each<[string, object]>([
  ["tools alone", { tools: [TOOL], approvers: [] }],
  ["tools made with services", { tools: () => [TOOL], approvers: [], resolver: () => ({}) }],
  ["scenarios", GATE],
])("a gate of %s is one", (_name, definition) => {
  expect(problemOf(definition)).toBeNull();
});

describe("what is no gate", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "the gate is an object of `tools`, `resolver`, `close`, `approvers`, `scenarios`"],
    ["a list", [], "the gate is an object of"],
    ["another member", { ...GATE, tool: 1 }, "the gate has no member `tool`"],
    ["no tools", { approvers: [] }, "`tools` is a list of what `defineTool` made"],
    ["one tool, and no list", { ...GATE, tools: TOOL }, "`tools` is a list of what `defineTool` made"],
    ["no approvers", { tools: [TOOL] }, "`approvers` is a list of ids"],
    ["a blank approver", { ...GATE, approvers: [" "] }, "`approvers` is a list of ids"],
    ["approvers in a text", { ...GATE, approvers: "grace" }, "`approvers` is a list of ids"],
    ["tools that need services, and none", { ...GATE, tools: () => [TOOL] }, "`resolver` is missing"],
    ["a close that is no function", { ...GATE, resolver: () => 1, close: 1 }, "`close` is a function"],
    ["a close of nothing", { ...GATE, close: () => 1 }, "`close` lets go of what `resolver` opened, and there is none"],
    ["a resolver that is no function", { ...GATE, resolver: {} }, "`resolver` is a function"],
    ["scenarios that are no object", { ...GATE, scenarios: 1 }, "`scenarios` is an object of"],
    ["no worlds", { ...GATE, scenarios: { ...SCENARIOS, worlds: {} } }, "`scenarios.worlds` is missing"],
    ["a world that is no function", { ...GATE, scenarios: { ...SCENARIOS, worlds: { a: 1 } } }, "`scenarios.worlds.a`"],
    [
      "worlds in a list",
      { ...GATE, scenarios: { ...SCENARIOS, worlds: [] } },
      "`scenarios.worlds` is an object of functions",
    ],
    ["a blank fault", { ...GATE, scenarios: { ...SCENARIOS, faults: { " ": () => 1 } } }, "`scenarios.faults. `"],
    ["no effects", { ...GATE, scenarios: { worlds: SCENARIOS.worlds } }, "`scenarios.sideEffects` is missing"],
    ["close that is no function", { ...GATE, scenarios: { ...SCENARIOS, close: 1 } }, "`scenarios.close`"],
    [
      "another scenario member",
      { ...GATE, scenarios: { ...SCENARIOS, world: 1 } },
      "`scenarios` has no member `world`",
    ],
    [
      "an approval that every gate has",
      { ...GATE, scenarios: { ...SCENARIOS, approvals: { valid: () => [] } } },
      "`scenarios.approvals.valid` is what every gate has",
    ],
    [
      "tools that fail to be made",
      { ...GATE, resolver: () => 1, tools: () => TOOL },
      "`tools` returned something else",
    ],
    [
      "tools that ask too early",
      { ...GATE, resolver: () => ({}), tools: (resolve: () => object) => [resolve()] },
      "`tools` calls `resolve` while the tools are made",
    ],
    [
      "a getter that throws",
      {
        get tools() {
          throw new RangeError("secret");
        },
      },
      "it threw RangeError while it was read",
    ],
  ])("%s", (_name, definition, detail) => {
    const problem = problemOf(definition);
    expect(problem?.code).toBe("GATE_FILE_INVALID");
    expect(problem?.detail).toContain(detail);
    expect(problem?.detail).not.toContain("secret");
  });

  test("everything that is wrong is said at once", () => {
    const detail = problemOf({ approvers: 1, resolver: 1 })?.detail ?? "";
    expect(["`tools`", "`resolver`", "`approvers`"].filter((name) => detail.includes(name))).toHaveLength(3);
  });

  test.each<[string, object]>([
    ["in a list", { tools: [TOOL, { ...TOOL }, null] }],
    ["by a function", { resolver: () => 1, tools: () => [TOOL, { ...TOOL }, null] }],
  ])("what was not defined is told as the tools' own, all of it: %s", (_name, changes) => {
    expect(problemOf({ ...GATE, ...changes })).toEqual({
      code: "TOOL_INVALID",
      detail: [1, 2].map((index) => `it was not made by \`defineTool\` (at tools/${index}): define it`).join("; "),
    });
  });

  test("two tools of one name are refused as ever", () => {
    expect(() => defineGate({ tools: () => [TOOL, TOOL] as never, resolver: () => ({}), approvers: [] })).toThrow(
      CallgateError,
    );
  });
});

test("defining a gate opens nothing; opening it asks the resolver once, and waits for it", async () => {
  let opened = 0;
  const gate = defineGate<Counters>({
    ...counterGate(),
    resolver: async () => {
      opened += 1;
      const counts = new Map<string, number>();
      return { counts, start: 0, clock: simulatedHost(0), isDown: false, isSilent: false, isClosed: false };
    },
  });
  expect(opened).toBe(0);
  const open = await openGate(gate, { host: simulatedHost(1_000) });
  const call = {
    principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
    proposal: { name: "count", arguments: {} },
    executionContext: {
      ...{ provider: "openai", api_family: "responses", adapter_revision: "openai-responses-v1" },
      ...{ response_id: "turn-1", call_id: "call-1", operation_id: "operation-1", idempotency_key: "key-1" },
    },
  };
  const approval = open.approve({ ...call, approverId: "reviewer-1", lifeSeconds: 60 });
  const { model_result } = await open.dispatch({ ...call, approvals: [approval] });
  expect([model_result.data, opened]).toEqual([{ value: 1 }, 1]);
  await open.close();
});

test("the options of a gate are checked as ever", async () => {
  await expect(openGate(counterGate(), { interpreter: "table", leaseGraceMs: -1 })).rejects.toThrow(/real services/);
  await expect(openGate({ tools: [], approvers: [] }, { leaseGraceMs: -1 })).rejects.toMatchObject({
    code: "GATE_OPTIONS_INVALID",
  });
});

describe("what a resolver opened", () => {
  const opening = () => {
    const seen: string[] = [];
    const definition = defineGate({
      tools: [],
      approvers: [],
      resolver: () => {
        seen.push("opened");
        return seen;
      },
      close: async (services) => {
        await Promise.resolve();
        services.push("closed");
      },
    });
    return { seen, definition };
  };

  test("is let go of once, when its gate is closed", async () => {
    const { seen, definition } = opening();
    const gate = await openGate(definition);
    expect(seen).toEqual(["opened"]);
    await Promise.all([gate.close(), gate.close()]);
    await gate.close();
    expect(seen).toEqual(["opened", "closed"]);
    await expect(gate.recover()).rejects.toMatchObject({ code: "GATE_CLOSED" });
  });

  test("is let go of where no gate comes of it", async () => {
    const { seen, definition } = opening();
    await expect(openGate(definition, { leaseGraceMs: -1 })).rejects.toMatchObject({ code: "GATE_OPTIONS_INVALID" });
    expect(seen).toEqual(["opened", "closed"]);
  });
});
