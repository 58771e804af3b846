import * as fc from "fast-check";
import { approvalFor, RIGHT_APPROVAL } from "./approval-sketches.ts";
import { PROFILE_ROWS } from "./sample-facts.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import type { DispatchStep, OrderStep, QueryStep } from "./steps.ts";
import { weighted } from "./weighted.ts";
import { handleOf } from "./world.ts";

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
  registered: "first" as const,
  now: 1000,
  variant,
});

const variants = fc.nat({ max: 29 });

const dispatches = fc.record({
  variant: variants,
  isApproved: weighted<boolean>([
    [8, true],
    [1, false],
  ]),
  fault: weighted<DispatchStep["fault"]>([
    [8, "none"],
    [3, "hands_over"],
    [4, "RATE_LIMIT"],
    [2, "TIMEOUT_BEFORE_EXECUTE"],
    [1, "precondition_throws"],
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

type Dispatch = typeof dispatches extends fc.Arbitrary<infer Value> ? Value : never;

function dispatchOf(identity: number, { variant, isApproved, fault }: Dispatch): DispatchStep {
  const bare: DispatchStep = { kind: "dispatch", ...callOf(identity, variant), approvals: [], fault };
  return isApproved ? { ...bare, approvals: [approvalFor(bare, RIGHT_APPROVAL)] } : bare;
}

function queryOf(identity: number, { variant, fault }: { variant: number; fault: QueryStep["fault"] }): QueryStep {
  const statusRef = handleOf(principal, "create_refund_draft", "key-1", input);
  return { kind: "query", ...callOf(identity, variant), statusRef, expectedRequest: "own", fault };
}

const orderChanges = fc.constantFrom<OrderStep[]>(
  ...Array.from({ length: 6 }, () => []),
  [{ kind: "order", orderRef: "ORDER-7", status: "refunded", subject: "user-1" }],
  [{ kind: "order", orderRef: "ORDER-7", status: "paid", subject: "user-2" }],
);

/** A crowd in one scope, of which some give up while the order may change; then whoever still wants to know. */
export const crowds: fc.Arbitrary<Scenario> = fc
  .record({
    crowd: fc.array(dispatches, { minLength: 2, maxLength: 3, size: "max" }),
    orderChange: orderChanges,
    givingUp: fc.constantFrom([0], [1], [2], [0, 1], []),
    patience: fc.nat({ max: 12 }),
    asking: fc.array(queries, { minLength: 1, maxLength: 2 }),
    again: dispatches,
  })
  .map(({ crowd, orderChange, givingUp, patience, asking, again }) => {
    const calm = { deadlinesPass: false, givingUp: [], patience: 0 };
    return scenarioOf([
      {
        ...calm,
        steps: [...crowd.map((draft, place) => dispatchOf(place, draft)), ...orderChange],
        givingUp,
        patience,
      },
      { ...calm, steps: [{ kind: "order", orderRef: "ORDER-7", status: "paid", subject: "user-1" }] },
      { ...calm, steps: asking.map((draft, place) => queryOf(10 + place, draft)) },
      { ...calm, steps: [dispatchOf(20, again)] },
      { ...calm, steps: [queryOf(10, { variant: 0, fault: "none" })] },
    ]);
  });
