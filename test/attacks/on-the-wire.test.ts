import { describe, expect, test } from "vitest";
import { toProviderPayload } from "../../src/index.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import { callgate } from "../cli/command.ts";
import { calm, told } from "../dispatcher/world.ts";
import { callOf, givenFor, openPayments, PAYER, type CallSketch, type Payments } from "./payments.ts";

const ANTHROPIC = { context: PROFILES[1] };
const READ: CallSketch = { ...ANTHROPIC, id: "call-read", tool: "look_up", key: null, input: { account: "A-1" } };

const verdictOf = ({ gate }: Payments, calls: readonly CallSketch[], packages: readonly unknown[]) =>
  gate
    .validateResultSet({ principal: PAYER, calls: calls.map(callOf), packages })
    .map(({ at, rule }) => `${at} ${rule}`);
const payloadOf = ({ gate }: Payments, sketch: CallSketch, given: unknown) =>
  toProviderPayload(gate.registry, givenFor(sketch, given));

describe("every call of a turn has one answer", () => {
  test("a result that was lost on its way back is had again for the same call, from the record", async () => {
    const world = openPayments();
    await world.pay(ANTHROPIC);
    const again = await world.dispatch(ANTHROPIC);
    expect(told(again)).toBe("OK local_replay");
    expect(payloadOf(world, ANTHROPIC, again)).toMatchObject({ tool_use_id: "call-1", is_error: false });
    expect(world.bank.payments).toHaveLength(1);
  });

  test("a call that was not approved has a result like any other", async () => {
    const world = openPayments();
    const refused = await world.dispatch(ANTHROPIC);
    expect(payloadOf(world, ANTHROPIC, refused)).toMatchObject({ type: "tool_result", tool_use_id: "call-1" });
    expect(verdictOf(world, [ANTHROPIC], [refused])).toEqual([]);
  });

  test("where one of two is refused, the other runs, and both are answered", async () => {
    const world = openPayments();
    const [refused, read] = await Promise.all([world.dispatch(ANTHROPIC), world.dispatch(READ)]);
    expect([told(refused), told(read)]).toEqual(["APPROVAL_REQUIRED", "OK fresh"]);
    expect(verdictOf(world, [ANTHROPIC, READ], [read, refused])).toEqual([]);
  });

  test("a refused call that would go unanswered is found before the next request is made", async () => {
    const world = openPayments();
    const [refused, read] = [await world.dispatch(ANTHROPIC), await world.dispatch(READ)];
    expect(verdictOf(world, [ANTHROPIC, READ], [read])).toEqual(["/calls/0 package_missing"]);
    expect(verdictOf(world, [ANTHROPIC, READ], [read, refused, refused])).toEqual(["/packages/2 package_duplicate"]);
  });

  test("two calls that share an id are a conflict, not one another's answer", async () => {
    const world = openPayments();
    const other = { input: { account: "A-2", amount: 7 }, key: "key-2" };
    expect(told(await world.pay())).toBe("OK fresh");
    const second = await world.pay(other);
    expect(told(second)).toBe("CALL_ID_CONFLICT");
    expect(verdictOf(world, [{}, other], [])).toContain("/calls/1 call_duplicate");
    expect(world.bank.payments).toHaveLength(1);
  });

  test("a second call of one id is told so at once, and its approval has an id of its own", async () => {
    const world = openPayments();
    expect(told(await world.dispatch())).toBe("APPROVAL_REQUIRED");
    const other = { input: { account: "A-2", amount: 7 }, key: "key-2" };
    let answer = "none";
    const dispatchIt = async (): Promise<void> => {
      answer = told(await world.dispatch(other));
    };
    const dispatched = dispatchIt();
    await calm();
    expect(answer).toBe("CALL_ID_CONFLICT");
    await dispatched;
    const ids = [world.approve(), world.approve(), world.approve(other)].map(({ approval_id }) => approval_id);
    expect(new Set([...ids, "call-1"]).size).toBe(4);
  });

  test("thousands of results for one call are refused, and the list of what is wrong ends", async () => {
    const world = openPayments();
    const given = await world.pay();
    const verdict = verdictOf(
      world,
      [{}],
      Array.from({ length: 3_000 }, () => given),
    );
    expect(verdict).toContain("/packages/1 package_duplicate");
    expect(verdict.length).toBeLessThanOrEqual(1_000);
  });
});

describe("arguments that came in pieces", () => {
  test.each(['{"account":"A-1","amount":5', '{"account":"A-1","amount":5}', '{"account":"A-1","amount":5}}'])(
    "a text is not mended into arguments: %s",
    async (input) => {
      const world = openPayments();
      expect(told(await world.dispatch({ input }))).toBe("INVALID_ARGUMENTS");
      expect(world.bank.asked).toEqual([]);
    },
  );

  const whole = JSON.stringify({ principal: PAYER, call: callOf() });
  test.each([
    ["a text that ends too early is no JSON, whatever it is labelled", whole.slice(0, -2)],
    ["two texts behind one another are no JSON", `${whole}${whole}`],
  ])("%s", (_what, input) => {
    expect(callgate(["digest", "-"], { input: whole }).status).toBe(0);
    const { status, stdout, stderr } = callgate(["digest", "-"], { input });
    expect([status, stdout, stderr.split(": ")[1]]).toEqual([2, "", "JSON_SYNTAX"]);
  });
});
