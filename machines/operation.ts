import { setup } from "xstate";
import type { RefusalCode } from "../src/errors/refusals.ts";
import type { OperationEffect } from "../src/protocol/effects.ts";
import type { OperationContext, OperationEvent } from "../src/protocol/operation.ts";
import type { Delivery } from "../src/protocol/result.ts";
import { unprovidedAction, unprovidedGuard, type ToldAction } from "./unprovided.ts";

const guards = {
  toolUnregistered: unprovidedGuard,
  argumentsMisfit: unprovidedGuard,
  writeWithoutKey: unprovidedGuard,
  isWrite: unprovidedGuard,
  isRead: unprovidedGuard,
  matchesSettled: unprovidedGuard,
  matchesUnknown: unprovidedGuard,
  approvalValid: unprovidedGuard,
  outputFits: unprovidedGuard,
  writeOutputMisfits: unprovidedGuard,
  queryMatches: unprovidedGuard,
  receiptMatches: unprovidedGuard,
};

const changes = {
  bindCall: unprovidedAction,
  refuse: unprovidedAction as ToldAction<{ code: RefusalCode }>,
  refuseAsTold: unprovidedAction,
  succeed: unprovidedAction as ToldAction<{ delivery: Delivery }>,
};

const effects = {
  claimIdentity: unprovidedAction,
  authorize: unprovidedAction,
  lookUpScope: unprovidedAction,
  awaitScope: unprovidedAction,
  checkBusiness: unprovidedAction,
  findWaiver: unprovidedAction,
  findApproval: unprovidedAction,
  recordIntent: unprovidedAction,
  runTool: unprovidedAction,
  fetchReceipt: unprovidedAction,
  settle: unprovidedAction,
  markUncertain: unprovidedAction,
  markDisputed: unprovidedAction,
  releaseScope: unprovidedAction,
  requestApproval: unprovidedAction,
  declineQuery: unprovidedAction as ToldAction<{ code: RefusalCode }>,
} satisfies Record<OperationEffect, unknown>;

/** Known not to have started: the tool is not called. */
const tooLate = {
  target: "rejected",
  actions: [{ type: "refuse", params: { code: "TIMEOUT_BEFORE_EXECUTE" } }],
} as const;

/** What a look at the scope can find, the first time and after a wait. */
const scopeFound = {
  "scope.settled": [
    {
      guard: "matchesSettled",
      target: "replayed",
      actions: [{ type: "succeed", params: { delivery: "local_replay" } }],
    },
    { target: "conflict", actions: [{ type: "refuse", params: { code: "IDEMPOTENCY_CONFLICT" } }] },
  ],
  "scope.uncertain": [
    {
      guard: "matchesUnknown",
      target: "joined",
      actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }],
    },
    { target: "conflict", actions: [{ type: "refuse", params: { code: "IDEMPOTENCY_CONFLICT" } }] },
  ],
  "scope.disputed": [
    {
      guard: "matchesUnknown",
      target: "conflict",
      actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }],
    },
    { target: "conflict", actions: [{ type: "refuse", params: { code: "IDEMPOTENCY_CONFLICT" } }] },
  ],
  "scope.busy": [
    { guard: "matchesUnknown", actions: ["awaitScope"] },
    { target: "conflict", actions: [{ type: "refuse", params: { code: "IDEMPOTENCY_CONFLICT" } }] },
  ],
  "wait.expired": { target: "joined", actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }] },
  "scope.free": { target: "unclaimed", actions: ["checkBusiness"] },
  "access.denied": { target: "rejected", actions: [{ type: "refuse", params: { code: "NOT_FOUND" } }] },
} as const;

/** A question that the operation asks; whoever runs it answers every one. */
export type OperationGuard = keyof typeof guards;

/** A change that the operation makes to its context. */
export type OperationChange = keyof typeof changes;

/** One attempt: one dispatch of one call, from proposal to an answer that may be told. */
export const operationMachine = setup({
  types: {
    context: {} as OperationContext,
    events: {} as OperationEvent,
    input: {} as OperationContext,
  },
  guards,
  actions: { ...changes, ...effects },
}).createMachine({
  id: "operation",
  initial: "proposed",
  context: ({ input }) => input,
  states: {
    proposed: {
      on: {
        "host.bound": [
          {
            guard: "toolUnregistered",
            target: "rejected",
            actions: ["bindCall", { type: "refuse", params: { code: "UNKNOWN_TOOL" } }],
          },
          {
            guard: "argumentsMisfit",
            target: "rejected",
            actions: ["bindCall", { type: "refuse", params: { code: "INVALID_ARGUMENTS" } }],
          },
          { target: "bound", actions: ["bindCall", "claimIdentity"] },
        ],
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    bound: {
      on: {
        "identity.taken": { target: "conflict", actions: [{ type: "refuse", params: { code: "CALL_ID_CONFLICT" } }] },
        "identity.claimed": { target: "identified", actions: ["authorize"] },
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    identified: {
      on: {
        "access.denied": { target: "rejected", actions: [{ type: "refuse", params: { code: "NOT_FOUND" } }] },
        "access.granted": [
          {
            guard: "writeWithoutKey",
            target: "rejected",
            actions: [{ type: "refuse", params: { code: "IDEMPOTENCY_KEY_REQUIRED" } }],
          },
          { guard: "isWrite", target: "authorized", actions: ["lookUpScope"] },
          { target: "authorized", actions: ["findWaiver"] },
        ],
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    authorized: {
      on: {
        "approval.waived": [
          { guard: "isRead", target: "approved", actions: ["recordIntent"] },
          { target: "rejected", actions: [{ type: "refuse", params: { code: "APPROVAL_REQUIRED" } }] },
        ],
        ...scopeFound,
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    unclaimed: {
      on: {
        "business.refused": {
          target: "rejected",
          actions: [{ type: "refuse", params: { code: "BUSINESS_RULE_VIOLATION" } }],
        },
        "business.permitted": { target: "permitted", actions: ["findApproval"] },
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    permitted: {
      on: {
        "approval.absent": {
          target: "rejected",
          actions: [{ type: "refuse", params: { code: "APPROVAL_REQUIRED" } }, "requestApproval"],
        },
        "approval.presented": [
          { guard: "approvalValid", target: "approved", actions: ["recordIntent"] },
          { target: "rejected", actions: [{ type: "refuse", params: { code: "APPROVAL_INVALID" } }] },
        ],
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    approved: {
      on: {
        "approval.spent": { target: "rejected", actions: [{ type: "refuse", params: { code: "APPROVAL_INVALID" } }] },
        "approval.expired": {
          target: "rejected",
          actions: [{ type: "refuse", params: { code: "APPROVAL_INVALID" } }],
        },
        ...scopeFound,
        "intent.recorded": { target: "executing", actions: ["runTool"] },
        "deadline.passed": tooLate,
        "call.cancelled": tooLate,
      },
    },
    executing: {
      on: {
        "tool.returned": [
          {
            guard: "outputFits",
            target: "fresh",
            actions: [{ type: "succeed", params: { delivery: "fresh" } }, "settle"],
          },
          {
            guard: "isWrite",
            target: "unknown",
            actions: [{ type: "refuse", params: { code: "OUTPUT_CONTRACT_VIOLATION" } }, "markUncertain"],
          },
          { target: "rejected", actions: [{ type: "refuse", params: { code: "OUTPUT_CONTRACT_VIOLATION" } }] },
        ],
        "tool.refused": [
          { guard: "isWrite", target: "rejected", actions: ["refuseAsTold", "releaseScope"] },
          { target: "rejected", actions: ["refuseAsTold"] },
        ],
        "tool.threw": [
          {
            guard: "isWrite",
            target: "unknown",
            actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }, "markUncertain"],
          },
          { target: "rejected", actions: [{ type: "refuse", params: { code: "TOOL_ERROR" } }] },
        ],
        "outcome.lost": [
          {
            guard: "writeOutputMisfits",
            target: "unknown",
            actions: [{ type: "refuse", params: { code: "OUTPUT_CONTRACT_VIOLATION" } }, "markUncertain"],
          },
          {
            guard: "isWrite",
            target: "unknown",
            actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }, "markUncertain"],
          },
          { target: "rejected", actions: [{ type: "refuse", params: { code: "TOOL_ERROR" } }] },
        ],
      },
    },
    fresh: { type: "final" },
    // Not final: the explicit query is answered here, and nothing else ever is.
    unknown: {
      on: {
        "status.queried": [
          { guard: "queryMatches", target: "querying", actions: ["fetchReceipt"] },
          { actions: [{ type: "declineQuery", params: { code: "STATUS_CONFLICT" } }] },
        ],
      },
    },
    querying: {
      on: {
        "receipt.found": [
          {
            guard: "receiptMatches",
            target: "receipt_reconciled",
            actions: [{ type: "succeed", params: { delivery: "receipt_reconciled" } }, "settle"],
          },
          {
            target: "conflict",
            actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }, "markDisputed"],
          },
        ],
        "receipt.absent": { target: "unknown" },
        "receipt.unavailable": { target: "unknown" },
      },
    },
    receipt_reconciled: { type: "final" },
    conflict: { type: "final" },
    replayed: { type: "final" },
    joined: { type: "final" },
    rejected: { type: "final" },
  },
});
