import { createGate, type Gate } from "../../src/dispatcher/gate.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import type { Approval } from "../../src/protocol/approval.ts";
import type { Call, ExecutionContext, Principal } from "../../src/protocol/call.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { sampleWorld, type SampleWorld } from "../../src/sample/world.ts";
import type { Tool } from "../../src/tools/tool.ts";

/** What is dispatched in one run of a benchmark. */
export interface BenchCall {
  readonly principal: Principal;
  readonly proposal: { readonly name: string; readonly arguments: Readonly<Record<string, string>> };
  readonly executionContext: ExecutionContext;
  readonly approvals: readonly Approval[];
}

/** The gate of a sample world, and calls for it that never collide. */
export interface BenchWorld {
  readonly gate: Gate;
  readonly world: SampleWorld;
  readonly tool: Tool;
  /** The n-th approved write, with a scope of its own. */
  readonly write: (n: number) => BenchCall;
  /** The n-th read of somebody else's order. */
  readonly foreignRead: (n: number) => BenchCall;
  /** Asks about the outcome that a package left in doubt, as the n-th query. */
  readonly ask: (call: BenchCall, unknown: ResultPackage, n: number) => Promise<ResultPackage>;
}

const PRINCIPAL: Principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
const NOW = 1_784_419_200;

/** A fresh world. */
export function benchWorld(): BenchWorld {
  const host = simulatedHost(NOW);
  const world = sampleWorld(host);
  const { tools, approvers } = world;
  const gate = createGate({ tools, approvers, host });
  const tool = gate.registry.find("create_refund_draft");
  const [approverId] = approvers;
  if (tool === null || approverId === undefined) throw new Error("the sample world has no tool that writes");
  return {
    gate,
    world,
    tool,
    write(n) {
      const call = {
        principal: PRINCIPAL,
        proposal: { name: tool.name, arguments: { order_ref: "ORDER-7", reason: "duplicate" } },
        executionContext: contextOf(`${n}`, `refund-${n}`),
      };
      return { ...call, approvals: [gate.approve({ ...call, approverId, lifeSeconds: 60 })] };
    },
    foreignRead: (n) => ({
      principal: PRINCIPAL,
      proposal: { name: "get_order", arguments: { order_ref: "ORDER-8" } },
      executionContext: contextOf(`${n}`, null),
      approvals: [],
    }),
    ask({ principal, proposal, executionContext }, unknown, n) {
      const { binding, downstream } = unknown.protected_audit;
      return gate.queryStatus({
        principal,
        proposal,
        executionContext: { ...executionContext, call_id: `ask-${n}` },
        statusRef: downstream.status_ref ?? "",
        expectedRequestSha256: binding.request_sha256,
      });
    },
  };
}

/** The call as digests and validation take it. */
export function flat({ proposal, executionContext }: BenchCall): Call {
  return { ...proposal, ...executionContext };
}

function contextOf(n: string, idempotencyKey: string | null): ExecutionContext {
  return {
    provider: "openai",
    api_family: "responses",
    response_id: `response-${n}`,
    call_id: `call-${n}`,
    operation_id: `operation-${n}`,
    idempotency_key: idempotencyKey,
    adapter_revision: "openai-responses-v1",
  };
}
