import { describe, expect, it } from "vitest";
import { ANSWER_MEMBERS, readAnswer, recordOf } from "../../src/packages/answer.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { boundCall, RECORDS, WRITE } from "./sample-calls.ts";

const ANSWER: JsonObject = {
  output: { draft_id: "DRAFT-1", order_ref: "ORDER-7", reason: "damaged" },
  producerRevision: "refunds-mock-v2",
  resourceRevision: "draft-1-r1",
  observedAt: "2026-07-19T00:00:00Z",
  requestId: "refund-request-1",
  receiptId: "refund-receipt-1",
};

describe("the answer of a tool", () => {
  it("is read as it is", () => {
    expect(readAnswer({ value: ANSWER })).toEqual(ANSWER);
    const bare = { ...ANSWER, resourceRevision: null, requestId: null, receiptId: null };
    expect(readAnswer({ value: bare })).toEqual(bare);
  });

  it("has these members", () => {
    expect([...ANSWER_MEMBERS].toSorted()).toEqual(Object.keys(ANSWER).toSorted());
  });

  it("may be told to have more members, and then must", () => {
    const receipt = { ...ANSWER, binding: null };
    expect(readAnswer({ value: receipt }, ["binding"])).toEqual(ANSWER);
    expect(readAnswer({ value: receipt })).toBeNull();
    expect(readAnswer({ value: ANSWER }, ["binding"])).toBeNull();
    expect(readAnswer({ value: { ...ANSWER, note: 1 } }, ["binding"])).toBeNull();
  });

  it.each<[string, JsonValue]>([
    ["nothing", null],
    ["a text", "done"],
    ["a list", [ANSWER]],
    ["an output alone", ANSWER["output"] ?? null],
    ["one with a member more", { ...ANSWER, note: 1 }],
    ...Object.keys(ANSWER).map((name): [string, JsonValue] => {
      const { [name]: _, ...rest } = ANSWER;
      return [`one without ${name}`, { ...rest, note: 1 }];
    }),
    ...Object.keys(ANSWER).map((name): [string, JsonValue] => {
      const { [name]: _, ...rest } = ANSWER;
      return [`one that only lacks ${name}`, rest];
    }),
    ["an output that is a text", { ...ANSWER, output: "done" }],
    ["an output that is a number", { ...ANSWER, output: 7 }],
    ["an output that is a list", { ...ANSWER, output: [] }],
    ["an output that is null", { ...ANSWER, output: null }],
    ["no producer revision", { ...ANSWER, producerRevision: null }],
    ["a blank resource revision", { ...ANSWER, resourceRevision: "\u00a0" }],
    ["a time that never was", { ...ANSWER, observedAt: "2026-02-30T00:00:00Z" }],
    ["no time", { ...ANSWER, observedAt: null }],
    ["a blank request id", { ...ANSWER, requestId: "" }],
    ["a receipt id that is a number", { ...ANSWER, receiptId: 1 }],
  ])("is not %s", (_, value) => {
    expect(readAnswer({ value })).toBeNull();
  });
});

describe("the record of an answer", () => {
  it("keeps output, provenance and evidence", () => {
    expect(recordOf({ value: ANSWER }, boundCall(WRITE))).toEqual(RECORDS["create_refund_draft"]);
    const receipt = { ...ANSWER, binding: {} };
    expect(recordOf({ value: receipt }, boundCall(WRITE), ["binding"])).toEqual(RECORDS["create_refund_draft"]);
  });

  it("is not made of what no guard accepts", () => {
    const unaccepted = "an answer was kept that no guard accepted";
    expect(() => recordOf({ value: null }, boundCall(WRITE))).toThrow(new TypeError(unaccepted));
    expect(() => recordOf({ value: ANSWER }, boundCall({ ...WRITE, name: "nobody" }))).toThrow(TypeError);
  });
});
