import { describe, expect, test } from "vitest";
import { findValidApproval, type ApprovalGround } from "../../src/policy/approval.ts";
import { makeApproval } from "../../src/policy/make-approval.ts";
import type { Approval } from "../../src/protocol/approval.ts";
import { boundCall, PRINCIPAL, READ, WRITE } from "../packages/sample-calls.ts";

const NOW = 1_000;
const bound = boundCall(WRITE);
const approvalOf = (change: Partial<Parameters<typeof makeApproval>[0]> = {}): Approval =>
  makeApproval({ bound, approvalId: "approval-1", approverId: "reviewer-1", expiresAt: NOW + 60, ...change });
const ground = (change: Partial<ApprovalGround> = {}): ApprovalGround => ({
  ...{ bound, now: NOW, approvers: new Set(["reviewer-1", "reviewer-2"]), allowsSelfApproval: false },
  ...change,
});

describe("an approval that was made for a call", () => {
  test("is valid for it", () => {
    const approval = approvalOf();
    expect(findValidApproval([approval], ground())).toBe(approval);
  });

  const others: Readonly<Record<string, Partial<ApprovalGround>>> = {
    "another request": { bound: boundCall({ ...WRITE, arguments: { order_ref: "ORDER-7", reason: "other" } }) },
    "another call": { bound: boundCall({ ...WRITE, call_id: "call-9" }) },
    "another response": { bound: boundCall({ ...WRITE, response_id: "response-9" }) },
    "another key": { bound: boundCall({ ...WRITE, idempotency_key: "key-9" }) },
    "no key": { bound: boundCall({ ...WRITE, idempotency_key: null }) },
    "another operation": { bound: boundCall({ ...WRITE, operation_id: "operation-9" }) },
    "another subject": { bound: boundCall(WRITE, { ...PRINCIPAL, subject_id: "user-9" }) },
    "another tenant": { bound: boundCall(WRITE, { ...PRINCIPAL, tenant_id: "tenant-9" }) },
    "another tool": { bound: boundCall({ ...READ, idempotency_key: "key-1" }) },
    "a tool that nobody registered": { bound: boundCall({ ...WRITE, name: "delete_everything" }) },
    "another input revision": {
      bound: { ...bound, toolContract: { ...bound.toolContract, input_schema_revision: "v9" } },
    },
    "another output revision": {
      bound: { ...bound, toolContract: { ...bound.toolContract, output_schema_revision: "v9" } },
    },
    "another effect revision": { bound: { ...bound, toolContract: { ...bound.toolContract, effect_revision: "v9" } } },
    "another policy revision": { bound: { ...bound, toolContract: { ...bound.toolContract, policy_revision: "v9" } } },
    "a list of others": { approvers: new Set(["reviewer-2"]) },
    "an empty list": { approvers: new Set() },
    "the second at which it ends": { now: NOW + 60 },
    "its own subject": { bound: boundCall(WRITE, { ...PRINCIPAL, subject_id: "reviewer-1" }) },
  };
  test.each(Object.keys(others))("is not valid for %s", (which) => {
    expect(findValidApproval([approvalOf()], ground(others[which]))).toBe(null);
  });

  test.each([
    ["another handler", { handler_revision: "v9" }],
    ["another producer", { producer_revision: "v9" }],
  ])("is valid for %s of the same tool: what is approved is the effect", (_what, change) => {
    const changed = { ...bound, toolContract: { ...bound.toolContract, ...change } };
    expect(findValidApproval([approvalOf()], ground({ bound: changed }))).not.toBe(null);
  });

  test("by the subject itself only where the tool says so", () => {
    const own = boundCall(WRITE, { ...PRINCIPAL, subject_id: "reviewer-1" });
    const approval = approvalOf({ bound: own });
    expect(findValidApproval([approval], ground({ bound: own }))).toBe(null);
    expect(findValidApproval([approval], ground({ bound: own, allowsSelfApproval: true }))).toBe(approval);
  });

  test("names its approver in the digest: nobody else can stand there", () => {
    const approval = { ...approvalOf(), approver_id: "reviewer-2" };
    expect(findValidApproval([approval], ground())).toBe(null);
  });
});

describe("of several", () => {
  const lives = [10, 60, 20].map((life) => approvalOf({ expiresAt: NOW + life }));

  test("the valid one that lasts longest is taken", () => {
    expect(findValidApproval(lives, ground())).toBe(lives[1]);
    expect(findValidApproval(lives.toReversed(), ground())).toBe(lives[1]);
    expect(findValidApproval(lives, ground({ now: NOW + 30 }))).toBe(lives[1]);
  });

  test("one that would last longer but is not valid does not stand in the way", () => {
    const forged = { ...approvalOf({ expiresAt: NOW + 90 }), approval_digest: "0".repeat(64) };
    expect(findValidApproval([forged, ...lives, forged], ground())).toBe(lives[1]);
  });

  test("of none, none", () => {
    expect(findValidApproval([], ground())).toBe(null);
  });
});

test("of two that end in the same second, the first counts", () => {
  const [first, second] = [approvalOf({ approvalId: "approval-1" }), approvalOf({ approvalId: "approval-2" })];
  expect(findValidApproval([first, second], ground())).toBe(first);
});

test("none is valid for what nobody registered, though it be bound to exactly that", () => {
  const unregistered = { ...bound, risk: null };
  expect(findValidApproval([approvalOf({ bound: unregistered })], ground({ bound: unregistered }))).toBe(null);
});
