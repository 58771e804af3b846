import { describe, expect, test } from "vitest";
import { approvalEngine } from "../../src/engine/approval.ts";
import { operationEngine } from "../../src/engine/operation.ts";
import { statusQueryEngine } from "../../src/engine/status-query.ts";
import { NOT_STARTED_CODES } from "../../src/errors/refusals.ts";
import type { OperationContext, OperationEvent, OperationState } from "../../src/protocol/operation.ts";
import type { StatusQueryContext, StatusQueryEvent, StatusQueryState } from "../../src/protocol/status-query.ts";
import {
  APPROVAL_SAMPLES,
  APPROVAL_START,
  BOUND,
  OPERATION_SAMPLES,
  OPERATION_START,
  RECORD,
  STATUS_QUERY_SAMPLES,
  STATUS_QUERY_START,
} from "./sample-events.ts";
import { holding, OPERATION_SUBJECT, STATUS_QUERY_SUBJECT } from "./subjects.ts";

const OPERATION_BOUND: OperationContext = { ...OPERATION_START, bound: BOUND };
const IN_DOUBT: OperationContext = { ...OPERATION_BOUND, refusal: "OUTPUT_CONTRACT_VIOLATION" };
const NO_ANSWER = { refusal: null, delivery: null, record: null };
const refusedWith = (refusal: string) => ({ refusal, delivery: null, record: null });

function operationAfter(
  state: OperationState,
  context: OperationContext,
  event: OperationEvent,
  held: readonly string[],
) {
  const step = operationEngine({ guards: holding(OPERATION_SUBJECT, held) }).step(state, context, event);
  if (step.kind !== "stepped") throw new TypeError(`${state} does not answer ${event.type}`);
  return step;
}

function queryAfter(
  state: StatusQueryState,
  context: StatusQueryContext,
  event: StatusQueryEvent,
  held: readonly string[],
) {
  const step = statusQueryEngine({ guards: holding(STATUS_QUERY_SUBJECT, held) }).step(state, context, event);
  if (step.kind !== "stepped") throw new TypeError(`${state} does not answer ${event.type}`);
  return step;
}

describe("the operation", () => {
  test.each([
    ["bound", [], NO_ANSWER],
    ["rejected", ["toolUnregistered"], refusedWith("UNKNOWN_TOOL")],
    ["rejected", ["argumentsMisfit"], refusedWith("INVALID_ARGUMENTS")],
    ["rejected", ["toolUnregistered", "argumentsMisfit"], refusedWith("UNKNOWN_TOOL")],
  ])("is bound on its way to %s when %j hold", (to, held, answer) => {
    const step = operationAfter("proposed", OPERATION_START, OPERATION_SAMPLES["host.bound"], held);
    expect(step.to).toBe(to);
    expect(step.context).toEqual({ ...OPERATION_START, bound: BOUND, ...answer });
  });

  test.each(["authorized", "approved"] as const)("replays from %s the record it is shown", (state) => {
    const { context } = operationAfter(state, OPERATION_BOUND, OPERATION_SAMPLES["scope.settled"], ["matchesSettled"]);
    expect(context).toEqual({ ...OPERATION_BOUND, refusal: null, delivery: "local_replay", record: RECORD });
  });

  test("keeps of a fresh answer what a replay will repeat", () => {
    const { context } = operationAfter("executing", OPERATION_BOUND, OPERATION_SAMPLES["tool.returned"], [
      "outputFits",
    ]);
    expect(context).toMatchObject({ refusal: null, delivery: "fresh" });
    expect(context.record).toEqual({
      data: { draft_id: "DRAFT-2", order_ref: "ORDER-7", reason: "damaged" },
      source_label: "refunds",
      producer_revision: "refunds-mock-v2",
      resource_revision: null,
      observed_at: "2026-07-19T00:00:02Z",
      request_id: "refund-request-2",
      receipt_id: "refund-receipt-2",
    });
  });

  test.each(NOT_STARTED_CODES)("is refused as it is told: %s", (code) => {
    const { context } = operationAfter("executing", OPERATION_BOUND, { type: "tool.refused", code }, []);
    expect(context).toEqual({ ...OPERATION_BOUND, ...refusedWith(code) });
  });

  test("loses its doubt, and takes its record from the receipt, when it is reconciled", () => {
    const { context } = operationAfter("querying", IN_DOUBT, OPERATION_SAMPLES["receipt.found"], ["receiptMatches"]);
    expect(context).toMatchObject({ refusal: null, delivery: "receipt_reconciled" });
    expect(context.record).toMatchObject({ data: { draft_id: "DRAFT-3" }, resource_revision: "draft-3-r1" });
    expect(context.record).not.toHaveProperty("binding");
  });

  test.each([
    ["unknown", OPERATION_SAMPLES["status.queried"], ["queryMatches"], "querying"],
    ["unknown", OPERATION_SAMPLES["status.queried"], [], "unknown"],
    ["querying", OPERATION_SAMPLES["receipt.absent"], [], "unknown"],
    ["querying", OPERATION_SAMPLES["receipt.unavailable"], [], "unknown"],
  ] as const)("keeps the code it is in doubt with from %s on %o with %j", (state, event, held, to) => {
    const step = operationAfter(state, IN_DOUBT, event, held);
    expect(step.to).toBe(to);
    expect(step.context).toBe(IN_DOUBT);
  });

  test("tells a query that does not match so, and stores nothing of it", () => {
    const step = operationAfter("unknown", IN_DOUBT, OPERATION_SAMPLES["status.queried"], []);
    expect(step.effects).toEqual([{ type: "declineQuery", params: { code: "STATUS_CONFLICT" } }]);
  });

  test.each([
    ["refuse", "executing", OPERATION_SAMPLES["tool.threw"]],
    ["refuseAsTold", "executing", OPERATION_SAMPLES["tool.refused"]],
  ] as const)("leaves nothing of a success behind by %s in %s", (_change, state, event) => {
    const succeeded: OperationContext = { ...OPERATION_BOUND, delivery: "fresh", record: RECORD };
    expect(operationAfter(state, succeeded, event, []).context).toMatchObject({ delivery: null, record: null });
  });

  test("says what contradicted it when a receipt did", () => {
    const { context } = operationAfter("querying", IN_DOUBT, OPERATION_SAMPLES["receipt.found"], []);
    expect(context).toEqual({ ...OPERATION_BOUND, ...refusedWith("STATUS_CONFLICT") });
  });
});

describe("the status query", () => {
  const bound: StatusQueryContext = { ...STATUS_QUERY_START, bound: BOUND };

  test.each([
    ["bound", [], NO_ANSWER],
    ["rejected", ["toolUnregistered"], refusedWith("UNKNOWN_TOOL")],
    ["rejected", ["argumentsMisfit"], refusedWith("INVALID_ARGUMENTS")],
  ])("is bound on its way to %s when %j hold", (to, held, answer) => {
    const step = queryAfter("proposed", STATUS_QUERY_START, STATUS_QUERY_SAMPLES["host.bound"], held);
    expect(step.to).toBe(to);
    expect(step.context).toEqual({ ...STATUS_QUERY_START, bound: BOUND, ...answer });
  });

  test.each([
    ["owner.reconciled", "receipt_reconciled"],
    ["owner.settled", "local_replay"],
  ] as const)("answers on %s with the owner's record", (type, delivery) => {
    const { context } = queryAfter("asking", bound, STATUS_QUERY_SAMPLES[type], ["recordMatches"]);
    expect(context).toEqual({ ...bound, refusal: null, delivery, record: RECORD });
  });

  test.each([
    ["proposed", "rejected", "TIMEOUT_BEFORE_EXECUTE"],
    ["bound", "rejected", "TIMEOUT_BEFORE_EXECUTE"],
    ["identified", "answered", "OUTCOME_UNKNOWN"],
    ["authorized", "answered", "OUTCOME_UNKNOWN"],
  ] as const)("is out of time in %s", (state, to, code) => {
    for (const type of ["deadline.passed", "call.cancelled"] as const) {
      const step = queryAfter(state, bound, STATUS_QUERY_SAMPLES[type], []);
      expect(step).toMatchObject({ to, context: refusedWith(code) });
    }
  });
});

describe("the approval", () => {
  test("keeps who decided, and who holds it while it is held", () => {
    const engine = approvalEngine();
    const decision = { approvalId: "approval-1", approverId: "human-reviewer-1", expiresAt: 1_784_419_260 };
    const held = { ...decision, holder: APPROVAL_SAMPLES["grant.reserved"].holder };
    const free = { ...decision, holder: null };
    const life = [
      ["request.granted", "granted", free],
      ["grant.reserved", "reserved", held],
      ["grant.released", "granted", free],
      ["grant.reserved", "reserved", held],
      ["grant.consumed", "consumed", held],
      ["grant.released", "granted", free],
      ["grant.voided", "voided", free],
    ] as const;
    let { state, context } = engine.initial(APPROVAL_START);
    for (const [type, to, after] of life) {
      const step = engine.step(state, context, APPROVAL_SAMPLES[type]);
      expect(step).toMatchObject({ kind: "stepped", to, effects: [] });
      if (step.kind !== "stepped") return;
      expect(step.context).toEqual(after);
      ({ to: state, context } = step);
    }
  });
});
