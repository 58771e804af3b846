import { setup } from "xstate";
import type { ApprovalContext, ApprovalEvent } from "../src/protocol/approval-run.ts";
import { unprovidedAction } from "./unprovided.ts";

const changes = {
  keepDecision: unprovidedAction,
  keepHolder: unprovidedAction,
  dropHolder: unprovidedAction,
};

/** A change that an approval makes to its context. */
export type ApprovalChange = keyof typeof changes;

/** One request for a person's decision about one exact call. An expired run is never revived: a new one is opened. */
export const approvalMachine = setup({
  types: {
    context: {} as ApprovalContext,
    events: {} as ApprovalEvent,
    input: {} as ApprovalContext,
  },
  actions: changes,
}).createMachine({
  id: "approval",
  initial: "requested",
  context: ({ input }) => input,
  states: {
    requested: {
      on: {
        "request.granted": { target: "granted", actions: ["keepDecision"] },
        "request.denied": { target: "denied" },
        "request.withdrawn": { target: "withdrawn" },
        "request.expired": { target: "expired" },
      },
    },
    granted: {
      on: {
        "grant.reserved": { target: "reserved", actions: ["keepHolder"] },
        "grant.expired": { target: "expired" },
        "grant.voided": { target: "voided" },
      },
    },
    reserved: {
      on: {
        "grant.consumed": { target: "consumed" },
        "grant.released": { target: "granted", actions: ["dropHolder"] },
      },
    },
    // Not final: an attempt that is known not to have started gives its grant back.
    consumed: {
      on: {
        "grant.released": { target: "granted", actions: ["dropHolder"] },
      },
    },
    denied: { type: "final" },
    withdrawn: { type: "final" },
    expired: { type: "final" },
    voided: { type: "final" },
  },
});
