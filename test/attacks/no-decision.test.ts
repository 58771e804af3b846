import { describe, expect, test } from "vitest";
import { toProviderPayload } from "../../src/index.ts";
import { approvalEngine } from "../../src/engine/approval.ts";
import { reserveRun } from "../../src/ledger/approval-runs.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import { calm, latch, told } from "../dispatcher/world.ts";
import { DEADLINE_MS, givenFor, openPayments, requestOf, REVIEWER, START_SECONDS } from "./payments.ts";

const READ = { id: "call-read", tool: "look_up", key: null, input: { account: "A-1" } };

describe("no decision, or none in time", () => {
  test.each(["approve", "yes, go on", '{"approved":true}'])(
    "a word in a message decides nothing, and the model is told that nothing was done: %j",
    async (word) => {
      const world = openPayments();
      const { model_result } = await world.dispatch({}, [word]);
      expect(model_result).toMatchObject({
        status: "failed",
        error: { code: "APPROVAL_INVALID" },
        execution: { outcome: "not_started" },
      });
      expect(world.bank.payments).toEqual([]);
    },
  );

  test.each(PROFILES.map((profile) => [profile.provider, profile] as const))(
    "a refusal never goes out as something completed: %s",
    async (provider, profile) => {
      const world = openPayments();
      const sketch = { context: profile };
      const payload = toProviderPayload(world.gate.registry, givenFor(sketch, await world.dispatch(sketch)));
      const sent = JSON.stringify(payload);
      expect(sent).toContain(String.raw`\"status\":\"failed\"`);
      expect(sent).not.toContain("succeeded");
      if (provider === "anthropic") expect(payload).toMatchObject({ is_error: true });
    },
  );

  test.each(["authorize", "begin"] as const)("whoever never answers is not waited for: %s", async (which) => {
    const world = openPayments();
    world.bank.behaviour[which] = () => new Promise(() => undefined);
    const running = world.pay();
    await calm();
    world.host.advance(DEADLINE_MS);
    expect(told(await running)).toBe(which === "begin" ? "OUTCOME_UNKNOWN" : "TIMEOUT_BEFORE_EXECUTE");
  });

  test("an approval without an end is none, and cannot be made", async () => {
    const world = openPayments();
    const { expires_at: _end, ...endless } = world.approve();
    const others = [null, Infinity, Number.MAX_SAFE_INTEGER, "never"].map((expires_at) => ({ ...endless, expires_at }));
    expect(told(await world.dispatch({}, [endless, ...others]))).toBe("APPROVAL_INVALID");
    const request = { ...requestOf(), approverId: REVIEWER };
    expect(() => world.gate.approve(request as never)).toThrow(expect.objectContaining({ code: "REQUEST_INVALID" }));
    for (const lifeSeconds of [0, -1, Infinity, Number.NaN, "60", null]) {
      expect(() => world.gate.approve({ ...request, lifeSeconds } as never)).toThrow(
        expect.objectContaining({ code: "REQUEST_INVALID" }),
      );
    }
    expect(world.gate.approve({ ...request, lifeSeconds: 1 }).expires_at).toBe(START_SECONDS + 1);
  });

  test("a free call in the same turn frees no other", async () => {
    const world = openPayments();
    const [read, write] = await Promise.all([world.dispatch(READ), world.dispatch()]);
    expect([told(read), told(write)]).toEqual(["OK fresh", "APPROVAL_REQUIRED"]);
    expect(told(await world.dispatch({ ...READ, id: "call-2" }, [world.approve()]))).toBe("OK fresh");
    expect(told(await world.dispatch())).toBe("APPROVAL_REQUIRED");
    expect(world.bank.payments).toEqual([]);
  });

  test("a second window cannot undo a call that executes", async () => {
    const world = openPayments();
    const started = latch();
    world.bank.behaviour.begin = () => started.held;
    const running = world.pay();
    await calm();
    const other = world.another();
    const unapproved = other.dispatch();
    const conflicting = await other.dispatch({ id: "call-2", input: { account: "A-1", amount: 6 } });
    expect(told(conflicting)).toBe("IDEMPOTENCY_CONFLICT");
    await calm();
    started.open();
    expect([told(await running), told(await unapproved)]).toEqual(["OK fresh", "OK local_replay"]);
    expect(world.bank.payments).toHaveLength(1);
  });
});

describe("a decision against it", () => {
  const context = { approvalId: null, approverId: null, expiresAt: null, holder: null };
  const engine = approvalEngine();

  test.each(["denied", "withdrawn", "voided", "consumed"] as const)(
    "what was turned down or used up stays so, whatever approval is presented: %s",
    (state) => {
      const approval = { key: "key", approvalId: "approval-1", approverId: REVIEWER, expiresAt: START_SECONDS + 60 };
      const reserve = (of: "requested" | typeof state) =>
        reserveRun({ state: of, context }, approval as never, "attempt-1" as never, START_SECONDS).kind;
      expect([reserve("requested"), reserve(state)]).toEqual(["reserved", "spent"]);
    },
  );

  test.each(["request.denied", "request.withdrawn"] as const)(
    "a second click on the same button finds nothing to decide: %s",
    (type) => {
      const first = engine.step("requested", context, { type });
      if (first.kind === "refused") throw new Error("the first click was refused");
      expect(engine.step(first.to, first.context, { type })).toMatchObject({ code: "EVENT_OUT_OF_PLACE" });
      const late = { type: "request.granted", approvalId: "a", approverId: REVIEWER, expiresAt: 1 } as const;
      expect(engine.step(first.to, first.context, late)).toMatchObject({ code: "EVENT_OUT_OF_PLACE" });
    },
  );
});
