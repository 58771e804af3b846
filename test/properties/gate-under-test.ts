import { createGate, type Gate } from "../../src/dispatcher/gate.ts";
import type { InterpreterName } from "../../src/protocol/interpreter.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { memoryLedger } from "../../src/ledger/memory/memory-ledger.ts";
import type { ValidationError } from "../../src/packages/validation-error.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { ELIGIBLE_APPROVER, ORDERS } from "../model/sample-facts.ts";
import type { DispatchStep, QueryStep, Registered, Step } from "../model/steps.ts";
import type { Answer } from "../model/world.ts";
import { type Behind, during } from "./faulty-behaviour.ts";
import { FAULTY_TOOLS } from "./faulty-tools.ts";
import { realApprovals, realQuestion, realStatusRef } from "./real-values.ts";

/** Longer than any deadline here, shorter than any lease. Units: milliseconds. */
const BEYOND_DEADLINES_MS = 1_000;

/** What came of a step. Shape: a package unless the host was at fault, and nothing for a change of an order. */
export interface Performed {
  /** In the words of the model, but with the real status_ref. */
  readonly told: Answer | null;
  readonly package: ResultPackage | null;
  readonly errors: readonly ValidationError[];
}

/** The product's gate over a faulty world, driven by steps of the model. */
export interface GateUnderTest {
  readonly behind: Behind;
  setNow(seconds: number): void;
  perform(step: Step, signal?: AbortSignal): Promise<Performed>;
  close(): Promise<void>;
}

/** Opens a gate over a fresh world. */
export function openGate(interpreter: InterpreterName, pause: Behind["pause"]): GateUnderTest {
  const host = simulatedHost(1000);
  const behind: Behind = {
    orders: new Map(),
    runsInScope: new Map(),
    attempted: new Map(),
    committed: new Map(),
    receipts: new Set(),
    runs: 0,
    passDeadlines: () => {
      host.advance(BEYOND_DEADLINES_MS);
    },
    pause,
  };
  for (const [ref, [tenant, subject]] of Object.entries(ORDERS)) {
    behind.orders.set(ref, { tenant, subject, status: "paid" });
  }
  const ledger = memoryLedger(host);
  const gates = new Map<Registered, Gate>();
  // Each registry has a gate of its own over the one ledger, as before and after a change of the tools.
  const gateOf = (registered: Registered): Gate => {
    const known = gates.get(registered);
    if (known !== undefined) return known;
    const tools = FAULTY_TOOLS[registered];
    const gate = createGate({ tools, approvers: [ELIGIBLE_APPROVER], ledger, host, interpreter });
    gates.set(registered, gate);
    return gate;
  };

  const ask = (step: DispatchStep | QueryStep, signal: AbortSignal | undefined): Promise<ResultPackage> => {
    const { principal, proposal, context: executionContext, registered } = step;
    const request = { principal, proposal, executionContext, signal };
    return step.kind === "dispatch"
      ? gateOf(registered).dispatch({ ...request, approvals: realApprovals(step) })
      : gateOf(registered).queryStatus({ ...request, ...realQuestion(step) });
  };

  const perform = async (step: Step, signal?: AbortSignal): Promise<Performed> => {
    if (step.kind === "order") {
      const { orderRef, status, subject } = step;
      const order = behind.orders.get(orderRef);
      if (order !== undefined) behind.orders.set(orderRef, { ...order, status, subject });
      return { told: null, package: null, errors: [] };
    }
    try {
      const result = await during(behind, step, () => ask(step, signal));
      const call = { ...step.proposal, ...step.context };
      const errors = gateOf(step.registered).validateResult({ principal: step.principal, call, package: result });
      return { told: inModelWords(result, behind.runs), package: result, errors };
    } catch (error) {
      if (!(error instanceof CallgateError) || error.code === "INTERNAL") throw error;
      return { told: "host error", package: null, errors: [] };
    }
  };
  return {
    behind,
    setNow: (seconds) => {
      host.setNow(seconds);
    },
    perform,
    close: async () => {
      await Promise.all(Array.from(gates.values(), (gate) => gate.close()));
    },
  };
}

function inModelWords({ model_result, protected_audit }: ResultPackage, runs: number): Answer {
  const { status, error, data, execution } = model_result;
  return {
    code: error?.code ?? "OK",
    status,
    outcome: execution.outcome,
    recovery: error?.recovery ?? "none",
    delivery: execution.delivery,
    data,
    sideEffectCount: runs,
    statusRef: protected_audit.downstream.status_ref,
  };
}

/** A prediction with the status_ref that its handle stands for. */
export function withRealRef(predicted: Answer | null): Answer | null {
  if (predicted === null || predicted === "host error" || predicted.statusRef === null) return predicted;
  return { ...predicted, statusRef: realStatusRef(predicted.statusRef) };
}
