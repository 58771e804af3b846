import type { CopiedAnswer } from "../../src/protocol/answer.ts";
import type { ApprovalContext, ApprovalEvent } from "../../src/protocol/approval-run.ts";
import type { OperationContext, OperationEvent } from "../../src/protocol/operation.ts";
import type { OutcomeRecord } from "../../src/protocol/result.ts";
import type { ScopeKey, StatusRef, AttemptId } from "../../src/protocol/ids.ts";
import type { StatusQueryContext, StatusQueryEvent } from "../../src/protocol/status-query.ts";
import { boundCall, RECORDS, WRITE } from "../packages/sample-calls.ts";

/** One event of each type. */
type OneOfEach<Event extends { readonly type: string }> = {
  readonly [Type in Event["type"]]: Extract<Event, { readonly type: Type }>;
};

/** A bound call of a tool that writes. */
export const BOUND = boundCall(WRITE);
const { facts } = BOUND;
const scope: ScopeKey = present(BOUND.scope);
const statusRef: StatusRef = present(BOUND.statusRef);

/** What an earlier run of another attempt left behind. */
export const RECORD: OutcomeRecord = present(RECORDS[WRITE.name]);

/** What the tool answers. */
const ANSWER: CopiedAnswer = {
  value: {
    output: { draft_id: "DRAFT-2", order_ref: "ORDER-7", reason: "damaged" },
    producerRevision: "refunds-mock-v2",
    resourceRevision: null,
    observedAt: "2026-07-19T00:00:02Z",
    requestId: "refund-request-2",
    receiptId: "refund-receipt-2",
  },
};

/** What was kept downstream. */
const RECEIPT: CopiedAnswer = {
  value: {
    output: { draft_id: "DRAFT-3", order_ref: "ORDER-7", reason: "damaged" },
    producerRevision: "refunds-mock-v2",
    resourceRevision: "draft-3-r1",
    observedAt: "2026-07-19T00:00:03Z",
    requestId: null,
    receiptId: null,
    binding: { ...facts, status_ref: statusRef },
  },
};

/** One well-formed event of each type that the operation knows. */
export const OPERATION_SAMPLES: OneOfEach<OperationEvent> = {
  "host.bound": { type: "host.bound", bound: BOUND },
  "identity.claimed": { type: "identity.claimed" },
  "identity.taken": { type: "identity.taken" },
  "access.granted": { type: "access.granted" },
  "access.denied": { type: "access.denied" },
  "approval.waived": { type: "approval.waived" },
  "scope.settled": { type: "scope.settled", facts, record: RECORD },
  "scope.uncertain": { type: "scope.uncertain", facts },
  "scope.disputed": { type: "scope.disputed", facts },
  "scope.busy": { type: "scope.busy", facts },
  "scope.free": { type: "scope.free" },
  "wait.expired": { type: "wait.expired" },
  "business.permitted": { type: "business.permitted" },
  "business.refused": { type: "business.refused" },
  "approval.absent": { type: "approval.absent" },
  "approval.presented": { type: "approval.presented", approvals: [], now: 1_784_419_200 },
  "approval.spent": { type: "approval.spent" },
  "approval.expired": { type: "approval.expired" },
  "intent.recorded": { type: "intent.recorded" },
  "deadline.passed": { type: "deadline.passed" },
  "call.cancelled": { type: "call.cancelled" },
  "tool.returned": { type: "tool.returned", answer: ANSWER },
  "tool.refused": { type: "tool.refused", code: "RATE_LIMIT" },
  "tool.threw": { type: "tool.threw" },
  "outcome.lost": { type: "outcome.lost", answer: null },
  "status.queried": {
    type: "status.queried",
    query: { scope, statusRef, expectedRequestSha256: facts.request_sha256, facts },
  },
  "receipt.found": { type: "receipt.found", receipt: RECEIPT },
  "receipt.absent": { type: "receipt.absent" },
  "receipt.unavailable": { type: "receipt.unavailable" },
};

/** An operation that nothing has happened to yet. */
export const OPERATION_START: OperationContext = {
  proposal: { name: WRITE.name, arguments: WRITE.arguments },
  bound: null,
  refusal: null,
  delivery: null,
  record: null,
};

/** One well-formed event of each type that the status query knows. */
export const STATUS_QUERY_SAMPLES: OneOfEach<StatusQueryEvent> = {
  "host.bound": { type: "host.bound", bound: BOUND },
  "identity.claimed": { type: "identity.claimed" },
  "identity.taken": { type: "identity.taken" },
  "access.granted": { type: "access.granted" },
  "access.denied": { type: "access.denied" },
  "deadline.passed": { type: "deadline.passed" },
  "call.cancelled": { type: "call.cancelled" },
  "owner.absent": { type: "owner.absent" },
  "owner.found": { type: "owner.found", scope, facts },
  "owner.uncertain": { type: "owner.uncertain" },
  "owner.reconciled": { type: "owner.reconciled", facts, record: RECORD },
  "owner.settled": { type: "owner.settled", facts, record: RECORD },
  "owner.disputed": { type: "owner.disputed" },
  "owner.released": { type: "owner.released" },
};

/** A status query that nothing has happened to yet. */
export const STATUS_QUERY_START: StatusQueryContext = {
  ...OPERATION_START,
  statusRef,
  expectedRequestSha256: facts.request_sha256,
};

const holder = "0123456789abcdef0123456789abcdef" as AttemptId;

/** One well-formed event of each type that the approval knows. */
export const APPROVAL_SAMPLES: OneOfEach<ApprovalEvent> = {
  "request.granted": {
    type: "request.granted",
    approvalId: "approval-1",
    approverId: "human-reviewer-1",
    expiresAt: 1_784_419_260,
  },
  "request.denied": { type: "request.denied" },
  "request.withdrawn": { type: "request.withdrawn" },
  "request.expired": { type: "request.expired" },
  "grant.reserved": { type: "grant.reserved", holder },
  "grant.consumed": { type: "grant.consumed" },
  "grant.released": { type: "grant.released" },
  "grant.expired": { type: "grant.expired" },
  "grant.voided": { type: "grant.voided" },
};

/** An approval that nobody has decided about yet. */
export const APPROVAL_START: ApprovalContext = { approvalId: null, approverId: null, expiresAt: null, holder: null };

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new TypeError("a sample lacks what every sample has");
  return value;
}
