import { expect } from "vitest";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { changed } from "../model/sample-facts.ts";
import type { Step } from "../model/steps.ts";
import type { Behind } from "./faulty-behaviour.ts";
import type { Performed } from "./gate-under-test.ts";
import { MARK } from "./misbehaviour.ts";

/**
 * Watches over one world, from its beginning, for what must hold whatever happens, beside what the model predicts.
 * Errors: what it returns asserts on whatever came of a step.
 */
export function watch(behind: Behind): (performed: Performed) => void {
  const settled = new Map<string, unknown>();
  return ({ package: result, errors }) => {
    expect(errors, "a package is valid").toEqual([]);
    expect(Math.max(0, ...behind.runsInScope.values()), "runs in one scope").toBeLessThanOrEqual(1);
    if (result === null) return;
    expect(leaks(result), "parts of the audit, of errors or of refused output that a model can read").toEqual([]);
    const { status_ref } = result.protected_audit.downstream;
    if (status_ref === null || result.model_result.status !== "succeeded") return;
    expect(lasting(result), "what is repeated").toEqual(settled.get(status_ref) ?? lasting(result));
    expect(lasting(result), "what was committed").toEqual(asLasting(behind, status_ref));
    settled.set(status_ref, lasting(result));
  };
}

/**
 * Watches, where nothing overlaps, that an outcome in doubt is settled by a status query and its receipt only.
 * Errors: what it returns asserts on whatever came of a step.
 */
export function watchDoubt(): (step: Step, performed: Performed) => void {
  const inDoubt = new Set<string>();
  return (step, { package: result }) => {
    const statusRef = result?.protected_audit.downstream.status_ref ?? null;
    if (result === null || statusRef === null) return;
    const { status, error, execution } = result.model_result;
    // A refused query says that nothing was found out, not that there is a doubt.
    if (error?.code === "OUTCOME_UNKNOWN" || error?.code === "OUTPUT_CONTRACT_VIOLATION") inDoubt.add(statusRef);
    if (status !== "succeeded" || !inDoubt.delete(statusRef)) return;
    expect([step.kind, execution.delivery], "what ends a doubt").toEqual(["query", "receipt_reconciled"]);
  };
}

/** What every replay and reconciliation repeats. */
function lasting({ model_result, protected_audit }: ResultPackage): unknown {
  return { data: model_result.data, provenance: model_result.provenance, downstream: protected_audit.downstream };
}

function asLasting(behind: Behind, status_ref: string): unknown {
  const draft = behind.committed.get(status_ref);
  return {
    data: draft?.output,
    provenance: {
      source_label: "refunds",
      producer_revision: draft?.producerRevision,
      resource_revision: draft?.resourceRevision,
      observed_at: draft?.observedAt,
      trust: "untrusted_data",
    },
    downstream: { request_id: draft?.requestId, receipt_id: draft?.receiptId, status_ref },
  };
}

/** Texts of the audit that are no secret: a model result has them too. */
const SHARED = new Set(["orders-mock-v2", "refunds-mock-v2", changed("refunds-mock-v2")]);

function leaks({ model_result, protected_audit }: ResultPackage): string[] {
  const readable = JSON.stringify(model_result);
  const { tool_contract: _, visibility: __, schema_version: ___, ...secret } = protected_audit;
  return [MARK, ...textsIn(secret)].filter((text) => !SHARED.has(text) && readable.includes(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
