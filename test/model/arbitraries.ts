import * as fc from "fast-check";
import { approvalFor, presentations } from "./approval-sketches.ts";
import { type CallDraft, calls, contextOf, spoils } from "./call-drafts.ts";
import { handleOf, requestOf } from "./contract-model.ts";
import { readInput } from "./input-rules.ts";
import { LAST_SECOND } from "./sample-facts.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import type { DispatchFault, DispatchStep, OrderStatus, QueryFault, QueryStep, Step } from "./steps.ts";
import { weighted } from "./weighted.ts";

const clock = weighted<number>([
  [30, 1000],
  [3, 1030],
  [3, 1059],
  [3, 1060],
  [1, 0],
  [1, LAST_SECOND],
]);

const anyClock = fc.oneof(
  { weight: 150, arbitrary: clock },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1000.5, Number.NaN, LAST_SECOND + 1) },
);

const queryFaults = weighted<QueryFault>([
  [10, "none"],
  [2, "receipt_withheld"],
  [2, "receipt_contradicts"],
  [1, "authorize_throws"],
]);

// A step is often an earlier one again, changed in one respect: there identities, scopes and records collide.
/** @param plain how much more often a step is an ordinary one */
const draftsOf = (plain: number) =>
  fc.record({
    kind: weighted<Step["kind"]>([
      [24, "dispatch"],
      [14, "query"],
      [1, "order"],
    ]),
    call: calls,
    /** How many dispatches back the call comes from; 0 is a new one. */
    from: weighted<number>([
      [2, 0],
      [8 * plain, 1],
      [6, 2],
      [4, 4],
    ]),
    changes: weighted<readonly (keyof CallDraft)[]>([
      [3, []],
      [20 * plain, ["identity"]],
      [1, ["proposal"]],
      [1, ["key"]],
      [1, ["operation"]],
      [1, ["identity", "proposal"]],
      [1, ["identity", "key"]],
      [1, ["identity", "principal"]],
      [1, ["identity", "profile"]],
    ]),
    /** What is wrong with the step; no later one repeats it. */
    spoil: fc.oneof({ weight: 10 * plain, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: spoils }),
    variant: fc.nat({ max: 29 }),
    approvals: presentations,
    dispatchFault: weighted<DispatchFault>([
      [16 * plain, "none"],
      [20, "lost"],
      [3, "lost_without_receipt"],
      [3, "throws"],
      [3, "bad_output"],
      [2, "RATE_LIMIT"],
      [2, "TOOL_ERROR"],
      [2, "TIMEOUT_BEFORE_EXECUTE"],
      [1, "authorize_throws"],
      [1, "authorize_hangs"],
      [1, "precondition_throws"],
      [1, "precondition_hangs"],
    ]),
    queryFault: queryFaults,
    /** How many dispatches back the call is that is asked about; 0 is this one. */
    about: weighted<number>([
      [12, 0],
      [1, 1],
      [1, 3],
    ]),
    expected: weighted<"own" | "other" | "malformed">([
      [20, "own"],
      [2, "other"],
      [1, "malformed"],
    ]),
    orderStatus: weighted<OrderStatus>([
      [1, "refunded"],
      [2, "paid"],
      [1, "pending"],
    ]),
  });

type Draft = ReturnType<typeof draftsOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** The handle of a call; one that nobody made where the call can have none. */
function handleOfCall({ principal, proposal, key }: CallDraft): string {
  const read = readInput(proposal);
  const known = typeof read === "string" || key === null ? null : handleOf(principal, read.tool, key, read.input);
  return known ?? handleOf(principal, "create_refund_draft", "key-of-nobody", { order_ref: "ORDER-0" });
}

/** Makes steps of drafts: each may repeat a dispatch before it, or ask about one. */
function stepsOf(list: readonly (Draft & { readonly now: number })[]): Step[] {
  const dispatched: CallDraft[] = [];
  const before = (steps: number): CallDraft | undefined => dispatched[dispatched.length - steps];
  return list.map((draft) => {
    if (draft.kind === "order") return { kind: "order", orderRef: "ORDER-7", status: draft.orderStatus };
    const earlier = before(draft.from);
    const changed = Object.fromEntries(draft.changes.map((part) => [part, draft.call[part]]));
    const call: CallDraft = earlier === undefined ? draft.call : { ...earlier, ...changed };
    const about = (draft.about === 0 ? undefined : before(draft.about)) ?? call;
    const spoilt = { ...call, ...draft.spoil };
    const { principal, proposal } = spoilt;
    const common = { principal, proposal, context: contextOf(spoilt), now: draft.now, variant: draft.variant };
    if (draft.kind === "query" && dispatched.length > 0) return queryOf(draft, common, about);
    dispatched.push(call);
    const bare: DispatchStep = { kind: "dispatch", ...common, approvals: [], fault: draft.dispatchFault };
    const approvals = draft.approvals.map((presented) =>
      "malformed" in presented ? presented.malformed : approvalFor(bare, presented),
    );
    return { ...bare, approvals };
  });
}

function queryOf(
  { expected, queryFault }: Draft,
  common: Omit<QueryStep, "kind" | "statusRef" | "expectedRequest" | "fault">,
  about: CallDraft,
): QueryStep {
  const other = requestOf(about.principal, "create_refund_draft", { order_ref: "ORDER-7", reason: "other" });
  const requests = { own: "own", other, malformed: null } as const;
  return {
    kind: "query",
    ...common,
    statusRef: handleOfCall(about),
    expectedRequest: requests[expected],
    fault: queryFault,
  };
}

/** Steps one after the other. */
export const sequences: fc.Arbitrary<Scenario> = fc
  .array(fc.record({ draft: draftsOf(1), now: anyClock }), { minLength: 1, maxLength: 20, size: "max" })
  .map((list) => {
    const steps = stepsOf(list.map(({ draft, now }) => ({ ...draft, now })));
    return scenarioOf(steps.map((step) => ({ steps: [step], deadlinesPass: false, givingUp: [] })));
  });

/** Rounds of up to three steps at once. */
export const interleavings: fc.Arbitrary<Scenario> = fc
  .array(
    fc.record({
      drafts: fc.array(draftsOf(4), { minLength: 1, maxLength: 3, size: "max" }),
      now: clock,
      deadlinesPass: weighted<boolean>([
        [5, false],
        [1, true],
      ]),
      givingUp: weighted<readonly number[]>([
        [5, []],
        [1, [0]],
        [1, [1]],
      ]),
    }),
    { minLength: 1, maxLength: 5, size: "max" },
  )
  .map((rounds) => {
    const steps = stepsOf(rounds.flatMap(({ drafts, now }) => drafts.map((draft) => ({ ...draft, now }))));
    return scenarioOf(
      rounds.map(({ drafts, deadlinesPass, givingUp }) => ({
        steps: steps.splice(0, drafts.length),
        deadlinesPass,
        givingUp,
      })),
    );
  });
