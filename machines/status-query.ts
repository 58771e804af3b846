import { setup } from "xstate";
import type { RefusalCode } from "../src/errors/refusals.ts";
import type { StatusQueryEffect } from "../src/protocol/effects.ts";
import type { Delivery } from "../src/protocol/result.ts";
import type { StatusQueryContext, StatusQueryEvent } from "../src/protocol/status-query.ts";
import { unprovidedAction, unprovidedGuard, type ToldAction } from "./unprovided.ts";

const guards = {
  toolUnregistered: unprovidedGuard,
  argumentsMisfit: unprovidedGuard,
  ownerMatches: unprovidedGuard,
  recordMatches: unprovidedGuard,
};

const changes = {
  bindCall: unprovidedAction,
  refuse: unprovidedAction as ToldAction<{ code: RefusalCode }>,
  succeed: unprovidedAction as ToldAction<{ delivery: Delivery }>,
};

const effects = {
  claimIdentity: unprovidedAction,
  authorize: unprovidedAction,
  findOwner: unprovidedAction,
  askOwner: unprovidedAction,
} satisfies Record<StatusQueryEffect, unknown>;

/** Nothing was asked yet. */
const tooLate = {
  target: "rejected",
  actions: [{ type: "refuse", params: { code: "TIMEOUT_BEFORE_EXECUTE" } }],
} as const;

/** The handle was not looked up, so nothing is known of it. */
const stillUnknown = {
  target: "answered",
  actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }],
} as const;

/** A question that the status query asks; whoever runs it answers every one. */
export type StatusQueryGuard = keyof typeof guards;

/** A change that the status query makes to its context. */
export type StatusQueryChange = keyof typeof changes;

/** One explicit question after the outcome of an operation; it never runs the tool. */
export const statusQueryMachine = setup({
  types: {
    context: {} as StatusQueryContext,
    events: {} as StatusQueryEvent,
    input: {} as StatusQueryContext,
  },
  guards,
  actions: { ...changes, ...effects },
}).createMachine({
  id: "status_query",
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
        "access.granted": { target: "authorized", actions: ["findOwner"] },
        "deadline.passed": stillUnknown,
        "call.cancelled": stillUnknown,
      },
    },
    authorized: {
      on: {
        "owner.absent": { target: "rejected", actions: [{ type: "refuse", params: { code: "NOT_FOUND" } }] },
        "owner.found": [
          { guard: "ownerMatches", target: "asking", actions: ["askOwner"] },
          { target: "conflict", actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }] },
        ],
        "deadline.passed": stillUnknown,
        "call.cancelled": stillUnknown,
      },
    },
    asking: {
      on: {
        "owner.uncertain": { target: "answered", actions: [{ type: "refuse", params: { code: "OUTCOME_UNKNOWN" } }] },
        "owner.reconciled": [
          {
            guard: "recordMatches",
            target: "answered",
            actions: [{ type: "succeed", params: { delivery: "receipt_reconciled" } }],
          },
          { target: "conflict", actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }] },
        ],
        "owner.settled": [
          {
            guard: "recordMatches",
            target: "answered",
            actions: [{ type: "succeed", params: { delivery: "local_replay" } }],
          },
          { target: "conflict", actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }] },
        ],
        "owner.disputed": { target: "conflict", actions: [{ type: "refuse", params: { code: "STATUS_CONFLICT" } }] },
        "owner.released": { target: "rejected", actions: [{ type: "refuse", params: { code: "NOT_FOUND" } }] },
      },
    },
    answered: { type: "final" },
    conflict: { type: "final" },
    rejected: { type: "final" },
  },
});
