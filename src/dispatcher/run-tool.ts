import type { NotStartedCode } from "../errors/refusals.ts";
import { copyData } from "../json/copy.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { OperationEvent } from "../protocol/operation.ts";
import { copyAnswer } from "../tools/copy-answer.ts";
import type { Tool } from "../tools/tool.ts";
import type { ExecuteRequest } from "../tools/definition.ts";
import { notStartedCode } from "../tools/not-started.ts";
import { checkAccess, checkPrecondition, type CheckAnswer } from "./checks.ts";
import { diagnose, faultOfLateness, faultOfThrown } from "./diagnostic.ts";
import { leaseMs, type House } from "./house.ts";
import type { Answer, OperationRun } from "./operation-run.ts";
import { ledgerFailure, writeStart } from "./writing.ts";

const TOO_LATE: OperationEvent = { type: "tool.refused", code: "TIMEOUT_BEFORE_EXECUTE" };

/**
 * Looks once more at what may have changed, stores the start marker, then calls the tool. Up to the call everything is a
 * known no; from then on only what the tool says is known.
 * Errors: LEDGER_UNAVAILABLE where it is not known whether the marker is stored; nothing was called then.
 */
export async function runTool(house: House, run: OperationRun): Promise<Answer | "fenced"> {
  const { tool, now } = run.parts;
  if (run.hold === null) throw new TypeError("a tool is to run for an attempt that is not stored");
  // Only recovery meets a tool that is registered no more, or in other revisions only.
  if (tool === null) return { event: { type: "tool.refused", code: "TOOL_ERROR" } };
  const refusal = await refusalBeforeStart(house, run);
  if (refusal !== null) return refusal;
  const started = await writeStart(house, run.hold, now);
  switch (started.kind) {
    case "stored":
      run.isStored(started.hold, "executing");
      run.tellApproval(started.approvalSteps);
      break;
    case "approval.expired":
      return { event: { type: "tool.refused", code: "APPROVAL_INVALID" } };
    case "not_stored":
      return { event: { type: "tool.refused", code: "TOOL_ERROR" } };
    case "fenced":
      return "fenced";
    case "unclear":
      house.recoverAfter(leaseMs(house, tool));
      throw ledgerFailure(started.cause);
  }
  return { event: await call(house, run, tool) };
}

async function refusalBeforeStart(house: House, run: OperationRun): Promise<Answer | null> {
  if (run.parts.interruption.event !== null) return { event: TOO_LATE };
  if (!run.isRecovered) return null;
  const access = refusalOf(await checkAccess(house, run.parts), "NOT_FOUND");
  if (access !== null || run.parts.bound.risk !== "write") return access;
  return refusalOf(await checkPrecondition(house, run.parts), "BUSINESS_RULE_VIOLATION");
}

function refusalOf(said: CheckAnswer, code: NotStartedCode): Answer | null {
  if (said.kind === "granted") return null;
  if (said.kind === "interrupted") return { event: TOO_LATE };
  return { event: { type: "tool.refused", code }, ...(said.threw ? { failed: true } : {}) };
}

async function call({ onDiagnostic }: House, run: OperationRun, tool: Tool): Promise<OperationEvent> {
  const { bound, interruption } = run.parts;
  const { executionContext, facts, statusRef } = bound;
  const request: ExecuteRequest<JsonObject> = {
    arguments: copyData(run.parts.proposal.arguments) as JsonObject,
    principal: bound.principal,
    get signal() {
      return interruption.signal;
    },
    operationId: executionContext.operation_id,
    idempotencyKey: executionContext.idempotency_key,
    statusRef,
    requestSha256: facts.request_sha256,
    binding: { ...facts, status_ref: statusRef },
  };
  let isCalled = false;
  try {
    const raced = await interruption.race(() => {
      isCalled = true;
      return tool.execute(request);
    });
    if (raced.kind === "done") return { type: "tool.returned", answer: copyAnswer(raced.value) };
    // The deadline may have passed while the marker was being stored. As long as nothing was called, and this run holds
    // the attempt, it is still a known no.
    if (!isCalled) return TOO_LATE;
    diagnose(onDiagnostic, run.parts, () => faultOfLateness("execute", raced.event));
    return { type: "outcome.lost", answer: null };
  } catch (error) {
    const code = notStartedCode(error);
    if (code !== null) return { type: "tool.refused", code };
    diagnose(onDiagnostic, run.parts, () => faultOfThrown("execute", error));
    return { type: "tool.threw" };
  }
}
