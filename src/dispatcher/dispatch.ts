import { buildError, buildSuccess } from "../packages/build.ts";
import type { ResultPackage } from "../protocol/result.ts";
import { bindCall } from "./bind.ts";
import { drive, type Driven } from "./drive.ts";
import { newAttemptId, readClock, runClock, UNREGISTERED_DEADLINE_MS, type House } from "./house.ts";
import { Interruption } from "./interruption.ts";
import { OperationRun } from "./operation-run.ts";
import type { ReadDispatch } from "./request.ts";

/** Takes one call through the operation machine. Errors: a host error; nothing else is thrown. */
export async function dispatch(house: House, call: ReadDispatch): Promise<ResultPackage> {
  const { proposal, presented, approvals, signal } = call;
  const startedAt = readClock(house.host);
  const tool = house.registry.find(proposal.name);
  const bound = bindCall(call, tool, "dispatch");
  const attemptId = newAttemptId(house.host);
  const interruption = new Interruption(house.host, tool?.deadlineMs ?? UNREGISTERED_DEADLINE_MS, signal);
  const now = runClock(house.host, startedAt);
  const run = new OperationRun(
    house,
    { attemptId, tool, bound, proposal, presented, approvals, interruption, now },
    house.operation.initial({ proposal, bound: null, refusal: null, delivery: null, record: null }),
  );
  try {
    return packageOf(run, await drive(house, run, { event: { type: "host.bound", bound } }), startedAt);
  } finally {
    interruption.end();
    if (run.hasWaited && bound.scope !== null) house.ledger.leaveScope(bound.scope, attemptId);
  }
}

function packageOf(run: OperationRun, driven: Driven, observedAtSeconds: number): ResultPackage {
  const { bound } = run.parts;
  const { delivery, record, refusal } = run.context;
  const { statusRef } = bound;
  if (driven === "outcome_unknown") return buildError({ bound, code: "OUTCOME_UNKNOWN", statusRef, observedAtSeconds });
  if (delivery !== null && record !== null)
    return buildSuccess({ bound, record, delivery, downstreamStatusRef: statusRef });
  if (refusal === null) throw new TypeError(`a run rests in ${run.state} without an answer`);
  return buildError({ bound, code: refusal, statusRef, observedAtSeconds });
}
