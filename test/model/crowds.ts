import * as fc from "fast-check";
import { approvalFor, RIGHT_APPROVAL } from "./approval-sketches.ts";
import { handleOf } from "./contract-model.ts";
import { PROFILE_ROWS } from "./sample-facts.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import type { DispatchStep, QueryStep } from "./steps.ts";
import { weighted } from "./weighted.ts";

const principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
const input = { order_ref: "ORDER-7", reason: "duplicate" };
const [provider, api_family, adapter_revision] = PROFILE_ROWS[0];

const callOf = (identity: number, variant: number) => ({
  principal,
  proposal: { name: "create_refund_draft", arguments: input },
  context: {
    ...{ provider, api_family, adapter_revision },
    response_id: "response-1",
    call_id: `call-${identity}`,
    operation_id: "operation-1",
    idempotency_key: "key-1",
  },
  now: 1000,
  variant,
});

const variants = fc.nat({ max: 29 });

const dispatches = fc.record({
  variant: variants,
  fault: weighted<DispatchStep["fault"]>([
    [10, "none"],
    [1, "RATE_LIMIT"],
    [1, "TIMEOUT_BEFORE_EXECUTE"],
    [1, "lost"],
    [1, "throws"],
    [1, "bad_output"],
  ]),
});

const queries = fc.record({
  variant: variants,
  fault: weighted<QueryStep["fault"]>([
    [4, "none"],
    [1, "receipt_withheld"],
    [1, "receipt_contradicts"],
  ]),
});

function dispatchOf(identity: number, { variant, fault }: { variant: number; fault: DispatchStep["fault"] }) {
  const bare: DispatchStep = { kind: "dispatch", ...callOf(identity, variant), approvals: [], fault };
  return { ...bare, approvals: [approvalFor(bare, RIGHT_APPROVAL)] };
}

function queryOf(identity: number, { variant, fault }: { variant: number; fault: QueryStep["fault"] }): QueryStep {
  const statusRef = handleOf(principal, "create_refund_draft", "key-1", input);
  return { kind: "query", ...callOf(identity, variant), statusRef, expectedRequest: "own", fault };
}

/** A crowd in one scope, of which some give up; then whoever still wants to know, two at a time. */
export const crowds: fc.Arbitrary<Scenario> = fc
  .record({
    crowd: fc.array(dispatches, { minLength: 2, maxLength: 3, size: "max" }),
    givingUp: fc.subarray([0, 1, 2]),
    asking: fc.array(queries, { minLength: 1, maxLength: 2 }),
    again: dispatches,
  })
  .map(({ crowd, givingUp, asking, again }) =>
    scenarioOf([
      { steps: crowd.map((draft, place) => dispatchOf(place, draft)), deadlinesPass: false, givingUp },
      { steps: asking.map((draft, place) => queryOf(10 + place, draft)), deadlinesPass: false, givingUp: [] },
      { steps: [dispatchOf(20, again)], deadlinesPass: false, givingUp: [] },
      { steps: [queryOf(10, { variant: 0, fault: "none" })], deadlinesPass: false, givingUp: [] },
    ]),
  );
