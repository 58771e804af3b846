import type { StatusQueryStep } from "../engine/status-query.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { JournalStep } from "../ledger/journal.ts";
import type { OwnerView } from "../ledger/ledger.ts";
import { parseKept } from "../json/parse.ts";
import { buildError, buildSuccess } from "../packages/build.ts";
import type { Proposal } from "../protocol/call.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import { STATUS_QUERY_EFFECTS, type StatusQueryEffect } from "../protocol/effects.ts";
import type { AttemptId, ScopeKey } from "../protocol/ids.ts";
import type { ResultPackage } from "../protocol/result.ts";
import type { StatusQueryContext, StatusQueryEvent, StatusQueryState } from "../protocol/status-query.ts";
import type { Tool } from "../tools/tool.ts";
import { askOwner } from "./ask-owner.ts";
import { bindCall } from "./bind.ts";
import { checkAccess } from "./checks.ts";
import { diagnose } from "./diagnostic.ts";
import { faultOfArguments } from "./explain.ts";
import { newAttemptId, readClock, runClock, tell, UNREGISTERED_DEADLINE_MS, type House } from "./house.ts";
import { Interruption } from "./interruption.ts";
import { runNotice } from "./observer.ts";
import type { ReadStatusQuery } from "./request.ts";
import { fromLedger } from "./writing.ts";

/** One status query on its way through its machine. */
export interface QueryRun {
  readonly attemptId: AttemptId;
  readonly tool: Tool | null;
  readonly bound: BoundCall;
  readonly proposal: Proposal;
  readonly interruption: Interruption;
  /** A clock that never goes back. Units: seconds since the Unix epoch. */
  readonly now: () => number;
  state: StatusQueryState;
  context: StatusQueryContext;
  /** The steps that are not in the journal yet. */
  steps: JournalStep[];
  isClaimed: boolean;
}

interface QueryAnswer {
  readonly event: StatusQueryEvent;
  readonly failed?: true;
}

/** Takes one status query through its machine. It never runs the tool. Errors: a host error; nothing else is thrown. */
export async function queryStatus(house: House, query: ReadStatusQuery): Promise<ResultPackage> {
  const { proposal, signal, statusRef, expectedRequestSha256 } = query;
  const startedAt = readClock(house.host);
  const tool = house.registry.find(proposal.name);
  const bound = bindCall(query, tool, "query_status");
  const attemptId = newAttemptId(house.host);
  const interruption = new Interruption(house.host, tool?.deadlineMs ?? UNREGISTERED_DEADLINE_MS, signal);
  const empty = { bound: null, refusal: null, delivery: null, record: null };
  const run: QueryRun = {
    attemptId,
    tool,
    bound,
    proposal,
    interruption,
    now: runClock(house.host, startedAt),
    ...house.statusQuery.initial({ proposal, statusRef, expectedRequestSha256, ...empty }),
    steps: [],
    isClaimed: false,
  };
  try {
    await drive(house, run, { event: { type: "host.bound", bound } });
    return packageOf(run, startedAt);
  } finally {
    interruption.end();
  }
}

async function drive(house: House, run: QueryRun, first: QueryAnswer): Promise<void> {
  for (let answer = first; ;) {
    const step = foresee(house, run, answer.event);
    adopt(house, run, step, answer);
    const asked = step.effects.find(({ type }) => STATUS_QUERY_EFFECTS[type].kind === "asked");
    if (asked === undefined) break;
    answer = await PERFORMERS[asked.type](house, run);
  }
  if (!run.isClaimed || run.steps.length === 0) return;
  await fromLedger(() => house.ledger.recordQueryEnd(run.attemptId, run.steps, run.now()));
}

const PERFORMERS = {
  claimIdentity,
  authorize,
  findOwner,
  askOwner: async (house, run) => ({ event: await askOwner(house, run) }),
} as const satisfies Record<StatusQueryEffect, (house: House, run: QueryRun) => Promise<QueryAnswer>>;

async function claimIdentity(house: House, run: QueryRun): Promise<QueryAnswer> {
  const eventFor = (kind: "claimed" | "taken") => ({ type: `identity.${kind}` }) as const;
  const raced = await run.interruption.race(async () => {
    await house.recoverFirst();
    return fromLedger(() =>
      house.ledger.claimIdentity({
        attemptId: run.attemptId,
        purpose: "query_status",
        identity: run.bound.identity,
        fingerprint: run.bound.fingerprint,
        at: run.now(),
        next: (kind) => {
          const step = foresee(house, run, eventFor(kind));
          return { state: null, steps: [...run.steps, { event: step.event, state: step.to }] };
        },
      }),
    );
  });
  if (raced.kind === "interrupted") return { event: { type: raced.event } };
  run.isClaimed = true;
  return { event: eventFor(raced.value.kind) };
}

async function authorize(house: House, run: QueryRun): Promise<QueryAnswer> {
  const said = await checkAccess(house, run);
  if (said.kind === "interrupted") return { event: { type: said.event } };
  if (said.kind === "granted") return { event: { type: "access.granted" } };
  return { event: { type: "access.denied" }, ...(said.threw ? { failed: true } : {}) };
}

async function findOwner(house: House, run: QueryRun): Promise<QueryAnswer> {
  const { statusRef } = run.context;
  const find = (): Promise<OwnerView | null> => fromLedger(() => house.ledger.findOwner(statusRef));
  const raced = await run.interruption.race(async () => {
    const owner = await find();
    if (owner?.leaseExpired !== true) return owner;
    await house.recover();
    return find();
  });
  if (raced.kind === "interrupted") return { event: { type: raced.event } };
  const owner = raced.value;
  if (owner === null || !owner.doubted || !isOwn(owner.scope, run.bound)) return { event: { type: "owner.absent" } };
  return { event: { type: "owner.found", scope: owner.scope, facts: owner.facts } };
}

/** Whether the asker is who the scope belongs to: its key begins with tenant and subject. */
function isOwn(scope: ScopeKey, { principal }: BoundCall): boolean {
  const [tenantId, subjectId] = parseKept(scope) as unknown as readonly string[];
  return tenantId === principal.tenant_id && subjectId === principal.subject_id;
}

function foresee(house: House, run: QueryRun, event: StatusQueryEvent): StatusQueryStep {
  const step = house.statusQuery.step(run.state, run.context, event);
  if (step.kind === "refused") throw new CallgateError("INTERNAL", { detail: `${step.code} in ${run.state}` });
  return step;
}

function adopt(house: House, run: QueryRun, step: StatusQueryStep, answer: QueryAnswer): void {
  run.state = step.to;
  run.context = step.context;
  const failed = answer.failed === true;
  // The transaction that claimed the identity has stored all until now.
  if (step.event === "identity.claimed" || step.event === "identity.taken") run.steps = [];
  else run.steps.push(failed ? { event: step.event, state: step.to, failed } : { event: step.event, state: step.to });
  if (step.context.refusal === "INVALID_ARGUMENTS") diagnose(house.onDiagnostic, run, () => faultOfArguments(run));
  const watched = { machine: "status_query", run: run.attemptId, source: null } as const;
  tell(house, () => runNotice(watched, run.bound, step, failed));
}

function packageOf({ bound, context, state }: QueryRun, observedAtSeconds: number): ResultPackage {
  const { delivery, record, refusal, statusRef } = context;
  if (delivery !== null && record !== null)
    return buildSuccess({ bound, record, delivery, downstreamStatusRef: statusRef });
  if (refusal === null) throw new CallgateError("INTERNAL", { detail: `a query rests in ${state} without an answer` });
  return buildError({ bound, code: refusal, statusRef, observedAtSeconds });
}
