import { describe, expect, test } from "vitest";
import { answerFits } from "../../src/guards/answer-fits.ts";
import { operationGuards } from "../../src/guards/operation.ts";
import { bindingSha256 } from "../../src/json/binding-digest.ts";
import { makeApproval } from "../../src/policy/make-approval.ts";
import { SETTLED_MEMBERS } from "../../src/protocol/facts.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import type { ToolView } from "../../src/protocol/registry-view.ts";
import type { OperationContext, OperationEvent } from "../../src/protocol/operation.ts";
import { BOUND, OPERATION_SAMPLES, OPERATION_START } from "../engine/sample-events.ts";
import { boundCall, READ, WRITE } from "../packages/sample-calls.ts";
import { SAMPLE_REGISTRY } from "../packages/sample-registry.ts";

const approvers = new Set(["human-reviewer-1"]);
const guards = operationGuards({ registry: SAMPLE_REGISTRY, approvers });
const WRITING: OperationContext = { ...OPERATION_START, bound: BOUND };
const readBound = boundCall(READ);
const READING: OperationContext = {
  ...WRITING,
  proposal: { name: READ.name, arguments: READ.arguments },
  bound: readBound,
};
const { facts } = BOUND;

type Case = readonly [what: string, holds: boolean, context: OperationContext, event: OperationEvent];

const anything: OperationEvent = { type: "scope.free" };
const named = (name: string, args: JsonValue = {}): OperationContext => ({
  ...OPERATION_START,
  proposal: { name, arguments: args },
});
const settled = (change: Partial<typeof facts>): OperationEvent => ({
  ...OPERATION_SAMPLES["scope.settled"],
  facts: { ...facts, ...change },
});
const uncertain = (change: Partial<typeof facts>): OperationEvent => ({
  type: "scope.uncertain",
  facts: { ...facts, ...change },
});
const valueOf = (value: JsonValue): JsonObject => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("a sample is no object");
  return value as JsonObject;
};
const answer = valueOf(OPERATION_SAMPLES["tool.returned"].answer.value);
const receipt = valueOf(OPERATION_SAMPLES["receipt.found"].receipt.value);
const returned = (value: JsonValue): OperationEvent => ({ type: "tool.returned", answer: { value } });
const lost = (value: JsonValue): OperationEvent => ({ type: "outcome.lost", answer: { value } });
const found = (value: JsonValue): OperationEvent => ({ type: "receipt.found", receipt: { value } });
const { query } = OPERATION_SAMPLES["status.queried"];
const queried = (change: Partial<typeof query>): OperationEvent => ({
  type: "status.queried",
  query: { ...query, ...change },
});
const approval = makeApproval({
  bound: BOUND,
  approvalId: "approval-1",
  approverId: "human-reviewer-1",
  expiresAt: 1_060,
});
const presented = (...approvals: (typeof approval)[]): OperationEvent => ({
  type: "approval.presented",
  approvals,
  now: 1_000,
});
const binding = valueOf(receipt["binding"] ?? null);
const goodOutput = valueOf(answer["output"] ?? null);
const readAnswer: JsonObject = {
  ...answer,
  ...{ output: { order_ref: "ORDER-7", status: "paid" }, producerRevision: "orders-mock-v2", receiptId: null },
};

const CASES: Readonly<Record<keyof typeof guards, readonly Case[]>> = {
  toolUnregistered: [
    ["a tool that is registered", false, named("get_order"), anything],
    ["one that is not", true, named("burn_order"), anything],
    ["a name that objects inherit", true, named("constructor"), anything],
  ],
  argumentsMisfit: [
    ["arguments that fit", false, named("get_order", { order_ref: "ORDER-7" }), anything],
    ["one too many", true, named("get_order", { order_ref: "ORDER-7", more: 1 }), anything],
    ["none", true, named("get_order"), anything],
    ["a list", true, named("get_order", []), anything],
    ["of a tool that is not registered", true, named("burn_order"), anything],
  ],
  writeWithoutKey: [
    ["a write with one", false, WRITING, anything],
    ["a write without", true, { ...WRITING, bound: boundCall({ ...WRITE, idempotency_key: null }) }, anything],
    ["a read without", false, READING, anything],
    ["nothing bound", false, OPERATION_START, anything],
  ],
  isWrite: [
    ["a write", true, WRITING, anything],
    ["a read", false, READING, anything],
    ["nothing bound", false, OPERATION_START, anything],
  ],
  isRead: [
    ["a write", false, WRITING, anything],
    ["a read", true, READING, anything],
    ["nothing bound", false, OPERATION_START, anything],
  ],
  matchesSettled: [
    ["the same facts", true, WRITING, settled({})],
    ["another handler", false, WRITING, settled({ handler_revision: "v9" })],
    ["another event", false, WRITING, uncertain({})],
    ["nothing bound", false, OPERATION_START, settled({})],
  ],
  matchesUnknown: [
    ["the same facts", true, WRITING, uncertain({})],
    ["another handler", true, WRITING, uncertain({ handler_revision: "v9" })],
    ["another provider", false, WRITING, uncertain({ provider: "google" })],
    ["disputed", true, WRITING, { type: "scope.disputed", facts }],
    ["busy", true, WRITING, { type: "scope.busy", facts }],
    ["settled", false, WRITING, settled({})],
    ["nothing bound", false, OPERATION_START, uncertain({})],
  ],
  approvalValid: [
    ["a valid one", true, WRITING, presented(approval)],
    ["none", false, WRITING, presented()],
    ["one valid among several", true, WRITING, presented({ ...approval, call_id: "call-9" }, approval)],
    ["one of another call", false, WRITING, presented({ ...approval, call_id: "call-9" })],
    ["an expired one", false, WRITING, { ...presented(approval), now: 1_060 } as OperationEvent],
    ["another event", false, WRITING, { type: "approval.absent" }],
    [
      "of a tool that is registered no more",
      true,
      { ...WRITING, proposal: { ...WRITING.proposal, name: "gone" } },
      presented(approval),
    ],
    ["nothing bound", false, OPERATION_START, presented(approval)],
  ],
  outputFits: [
    ["one that fits", true, WRITING, returned(answer)],
    ["nothing", false, WRITING, returned(null)],
    ["a list", false, WRITING, returned([answer])],
    ["a member more", false, WRITING, returned({ ...answer, more: 1 })],
    ["an output with a member more", false, WRITING, returned({ ...answer, output: { ...goodOutput, more: 1 } })],
    ["another producer", false, WRITING, returned({ ...answer, producerRevision: "v9" })],
    ["an answer that came too late", false, WRITING, lost(answer)],
    ["a read's", true, READING, returned(readAnswer)],
    ["a read's that claims a receipt", false, READING, returned({ ...readAnswer, receiptId: "receipt-1" })],
    [
      "of a tool that is registered no more",
      false,
      { ...WRITING, proposal: { ...WRITING.proposal, name: "gone" } },
      returned(answer),
    ],
    ["nothing bound", false, OPERATION_START, returned(answer)],
  ],
  writeOutputMisfits: [
    ["one that fits", false, WRITING, lost(answer)],
    ["one that does not", true, WRITING, lost({ ...answer, output: {} })],
    ["none", false, WRITING, { type: "outcome.lost", answer: null }],
    ["a read's", false, READING, lost({})],
    ["one that was not lost", false, WRITING, returned({})],
    ["nothing bound", false, OPERATION_START, lost({})],
  ],
  queryMatches: [
    ["the same", true, WRITING, queried({})],
    ["another handler", true, WRITING, queried({ facts: { ...facts, handler_revision: "v9" } })],
    ["another scope", false, WRITING, queried({ scope: "[]" as never })],
    ["no scope", false, WRITING, queried({ scope: null })],
    ["another handle", false, WRITING, queried({ statusRef: `status_${"0".repeat(32)}` as never })],
    ["another digest expected", false, WRITING, queried({ expectedRequestSha256: "0".repeat(64) as never })],
    ["another provider", false, WRITING, queried({ facts: { ...facts, provider: "google" } })],
    ["no scope on either side", false, READING, queried({ scope: null })],
    [
      "no scope on either side, and all else the same",
      false,
      { ...WRITING, bound: { ...BOUND, scope: null } },
      queried({ scope: null }),
    ],
    ["another event", false, WRITING, anything],
    ["nothing bound", false, OPERATION_START, queried({})],
  ],
  receiptMatches: [
    ["the right one", true, WRITING, found(receipt)],
    [
      "with the digest of its binding",
      true,
      WRITING,
      found({ ...receipt, binding: bindingSha256({ ...facts, status_ref: BOUND.statusRef }) }),
    ],
    ["with another digest", false, WRITING, found({ ...receipt, binding: "0".repeat(64) })],
    ["without a binding", false, WRITING, found(answer)],
    ["with a binding of nothing", false, WRITING, found({ ...receipt, binding: null })],
    ["with a list for a binding", false, WRITING, found({ ...receipt, binding: [binding] })],
    ...SETTLED_MEMBERS.map((member): Case => {
      const other = { ...receipt, binding: { ...binding, [member]: "another" } };
      return [`bound to another ${member}`, false, WRITING, found(other)];
    }),
    ["bound to another handle", false, WRITING, found({ ...receipt, binding: { ...binding, status_ref: null } })],
    ["with an output that does not fit", false, WRITING, found({ ...receipt, output: {} })],
    ["another event", false, WRITING, returned(receipt)],
    ["nothing bound", false, OPERATION_START, found(receipt)],
  ],
};

describe.each(Object.keys(CASES) as (keyof typeof CASES)[])("%s", (name) => {
  test.each(CASES[name])("%s: %s", (_what, holds, context, event) => {
    const before = structuredClone([context, event]);
    expect([guards[name](context, event), guards[name](context, event)]).toEqual([holds, holds]);
    expect([context, event]).toEqual(before);
  });

  test("answers every event, in every state of what is known", () => {
    for (const event of Object.values(OPERATION_SAMPLES)) {
      for (const context of [OPERATION_START, WRITING, READING, named("burn_order", [])]) {
        expect(guards[name](context, event)).toBeTypeOf("boolean");
      }
    }
  });
});

test.each<[JsonValue]>([["a text"], [7], [true], [null], [["order_ref"]]])(
  "no answer fits arguments that are %j",
  (args) => {
    const lenient = { ...(SAMPLE_REGISTRY.find("create_refund_draft") as ToolView), outputFits: () => true };
    expect(answerFits(lenient, BOUND, args, { value: answer })).toBe(false);
    expect(answerFits(lenient, BOUND, {}, { value: answer })).toBe(true);
  },
);
