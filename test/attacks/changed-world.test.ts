import { describe, expect, test } from "vitest";
import { NotStarted } from "../../src/index.ts";
import { calm, latch, told } from "../dispatcher/world.ts";
import {
  DEADLINE_MS,
  NEIGHBOUR,
  openPayments,
  requestOf,
  type Bank,
  type CallSketch,
  type Payments,
} from "./payments.ts";

const close = ({ accounts }: Bank): void => {
  for (const [name, account] of accounts) accounts.set(name, { ...account, isOpen: false });
};
const giveAway = ({ accounts }: Bank): void => {
  for (const [name, account] of accounts) accounts.set(name, { ...account, owner: "somebody" });
};

describe("what an approved call is about has changed", () => {
  const changes: readonly (readonly [string, (bank: Bank) => void, string])[] = [
    ["its business state", close, "BUSINESS_RULE_VIOLATION"],
    ["its owner", giveAway, "NOT_FOUND"],
  ];

  test.each(changes)("%s, after the approval", async (_what, change, code) => {
    const world = openPayments();
    const approval = world.approve();
    change(world.bank);
    expect(told(await world.dispatch({}, [approval]))).toBe(code);
    expect(world.bank.payments).toEqual([]);
  });

  test.each(changes)("%s, while the call waited for another's run", async (_what, change, code) => {
    const world = openPayments();
    const first = latch();
    world.bank.behaviour.begin = () => first.held;
    const running = world.pay();
    await calm();
    const waiting = world.pay({ id: "call-2" });
    await calm();
    change(world.bank);
    first.fail(new NotStarted("RATE_LIMIT"));
    expect([told(await running), told(await waiting)]).toEqual(["RATE_LIMIT", code]);
    expect(world.bank.payments).toEqual([]);
    expect(world.bank.asked.filter((what) => what === "execute")).toHaveLength(1);
  });

  test.each(changes)("%s, between its intent and its recovery by another process", async (_what, change, code) => {
    const world = openPayments();
    const dead = world.another({
      between: (ledger) => ({ ...ledger, recordStart: () => new Promise(() => undefined) }),
    });
    const stuck = dead.pay();
    stuck.catch(() => undefined);
    await calm();
    change(world.bank);
    world.host.advance(DEADLINE_MS + 5_000);
    const heir = world.another();
    await heir.gate.recover();
    expect(told(await heir.pay({ id: "call-2" }))).toBe(code);
    expect(world.bank.payments).toEqual([]);
  });
});

describe("a payment that throws or answers wrongly", () => {
  const wrong: Readonly<Record<string, (good: object) => unknown>> = {
    throws: () => Promise.reject(new Error("not-for-models")),
    "throws what claims to be a known no": () =>
      Promise.reject(Object.assign(new Error("not-for-models"), { name: "NotStarted", code: "RATE_LIMIT" })),
    "answers another amount": (good) => ({ ...good, output: { payment_id: "P", account: "A-1", amount: 500 } }),
    "answers with one member more": (good) => ({ ...good, approved: true }),
    "answers a package of its own": () => ({ model_result: { status: "succeeded" }, protected_audit: {} }),
    "answers by another producer": (good) => ({ ...good, producerRevision: "not-for-models" }),
    "answers nothing": () => undefined,
    "answers the text of a success": () => '{"status":"succeeded"}',
  };
  test.each(Object.keys(wrong))(
    "%s: it is unknown, is not repeated, and its word is kept from models",
    async (which) => {
      const world = openPayments();
      const { answer } = world.bank.behaviour;
      const approval = world.approve();
      world.bank.behaviour.answer = (good) => wrong[which]?.(good);
      const first = await world.dispatch({}, [approval]);
      world.bank.behaviour.answer = answer;
      expect(first.model_result).toMatchObject({ status: "unknown", data: null, execution: { outcome: "unknown" } });
      expect(JSON.stringify(first)).not.toContain("not-for-models");
      expect(told(await world.dispatch({}, [approval]))).toBe("OUTCOME_UNKNOWN");
      expect(told(await world.pay({ id: "call-2" }))).toBe("OUTCOME_UNKNOWN");
      expect(world.bank.payments).toHaveLength(1);
      expect(told(await world.query(first))).toBe("OK receipt_reconciled");
      expect(world.bank.payments).toHaveLength(1);
    },
  );
});

describe("an identity has one purpose", () => {
  const lost = async (world: Payments) => {
    const { answer } = world.bank.behaviour;
    world.bank.behaviour.answer = () => Promise.reject(new Error("lost"));
    const first = await world.pay();
    world.bank.behaviour.answer = answer;
    return first;
  };

  test("one that was used for a query never dispatches", async () => {
    const world = openPayments();
    const first = await lost(world);
    expect(told(await world.query(first, { id: "query-1" }))).toBe("OK receipt_reconciled");
    expect(told(await world.pay({ id: "query-1" }))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.pay({ id: "query-1", key: "key-2" }))).toBe("CALL_ID_CONFLICT");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("not even one of a query that was refused", async () => {
    const world = openPayments();
    const first = await world.pay();
    expect(told(await world.query(first, { id: "query-1" }))).toBe("NOT_FOUND");
    expect(told(await world.pay({ id: "query-1", key: "key-2" }))).toBe("CALL_ID_CONFLICT");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("one that was dispatched never asks", async () => {
    const world = openPayments();
    const first = await lost(world);
    expect(told(await world.query(first, { id: "call-1" }))).toBe("CALL_ID_CONFLICT");
    expect(world.bank.asked).not.toContain("receipt");
  });
});

describe("who asks for what is not theirs to know", () => {
  const lostBy = async (world: Payments) => {
    world.bank.behaviour.answer = () => Promise.reject(new Error("lost"));
    return world.pay();
  };

  test.each(["true", 1, {}, [], undefined, null, Object(true)])(
    "anything but true opens no account: %j",
    async (said) => {
      const world = openPayments();
      world.bank.behaviour.authorize = () => said;
      expect(told(await world.pay())).toBe("NOT_FOUND");
      expect(world.bank.asked).toEqual(["authorize"]);
    },
  );

  test("a handle that was made up, and one of somebody else, look the same", async () => {
    const world = openPayments();
    const { downstream, binding } = (await lostBy(world)).protected_audit;
    const ask = async (sketch: CallSketch, statusRef: string) =>
      world.gate.queryStatus({ ...requestOf(sketch), statusRef, expectedRequestSha256: binding.request_sha256 });
    const theirs = { by: NEIGHBOUR, id: "query-1", input: { account: "B-1", amount: 5 } };
    const answers = [
      await ask(theirs, String(downstream.status_ref)),
      await ask({ id: "query-2" }, `status_${"0".repeat(32)}`),
    ];
    expect(answers.map(told)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
    expect(answers[0]?.model_result).toEqual(answers[1]?.model_result);
    expect(world.bank.asked).not.toContain("receipt");
  });

  test("a query that expects another request is a conflict, and no receipt is fetched for it", async () => {
    const world = openPayments();
    const { downstream } = (await lostBy(world)).protected_audit;
    const query = { ...requestOf({ id: "query-1" }), statusRef: String(downstream.status_ref) };
    const answer = await world.gate.queryStatus({ ...query, expectedRequestSha256: "0".repeat(64) });
    expect([told(answer), answer.model_result.data]).toEqual(["STATUS_CONFLICT", null]);
    expect(world.bank.asked).not.toContain("receipt");
  });
});
