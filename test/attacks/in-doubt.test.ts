import { describe, expect, test } from "vitest";
import { createRegistry, defineTool, NotStarted } from "../../src/index.ts";
import { calm, latch, told } from "../dispatcher/world.ts";
import { BEYOND_LEASES_MS, DEADLINE_MS, openPayments, type Payments } from "./payments.ts";

const lose = ({ bank: { behaviour } }: Payments): (() => void) => {
  const { answer } = behaviour;
  behaviour.answer = () => Promise.reject(new Error("reply lost"));
  return () => {
    behaviour.answer = answer;
  };
};

describe("after an outcome that nobody knows", () => {
  test("a call made again is held by the first, and under a new key needs a new decision", async () => {
    const world = openPayments();
    const restore = lose(world);
    const approval = world.approve();
    await world.dispatch({}, [approval]);
    restore();
    expect(told(await world.dispatch({ id: "call-2" }, [approval]))).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.dispatch({ id: "call-3", key: "key-of-a-retry" }, [approval]))).toBe("APPROVAL_INVALID");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("a task that is run again and again pays once", async () => {
    const world = openPayments();
    const results: string[] = [];
    for (const run of [1, 2, 3, 4, 5]) results.push(told(await world.another().pay({ id: `run-${run}` })));
    expect(results).toEqual(["OK fresh", ...Array.from({ length: 4 }, () => "OK local_replay")]);
    expect(world.bank.payments).toHaveLength(1);
  });

  test("a reply that takes too long is not a reason to send again", async () => {
    const world = openPayments();
    const slow = latch();
    world.bank.behaviour.answer = (good) => slow.held.then(() => good);
    const running = world.pay();
    await calm();
    world.host.advance(DEADLINE_MS);
    expect(told(await running)).toBe("OUTCOME_UNKNOWN");
    slow.open();
    await calm();
    expect(told(await world.pay({ id: "call-2" }))).toBe("OUTCOME_UNKNOWN");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("what never arrived and what was not heard of again are told apart", async () => {
    const world = openPayments();
    world.bank.behaviour.begin = () => Promise.reject(new NotStarted("TOOL_ERROR"));
    const refused = await world.pay();
    expect([told(refused), refused.model_result.execution.outcome]).toEqual(["TOOL_ERROR", "not_started"]);
    world.bank.behaviour.begin = () => undefined;
    const restore = lose(world);
    const lost = await world.pay({ id: "call-2", key: "key-2" });
    restore();
    expect([told(lost), told(await world.query(lost, { key: "key-2" }))]).toEqual([
      "OUTCOME_UNKNOWN",
      "OK receipt_reconciled",
    ]);
    expect(told(await world.pay({ id: "call-3" }))).toBe("OK fresh");
    expect(world.bank.payments).toHaveLength(2);
  });

  test("a tool that writes is not called without a key, nor registered without a way to ask", async () => {
    const world = openPayments();
    expect(told(await world.pay({ key: null }))).toBe("IDEMPOTENCY_KEY_REQUIRED");
    expect(world.bank.payments).toEqual([]);
    const handed: unknown[] = [];
    world.bank.behaviour.begin = ({ idempotencyKey }) => handed.push(idempotencyKey);
    await world.pay({ id: "call-2", key: "key-2" });
    expect(handed).toEqual(["key-2"]);
    const object = { type: "object", properties: {}, additionalProperties: false } as const;
    const define = () =>
      defineTool({
        name: "forgetful",
        description: "Cannot be asked.",
        risk: "write",
        inputSchema: object,
        outputSchema: object,
        revisions: { inputSchema: "1", outputSchema: "1", effect: "1", handler: "1", producer: "1", policy: "1" },
        sourceLabel: "nobody",
        deadlineMs: 1,
        authorize: () => true,
        execute: () => Promise.reject(new Error("never")),
      });
    expect(() => createRegistry([define()])).toThrow(expect.objectContaining({ code: "TOOL_INVALID" }));
  });

  test("a lease that runs out after the commit repeats nothing", async () => {
    const world = openPayments();
    const dead = world.another();
    world.bank.behaviour.answer = () => new Promise(() => undefined);
    const stuck = dead.pay();
    await calm();
    world.host.advance(BEYOND_LEASES_MS);
    const heir = world.another();
    await heir.gate.recover();
    const held = await heir.pay({ id: "call-2" });
    expect([told(held), told(await heir.query(held))]).toEqual(["OUTCOME_UNKNOWN", "OK receipt_reconciled"]);
    expect(told(await stuck)).toBe("OUTCOME_UNKNOWN");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("the handle of an operation stays the same over retries, and no model sees or gives it", async () => {
    const world = openPayments();
    const first = await world.pay();
    const again = await world.another().pay({ id: "call-2", context: { response_id: "response-2" } });
    const { status_ref } = first.protected_audit.downstream;
    expect(status_ref).toMatch(/^status_[0-9a-f]{32}$/);
    expect(again.protected_audit.downstream.status_ref).toBe(status_ref);
    expect(JSON.stringify([first.model_result, again.model_result])).not.toMatch(/status_[0-9a-f]|key-1/);
  });

  test.each([
    ["before", "OUTCOME_UNKNOWN", 0],
    ["after", "OK receipt_reconciled", 1],
  ] as const)(
    "what is uncertain can be settled by asking, and only by that: lost %s the commit",
    async (when, answer, paid) => {
      const world = openPayments();
      world.bank.behaviour[when === "before" ? "begin" : "answer"] = () => Promise.reject(new Error("killed"));
      const lost = await world.pay();
      expect(told(lost)).toBe("OUTCOME_UNKNOWN");
      for (const id of ["again-1", "again-2"]) expect(told(await world.pay({ id }))).toBe("OUTCOME_UNKNOWN");
      expect(told(await world.query(lost))).toBe(answer);
      expect(world.bank.payments).toHaveLength(paid);
    },
  );

  test("not yet is no answer: it stays unknown until there is a receipt", async () => {
    const world = openPayments();
    const { receipt } = world.bank.behaviour;
    const restore = lose(world);
    const lost = await world.pay();
    restore();
    world.bank.behaviour.receipt = () => null;
    expect(told(await world.query(lost, { id: "query-1" }))).toBe("OUTCOME_UNKNOWN");
    world.bank.behaviour.receipt = () => Promise.reject(new Error("away"));
    expect(told(await world.query(lost, { id: "query-2" }))).toBe("OUTCOME_UNKNOWN");
    world.bank.behaviour.receipt = receipt;
    expect(told(await world.query(lost, { id: "query-3" }))).toBe("OK receipt_reconciled");
    expect(world.bank.payments).toHaveLength(1);
  });
});

describe("an output is checked on every way out", () => {
  const BAD = { output: { payment_id: "not-for-models", account: "A-1", amount: 6 } };

  test("of a write: the outcome is unknown, and it is never a plain error", async () => {
    const world = openPayments();
    world.bank.behaviour.answer = (good) => ({ ...good, ...BAD });
    const answer = await world.pay();
    expect(answer.model_result).toMatchObject({
      status: "unknown",
      error: { code: "OUTPUT_CONTRACT_VIOLATION" },
      execution: { outcome: "unknown" },
    });
    expect(JSON.stringify(answer)).not.toContain("not-for-models");
  });

  test("of a receipt: it settles nothing, and what it says is not told", async () => {
    const world = openPayments();
    const restore = lose(world);
    const lost = await world.pay();
    restore();
    world.bank.behaviour.receipt = (kept) => ({ ...kept, ...BAD });
    const answer = await world.query(lost);
    expect(answer.model_result).toMatchObject({ status: "unknown", data: null, execution: { outcome: "unknown" } });
    expect(JSON.stringify(answer)).not.toContain("not-for-models");
  });

  test("of a read: nothing was changed, and nothing is told", async () => {
    const world = openPayments();
    world.bank.behaviour.lookUp = (good) => ({ ...good, output: { account: "A-2", is_open: true, notes: {} } });
    const answer = await world.dispatch({ tool: "look_up", key: null, input: { account: "A-1" } });
    expect([told(answer), answer.model_result.data]).toEqual(["OUTPUT_CONTRACT_VIOLATION", null]);
  });
});
