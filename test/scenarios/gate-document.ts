import { readGateModule, type ReadGateModule } from "../../src/dispatcher/read-gate-module.ts";
import type { GateDefinition, ScenarioClock } from "../../src/dispatcher/gate-module.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { edited, type Edits } from "./edited.ts";

/** Services of the counters below. */
export interface Counters {
  readonly counts: Map<string, number>;
  readonly start: number;
  readonly clock: ScenarioClock;
  isDown: boolean;
  isSilent: boolean;
  isClosed: boolean;
}

const DEADLINE_MS = 1_000;

function counter(name: "count" | "tally", resolve: () => Counters) {
  return defineTool({
    name,
    description: "Counts.",
    risk: "write",
    inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: { value: { type: "integer" } },
      required: ["value"],
      additionalProperties: false,
    },
    revisions: {
      inputSchema: "in-1",
      outputSchema: "out-1",
      effect: "effect-1",
      handler: "handler-1",
      producer: "counter-1",
      policy: "policy-1",
    },
    sourceLabel: "counters",
    deadlineMs: DEADLINE_MS,
    unsafeNoReceipt: true,
    authorize: () => true,
    execute: async () => {
      const services = resolve();
      if (services.isDown) throw new NotStarted("TOOL_ERROR");
      const value = (services.counts.get(name) ?? services.start) + 1;
      services.counts.set(name, value);
      if (services.isSilent) return new Promise<never>(() => undefined);
      return {
        output: { value },
        producerRevision: "counter-1",
        resourceRevision: null,
        observedAt: "2026-07-19T00:00:00Z",
        requestId: null,
        receiptId: "receipt",
      };
    },
  });
}

/** A gate of two counters. Worlds share nothing; `opened` has all that were opened. */
export function counterGate(opened: Counters[] = []): GateDefinition<Counters> {
  return {
    approvers: ["reviewer-1"],
    resolver: () => {
      throw new Error("the real services are not for scenarios");
    },
    tools: (resolve) => [counter("count", resolve), counter("tally", resolve)],
    scenarios: {
      worlds: {
        counters: ({ parameters, clock }) => {
          const start = Number(parameters["start"] ?? 0);
          const world = { counts: new Map(), start, clock, isDown: false, isSilent: false, isClosed: false };
          opened.push(world);
          return world;
        },
      },
      faults: {
        down: (services) => {
          services.isDown = true;
          return () => {
            services.isDown = false;
          };
        },
        down_for_good: (services) => {
          services.isDown = true;
        },
        silent: (services) => {
          services.isSilent = true;
        },
      },
      approvals: {
        by_a_stranger: ({ approvalBy }) => [approvalBy("stranger-1")],
        a_bad_and_a_good_one: ({ approvalBy, now }) => [
          { ...approvalBy("reviewer-1"), expires_at: now },
          approvalBy("reviewer-1"),
        ],
      },
      sideEffects: ({ counts, start }) => Object.fromEntries([...counts].map(([name, count]) => [name, count - start])),
      close: (services) => {
        services.isClosed = true;
      },
    },
  };
}

/** The module of a definition, with other scenario members where they are given. */
export function moduleOf(definition: object, scenarios: object = {}): ReadGateModule {
  const given = "scenarios" in definition ? (definition.scenarios as object) : {};
  return readGateModule({ ...definition, scenarios: { ...given, ...scenarios } });
}

/** A valid document: one case of one call of `count`. */
export function gateDocument(): object {
  return {
    schema_version: "callgate-scenarios-v1",
    contract: { model_result: "tool-model-result-v2", protected_audit: "tool-audit-v2" },
    cases: [
      {
        id: "counted",
        principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
        world: { name: "counters", parameters: { start: 4 } },
        steps: [gateStep("first")],
      },
    ],
  };
}

/** A valid step, with other members where they are given. */
export function gateStep(id: string, members: object = {}): object {
  return {
    step_id: id,
    action: "dispatch",
    proposal: { name: "count", arguments: {} },
    execution_context: {
      provider: "openai",
      api_family: "responses",
      response_id: "turn-1",
      call_id: `call-${id}`,
      operation_id: "operation-1",
      idempotency_key: `key-${id}`,
      adapter_revision: "openai-responses-v1",
    },
    approval: "valid",
    now: 1_000,
    faults: [],
    status_ref_from: null,
    expected: {
      code: "OK",
      status: "succeeded",
      outcome: "committed",
      recovery: "none",
      delivery: "fresh",
      data: { value: 5 },
      side_effects: { count: 1 },
    },
    ...members,
  };
}

/** What a query of a step comes to that cannot be asked about. */
export const NOT_FOUND = {
  code: "NOT_FOUND",
  status: "failed",
  outcome: "not_started",
  recovery: "none",
  delivery: "fresh",
  data: null,
};

/** The document with other values in their places. */
export function gateDocumentWith(edits: Edits): object {
  return edited(gateDocument(), edits);
}
