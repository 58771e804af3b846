import { describe, expect, test } from "vitest";
import { createGate, defineTool } from "../../src/index.ts";
import { callgate } from "../cli/command.ts";
import { told } from "../dispatcher/world.ts";
import { callOf, openPayments, PAYER, requestOf, REVIEWER } from "./payments.ts";

const A = { id: "call-a", key: "key-a", input: { account: "A-1", amount: 1 } };
const B = { id: "call-b", key: "key-b", input: { account: "A-2", amount: 2 } };

/** A gate of one tool whose members are all optional, and what that tool was given. */
function openOptional() {
  const given: unknown[] = [];
  const text = { type: "string", maxLength: 64 } as const;
  const force = { type: "boolean", default: true } as const;
  const tool = defineTool({
    name: "sweep",
    description: "Sweeps.",
    risk: "write",
    inputSchema: { type: "object", properties: { path: text, force, description: text }, additionalProperties: false },
    outputSchema: { type: "object", properties: {}, additionalProperties: false },
    revisions: { inputSchema: "i1", outputSchema: "o1", effect: "e1", handler: "h1", producer: "p1", policy: "y1" },
    sourceLabel: "sweeper",
    deadlineMs: 800,
    authorize: () => true,
    execute: ({ arguments: args }) => {
      given.push(args);
      const evidence = { resourceRevision: null, requestId: null, receiptId: null };
      return { output: {}, producerRevision: "p1", observedAt: "2026-01-02T03:04:05Z", ...evidence };
    },
    unsafeNoReceipt: true,
  });
  const gate = createGate({ tools: [tool], approvers: [REVIEWER] });
  const approve = (input: unknown) =>
    gate.approve({ ...requestOf({ tool: "sweep", input }), approverId: REVIEWER, lifeSeconds: 60 });
  const dispatch = async (input: unknown, approvals: readonly unknown[]) =>
    told(await gate.dispatch({ ...requestOf({ tool: "sweep", input }), approvals }));
  return { given, approve, dispatch };
}

describe("a person approved something else", () => {
  test("an approval of one pending call runs no other", async () => {
    const world = openPayments();
    await world.dispatch(A);
    expect(told(await world.dispatch(A, [world.approve(B)]))).toBe("APPROVAL_INVALID");
    expect(world.bank.payments).toEqual([]);
  });

  test("two pending calls, approved the other way round, each run with their own arguments", async () => {
    const world = openPayments();
    expect([told(await world.dispatch(A)), told(await world.dispatch(B))]).toEqual([
      "APPROVAL_REQUIRED",
      "APPROVAL_REQUIRED",
    ]);
    const both = [world.approve(B), world.approve(A)];
    const [b, a] = await Promise.all([world.dispatch(B, both), world.dispatch(A, both)]);
    expect([told(b), told(a)]).toEqual(["OK fresh", "OK fresh"]);
    expect([b.model_result.data, a.model_result.data]).toMatchObject([B.input, A.input]);
    expect(world.bank.payments.toSorted((one, two) => one.amount - two.amount)).toEqual([A.input, B.input]);
  });

  test("arguments that a model made up anew do not run on the consent to the old ones", async () => {
    const world = openPayments();
    const approval = world.approve(A);
    const changed = { ...A, id: "call-again", input: { account: "A-1", amount: 9 } };
    expect(told(await world.dispatch(changed, [approval]))).toBe("APPROVAL_INVALID");
    expect(world.bank.payments).toEqual([]);
  });

  test("a call id that a provider used twice inherits no decision", async () => {
    const world = openPayments();
    const approval = world.approve(A);
    expect(told(await world.dispatch(A, [approval]))).toBe("OK fresh");
    const again = { ...A, input: { account: "A-1", amount: 900_000 } };
    expect(told(await world.dispatch(again, [approval]))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.dispatch(again, [world.approve(again)]))).toBe("CALL_ID_CONFLICT");
    expect(world.bank.payments).toEqual([A.input]);
  });

  test("what was approved is what runs: no default is filled in afterwards", async () => {
    const world = openOptional();
    expect(await world.dispatch({}, [world.approve({})])).toBe("OK fresh");
    expect(world.given).toEqual([{}]);
  });

  test("a number and its text are two things, and the wrong one is refused", async () => {
    const world = openPayments();
    const input = { account: "A-1", amount: "1" };
    expect(told(await world.dispatch({ ...A, input }, [world.approve(A)]))).toBe("INVALID_ARGUMENTS");
    expect(() => world.approve({ ...A, input })).toThrow(expect.objectContaining({ code: "APPROVAL_IMPOSSIBLE" }));
  });

  test("a remark is an argument like any other: a changed one needs a decision of its own", async () => {
    const world = openOptional();
    const approval = world.approve({ path: "tmp", description: "cleans up" });
    expect(await world.dispatch({ path: "tmp", description: "tidies up" }, [approval])).toBe("APPROVAL_INVALID");
  });

  test("consent to one call of a tool is none to the next", async () => {
    const world = openPayments();
    const approval = world.approve(A);
    expect(told(await world.dispatch(A, [approval]))).toBe("OK fresh");
    expect(told(await world.dispatch(B))).toBe("APPROVAL_REQUIRED");
    expect(told(await world.dispatch({ ...B, id: "call-c" }, [approval]))).toBe("APPROVAL_INVALID");
    expect(world.bank.payments).toEqual([A.input]);
  });

  test("no arguments, null, and some are three scopes", async () => {
    const world = openOptional();
    const approval = world.approve({});
    expect(await world.dispatch({ path: "everything" }, [approval])).toBe("APPROVAL_INVALID");
    expect(() => world.approve(null)).toThrow(expect.objectContaining({ code: "APPROVAL_IMPOSSIBLE" }));
    expect(world.given).toEqual([]);
    const other = openOptional();
    expect(await other.dispatch(null, [other.approve({})])).toBe("INVALID_ARGUMENTS");
  });

  test("a number that would be rounded is refused where its text is read", () => {
    const call = JSON.stringify({ principal: PAYER, call: callOf(A) });
    const unsafe = call.replace('"amount":1', '"amount":9007199254740993');
    expect(unsafe).not.toBe(call);
    const { status, stdout, stderr } = callgate(["digest", "-"], { input: unsafe });
    expect([status, stdout, stderr.split(": ")[1]]).toEqual([2, "", "JSON_NUMBER_RANGE"]);
  });

  test("of two alike calls side by side, an approval belongs to the one that it names", async () => {
    const world = openPayments();
    const twin = { ...A, id: "call-twin", key: "key-twin" };
    const [first, second] = await Promise.all([
      world.dispatch(A, [world.approve(twin)]),
      world.dispatch(twin, [world.approve(twin)]),
    ]);
    expect([told(first), told(second)]).toEqual(["APPROVAL_INVALID", "OK fresh"]);
    expect(world.bank.payments).toHaveLength(1);
  });

  test("lost arguments match nothing, whatever was approved before", async () => {
    const world = openOptional();
    const { arguments: _lost, ...rest } = requestOf({ tool: "sweep", input: {} }).proposal;
    const approvals = [world.approve({})];
    await expect(world.dispatch(undefined, approvals)).rejects.toThrow(
      expect.objectContaining({ code: "ARGUMENTS_UNHASHABLE" }),
    );
    const payments = openPayments();
    await expect(payments.gate.dispatch({ ...requestOf(), proposal: rest as never })).rejects.toThrow(
      expect.objectContaining({ code: "REQUEST_INVALID" }),
    );
    expect(await world.dispatch(null, approvals)).toBe("INVALID_ARGUMENTS");
    expect(world.given).toEqual([]);
  });
});
