import { describe, expect, test } from "vitest";
import { PROFILES } from "../../src/protocol/call.ts";
import type { Approval, Observer } from "../../src/index.ts";
import { troubleWith } from "../dispatcher/troubled-ledger.ts";
import { told } from "../dispatcher/world.ts";
import {
  NEIGHBOUR,
  openPayments,
  PAYER,
  REVIEWER,
  START_SECONDS,
  type CallSketch,
  type Payments,
  type PaymentsOptions,
} from "./payments.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

async function expectRefused(world: Payments, sketch: CallSketch, approvals: readonly unknown[]): Promise<void> {
  expect(told(await world.dispatch(sketch, approvals))).toBe("APPROVAL_INVALID");
  expect(world.bank.payments).toEqual([]);
}

describe("an approver who is not one", () => {
  test("is refused where the approval is written down", () => {
    const world = openPayments();
    for (const nobody of ["intruder", "Reviewer-1", "reviewer-1 ", PAYER.subject_id]) {
      expect(() => world.approve({}, nobody)).toThrow(expect.objectContaining({ code: "APPROVER_INELIGIBLE" }));
    }
  });

  test("is refused with an approval that is right in everything else", async () => {
    const world = openPayments();
    const elsewhere = world.another({ approvers: ["intruder"] });
    await expectRefused(world, {}, [elsewhere.approve({}, "intruder")]);
    expect(told(await elsewhere.dispatch({}, [elsewhere.approve({}, "intruder")]))).toBe("OK fresh");
  });

  test("is refused under the name of one who is", async () => {
    const world = openPayments();
    const elsewhere = world.another({ approvers: ["intruder"] });
    await expectRefused(world, {}, [{ ...elsewhere.approve({}, "intruder"), approver_id: REVIEWER }]);
  });
});

describe("a malformed approver, and every other malformed member, never counts", () => {
  const members: readonly (keyof Approval)[] = [
    ...(["approval_id", "operation_id", "call_id", "provider", "api_family", "adapter_revision"] as const),
    ...(["idempotency_key", "tool_name", "subject_id", "schema_version", "approval_revision"] as const),
    ...(["approval_digest", "expires_at", "approver_id"] as const),
  ];
  const NEVER = [undefined, null, true, "", " \u3000", "x".repeat(256), [REVIEWER], { approver_id: REVIEWER }, 1n];
  test.each(members)("%s", async (member) => {
    const world = openPayments();
    const good = world.approve();
    const wrong = NEVER.map((value) => ({ ...good, [member]: value }));
    const { [member]: _gone, ...without } = good;
    const inherited = Object.assign(Object.create({ [member]: good[member] }) as object, without);
    const hidden = Object.defineProperty({ ...without }, member, { get: () => good[member], enumerable: true });
    await expectRefused(world, {}, [...wrong, without, inherited, hidden, { ...good, more: true }, [good], "yes"]);
    expect(told(await world.dispatch({}, [...wrong, good]))).toBe("OK fresh");
  });

  test.each([0.5, -1, Infinity, Number.NaN, START_SECONDS + 0.5, 253_402_300_800, String(START_SECONDS + 60)])(
    "expiry at %s",
    async (expires_at) => {
      const world = openPayments();
      await expectRefused(world, {}, [{ ...world.approve(), expires_at }]);
    },
  );
});

describe("the last moment of an approval", () => {
  test("executed a second before its expiry, it counts", async () => {
    const world = openPayments();
    const approval = world.approve();
    world.host.setNow(approval.expires_at - 1);
    expect(told(await world.dispatch({}, [approval]))).toBe("OK fresh");
  });

  /** The states that a payment went through which was late at one moment. */
  const statesOf = async (
    late: (approval: Approval, world: Payments) => PaymentsOptions,
  ): Promise<readonly string[]> => {
    const world = openPayments();
    const approval = world.approve();
    const states: string[] = [];
    const observer: Observer = ({ machine, next }) => {
      if (machine === "operation") states.push(next);
    };
    await expectRefused(world.another({ ...late(approval, world), observer }), {}, [approval]);
    return states;
  };

  test("executed exactly at its expiry, it does not", async () => {
    const states = await statesOf((approval, { host }) => {
      host.setNow(approval.expires_at);
      return {};
    });
    expect(states).not.toContain("approved");
  });

  test.each([
    ["recordIntent", "approved", "executing"],
    ["recordStart", "executing", "fresh"],
  ] as const)("expired when %s is stored, it does not", async (method, reached, unreached) => {
    const states = await statesOf((approval, { host }) => ({
      between: troubleWith(method, 1, (carryOut) => {
        host.setNow(approval.expires_at);
        return carryOut();
      }),
    }));
    expect(states).toContain(reached);
    expect(states).not.toContain(unreached);
  });
});

describe("an approval of one call, reused", () => {
  const others: readonly (readonly [string, CallSketch])[] = [
    ["for other arguments", { input: { account: "A-1", amount: 6 } }],
    ["for another account of the same person", { input: { account: "A-2", amount: 5 } }],
    ["for another key", { key: "key-2" }],
    ["for another provider", { context: PROFILES[1] }],
    ["for another call id", { id: "call-2" }],
    ["for another response", { context: { response_id: "response-2" } }],
    ["for another operation", { context: { operation_id: "operation-2" } }],
  ];
  test.each(others)("%s, as it is or relabelled", async (_what, sketch) => {
    const world = openPayments();
    const approval = world.approve();
    const { approval_digest } = approval;
    await expectRefused(world, sketch, [approval, { ...world.approve(sketch), approval_digest }]);
    expect(told(await world.pay(sketch))).toBe("OK fresh");
  });

  test("for another revision of the policy", async () => {
    const world = openPayments();
    const renewed = world.another({ policyRevision: "policy-v2" });
    const { approval_digest } = world.approve();
    await expectRefused(renewed, {}, [world.approve(), { ...renewed.approve(), approval_digest }]);
  });

  test("by somebody else", async () => {
    const world = openPayments();
    const theirs = { by: NEIGHBOUR, input: { account: "B-1", amount: 5 } };
    const { approval_digest } = world.approve();
    await expectRefused(world, theirs, [world.approve(), { ...world.approve(theirs), approval_digest }]);
  });
});

describe("one approval presented by many at once", () => {
  const CROWD = 40;
  const inTurn = Array.from({ length: CROWD }, (_, index) => index);

  test("in as many processes: one payment, the same answer for all", async () => {
    const world = openPayments();
    const approval = world.approve();
    const gates = inTurn.map(() => world.another());
    const answers = await Promise.all(gates.map((gate) => gate.dispatch({}, [approval])));
    expect(answers.map(told).toSorted()).toEqual(["OK fresh", ...inTurn.slice(1).map(() => "OK local_replay")]);
    expect(world.bank.payments).toHaveLength(1);
  });

  test("under as many keys: only the one that was approved pays", async () => {
    const world = openPayments();
    const approval = world.approve();
    const answers = await Promise.all(
      inTurn.map((index) => world.dispatch({ id: `call-${index + 1}`, key: `key-${index + 1}` }, [approval])),
    );
    expect(answers.map(told)).toEqual(["OK fresh", ...inTurn.slice(1).map(() => "APPROVAL_INVALID")]);
    expect(world.bank.payments).toHaveLength(1);
  });
});

describe("years later", () => {
  test("an approved call that has run is answered from the record, and does not run again", async () => {
    const world = openPayments();
    const approval = world.approve();
    const first = await world.dispatch({}, [approval]);
    world.host.setNow(START_SECONDS + 5 * YEAR_SECONDS);
    for (const id of ["call-1", "call-2"]) {
      const later = await world.dispatch({ id }, [approval]);
      expect(told(later)).toBe("OK local_replay");
      expect(later.model_result.data).toEqual(first.model_result.data);
    }
    expect(world.bank.payments).toHaveLength(1);
  });

  test("an approval that was never used has expired", async () => {
    const world = openPayments();
    const approval = world.approve();
    world.host.setNow(START_SECONDS + 5 * YEAR_SECONDS);
    await expectRefused(world, {}, [approval]);
  });
});
