import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approvalFor, RIGHT_APPROVAL } from "./approval-sketches.ts";
import { interleavings } from "./arbitraries.ts";
import { alone, dispatching, querying } from "./contract-model.ts";
import { explainedRounds, type Round, type Told, withoutCount } from "./interleavings.ts";
import type { DispatchStep, QueryStep, Step } from "./steps.ts";
import { changeOrder, handleOf, newWorld } from "./world.ts";

const call = {
  principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
  proposal: { name: "create_refund_draft", arguments: { order_ref: "ORDER-7", reason: "duplicate" } },
  registered: "first" as const,
  now: 1000,
  variant: 0,
};
const context = {
  provider: "openai",
  api_family: "responses",
  response_id: "response-1",
  operation_id: "operation-1",
  idempotency_key: "key-1",
  adapter_revision: "openai-responses-v1",
};

function write(call_id: string, fault: DispatchStep["fault"] = "none"): DispatchStep {
  const bare: DispatchStep = { kind: "dispatch", ...call, context: { ...context, call_id }, approvals: [], fault };
  return { ...bare, approvals: [approvalFor(bare, RIGHT_APPROVAL)] };
}

function query(call_id: string): QueryStep {
  const { principal, proposal } = call;
  const statusRef = handleOf(principal, "create_refund_draft", "key-1", {
    order_ref: proposal.arguments.order_ref,
    reason: proposal.arguments.reason,
  });
  return { kind: "query", ...call, context: { ...context, call_id }, statusRef, expectedRequest: "own", fault: "none" };
}

const inShort = (told: Told): string =>
  told === null || told === "host error" ? String(told) : `${told.code} ${told.delivery}`;

/** Whether a round can be told this. Shape: each answer is `code delivery`. */
function explained(steps: readonly Step[], told: readonly string[], late: boolean): boolean {
  const fits = (predicted: Told, _: Told, index: number): boolean => inShort(predicted) === told[index];
  const nobody = { steps, told: steps.map(() => null), mayBeLate: steps.map(() => late) };
  return [0, 1, 2].some((runs) => explainedRounds(newWorld(), [{ ...nobody, runs }], fits) === 1);
}

const twins = [write("a"), write("b")];
const refusedOnce = [write("a", "RATE_LIMIT"), write("b")];
const lost = [write("a", "lost"), write("b")];
const asked = [write("a"), query("q")];

describe("what can be told about things that happen at once", () => {
  test.each<readonly [string, readonly Step[], readonly string[], boolean, boolean]>([
    ["one of two runs, the other repeats it", twins, ["OK fresh", "OK local_replay"], false, true],
    ["whichever it is", twins, ["OK local_replay", "OK fresh"], false, true],
    ["never do both run", twins, ["OK fresh", "OK fresh"], false, false],
    ["somebody ran", twins, ["OK local_replay", "OK local_replay"], false, false],
    ["nobody doubts without need", twins, ["OK fresh", "OUTCOME_UNKNOWN fresh"], false, false],
    ["who waits too long doubts", twins, ["OK fresh", "OUTCOME_UNKNOWN fresh"], true, true],
    ["both may doubt", twins, ["OUTCOME_UNKNOWN fresh", "OUTCOME_UNKNOWN fresh"], true, true],
    ["both may be too late", twins, ["TIMEOUT_BEFORE_EXECUTE fresh", "TIMEOUT_BEFORE_EXECUTE fresh"], true, true],
    ["after a known no the next one runs", refusedOnce, ["RATE_LIMIT fresh", "OK fresh"], false, true],
    ["or finds that it was run", refusedOnce, ["OK local_replay", "OK fresh"], false, true],
    ["a lost answer is lost for both", lost, ["OUTCOME_UNKNOWN fresh", "OUTCOME_UNKNOWN fresh"], false, true],
    ["unless the other was first", lost, ["OK local_replay", "OK fresh"], false, true],
    ["it is never known to one only", lost, ["OUTCOME_UNKNOWN fresh", "OK local_replay"], false, false],
    ["what is not in doubt cannot be queried", asked, ["OK fresh", "NOT_FOUND fresh"], false, true],
    ["a query finds no settled outcome by itself", asked, ["OK fresh", "OK local_replay"], false, false],
    ["a lost answer may be asked for at once", asked, ["OUTCOME_UNKNOWN fresh", "OK receipt_reconciled"], true, true],
  ])("%s", (_, steps, told, late, possible) => {
    expect(explained(steps, told, late)).toBe(possible);
  });

  test("a waiter's doubt makes the outcome of another's run a thing to query", () => {
    const steps = [...twins, query("q")];
    expect(explained(steps, ["OK fresh", "OUTCOME_UNKNOWN fresh", "OK local_replay"], true)).toBe(true);
    expect(explained(steps, ["OK fresh", "OUTCOME_UNKNOWN fresh", "OUTCOME_UNKNOWN fresh"], true)).toBe(true);
    expect(explained(steps, ["OK fresh", "OUTCOME_UNKNOWN fresh", "OK receipt_reconciled"], true)).toBe(false);
  });

  test("what was doubted and then given back is not found", () => {
    const steps = [write("a", "RATE_LIMIT"), write("b"), query("q")];
    expect(explained(steps, ["RATE_LIMIT fresh", "OUTCOME_UNKNOWN fresh", "NOT_FOUND fresh"], true)).toBe(true);
    expect(explained(steps, ["RATE_LIMIT fresh", "OUTCOME_UNKNOWN fresh", "STATUS_CONFLICT fresh"], true)).toBe(false);
  });

  test("one of three may give up while another runs and the third waits", () => {
    const steps = [write("a"), write("b"), write("c")];
    expect(explained(steps, ["OK local_replay", "OK fresh", "OUTCOME_UNKNOWN fresh"], true)).toBe(true);
    expect(explained(steps, ["OK local_replay", "OUTCOME_UNKNOWN fresh", "OUTCOME_UNKNOWN fresh"], true)).toBe(false);
  });
});

test("one after the other is always an explanation", () => {
  fc.assert(
    fc.property(interleavings, ({ rounds }) => {
      const world = newWorld();
      const told = rounds.map(({ steps }): Round => {
        const answers = steps.map((step): Told => {
          if (step.kind === "dispatch") return alone(dispatching(world, step));
          if (step.kind === "query") return alone(querying(world, step));
          changeOrder(world, step);
          return null;
        });
        return { steps, told: answers, mayBeLate: steps.map(() => false), runs: world.runs };
      });
      const fits = (predicted: Told, observed: Told): boolean =>
        isDeepStrictEqual(withoutCount(predicted), withoutCount(observed));
      expect(explainedRounds(newWorld(), told, fits)).toBe(rounds.length);
    }),
    { seed: 1, numRuns: 200 },
  );
});
