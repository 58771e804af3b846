import { describe, expect, test } from "vitest";
import { calm, latch, told } from "../dispatcher/world.ts";
import { BEYOND_LEASES_MS, callOf, openPayments, PAYER } from "./payments.ts";

const A = { id: "call-a", key: "key-a", input: { account: "A-1", amount: 1 } };
const B = { id: "call-b", key: "key-b", input: { account: "A-2", amount: 2 } };

describe("something runs again that has run", () => {
  test("a history that is sent once more, in a later turn, is answered from the records", async () => {
    const world = openPayments();
    const approvals = [world.approve(A), world.approve(B)];
    const turn = async () => [await world.dispatch(A, approvals), await world.dispatch(B, approvals)];
    const first = await turn();
    world.host.setNow(world.host.now() + 3_600);
    const second = await turn();
    expect([...first, ...second].map(told)).toEqual(["OK fresh", "OK fresh", "OK local_replay", "OK local_replay"]);
    expect(world.bank.payments).toEqual([A.input, B.input]);
  });

  test("what failed after the tool had run repeats the answer, not the tool", async () => {
    const world = openPayments();
    const approval = world.approve();
    const first = await world.dispatch({}, [approval]);
    const resumed = await world.another().dispatch({}, [approval]);
    expect(told(resumed)).toBe("OK local_replay");
    expect(resumed.model_result.data).toEqual(first.model_result.data);
    expect(resumed.protected_audit.downstream).toEqual(first.protected_audit.downstream);
    expect(world.bank.payments).toHaveLength(1);
  });

  test("answers of an earlier round are none of this round's", async () => {
    const world = openPayments();
    const later = { ...B, context: { response_id: "response-2" } };
    const [earlier, now] = [await world.pay(A), await world.pay(later)];
    const verdict = (packages: readonly unknown[]) =>
      world.gate
        .validateResultSet({ principal: PAYER, calls: [callOf(later)], packages })
        .map(({ at, rule }) => `${at} ${rule}`);
    expect(verdict([now])).toEqual([]);
    expect(verdict([earlier, now])).toEqual(["/packages/0 package_unknown"]);
  });

  test("a finished call whose approval was lost from the history needs none", async () => {
    const world = openPayments();
    const first = await world.pay();
    const again = await world.dispatch({}, []);
    expect(told(again)).toBe("OK local_replay");
    expect(again.model_result.data).toEqual(first.model_result.data);
  });

  test("a start-up runs nothing that waits for a decision", async () => {
    const world = openPayments();
    expect(told(await world.dispatch(A))).toBe("APPROVAL_REQUIRED");
    world.approve(A);
    world.host.advance(BEYOND_LEASES_MS);
    await world.another().gate.recover();
    await calm();
    expect(world.bank.payments).toEqual([]);
    expect(told(await world.dispatch(A, [world.approve(A)]))).toBe("OK fresh");
  });

  test("a double click that reaches two processes is one", async () => {
    const world = openPayments();
    const approval = world.approve();
    const other = world.another();
    const answers = await Promise.all([world.dispatch({}, [approval]), other.dispatch({}, [approval])]);
    expect(answers.map(told).toSorted()).toEqual(["OK fresh", "OK local_replay"]);
    expect(world.bank.payments).toHaveLength(1);
  });

  test("an approval that was spent in one process is spent in the next", async () => {
    const world = openPayments();
    const approval = world.approve();
    expect(told(await world.dispatch({}, [approval]))).toBe("OK fresh");
    const processes = Array.from({ length: 5 }, () => world.another());
    for (const next of processes) expect(told(await next.dispatch({}, [approval]))).toBe("OK local_replay");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("an approval is spent by an error as well as by a success", async () => {
    const world = openPayments();
    const approval = world.approve();
    world.bank.behaviour.begin = () => Promise.reject(new Error("broken"));
    expect(told(await world.dispatch({}, [approval]))).toBe("OUTCOME_UNKNOWN");
    world.bank.behaviour.begin = () => undefined;
    expect(told(await world.dispatch({}, [approval]))).toBe("OUTCOME_UNKNOWN");
    expect(world.bank.payments).toEqual([]);
  });

  test("an approval is taken, not looked at: as many as ask, one gets it", async () => {
    const world = openPayments();
    const approval = world.approve();
    const started = latch();
    world.bank.behaviour.begin = () => started.held;
    const running = Array.from({ length: 20 }, () => world.dispatch({}, [approval]));
    await calm();
    expect(world.bank.asked.filter((what) => what === "execute")).toHaveLength(1);
    started.open();
    expect((await Promise.all(running)).filter((answer) => told(answer) === "OK fresh")).toHaveLength(1);
  });

  test("a second decision in a turn does not run the first call again", async () => {
    const world = openPayments();
    const approvals = [world.approve(A)];
    const round = async () => [told(await world.dispatch(A, approvals)), told(await world.dispatch(B, approvals))];
    expect(await round()).toEqual(["OK fresh", "APPROVAL_INVALID"]);
    approvals.push(world.approve(B));
    expect(await round()).toEqual(["OK local_replay", "OK fresh"]);
    expect(await round()).toEqual(["OK local_replay", "OK local_replay"]);
    expect(world.bank.payments).toEqual([A.input, B.input]);
  });

  test("a call that is resumed twice, with two different values, is refused the second time", async () => {
    const world = openPayments();
    expect(told(await world.pay(A))).toBe("OK fresh");
    expect(told(await world.pay({ ...A, input: { account: "A-1", amount: 2 } }))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.pay({ ...A, id: "call-c", input: { account: "A-1", amount: 2 } }))).toBe(
      "IDEMPOTENCY_CONFLICT",
    );
    expect(world.bank.payments).toEqual([A.input]);
  });

  test("a cancellation after the start is an unknown outcome, and resets nothing", async () => {
    const world = openPayments();
    const started = latch();
    const caller = new AbortController();
    const approval = world.approve();
    world.bank.behaviour.begin = () => started.held;
    const running = world.dispatch({}, [approval], caller.signal);
    await calm();
    caller.abort();
    expect(told(await running)).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.dispatch({}, [approval]))).toBe("OUTCOME_UNKNOWN");
    started.open();
    await calm();
    expect(told(await world.dispatch({}, [approval]))).toBe("OUTCOME_UNKNOWN");
    expect(world.bank.payments).toHaveLength(1);
    expect(world.bank.asked.filter((what) => what === "execute")).toHaveLength(1);
  });

  test("a repeated call asks for access again, and for nothing that was decided", async () => {
    const world = openPayments();
    const first = await world.pay();
    world.bank.asked.length = 0;
    world.bank.accounts.set("A-1", { tenant: "tenant-a", owner: "payer-1", isOpen: false });
    const again = await world.dispatch();
    expect([told(again), again.model_result.data]).toEqual(["OK local_replay", first.model_result.data]);
    expect(world.bank.asked).toEqual(["authorize"]);
    world.bank.behaviour.authorize = () => false;
    expect(told(await world.dispatch())).toBe("NOT_FOUND");
  });

  test("two approved calls of one tool each have their own run and their own answer", async () => {
    const world = openPayments();
    const alike = { ...A, id: "call-alike", key: "key-alike" };
    const answers = [await world.pay(A), await world.pay(alike)];
    const again = [await world.dispatch(A), await world.dispatch(alike)];
    const ids = [...answers, ...again].map(({ model_result }) => model_result.data?.["payment_id"]);
    expect(ids).toEqual(["PAYMENT-1", "PAYMENT-2", "PAYMENT-1", "PAYMENT-2"]);
    expect(world.bank.payments).toEqual([A.input, A.input]);
  });
});
