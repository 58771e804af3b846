import * as fc from "fast-check";
import { approvalFor, presentations } from "./approval-sketches.ts";
import { type CallDraft, calls, type Spoil, spoils, writtenOut } from "./call-drafts.ts";
import { LAST_SECOND } from "./sample-facts.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import type { DispatchFault, DispatchStep, OrderStep, QueryFault, Registered, Step } from "./steps.ts";
import { weighted } from "./weighted.ts";
import { handleOf, requestOf } from "./world.ts";

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

const registrations = weighted<Registered>([
  [24, "first"],
  [2, "new_handler"],
  [1, "new_producer"],
  [1, "new_policy"],
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
      [1, ["reason"]],
      [1, ["key"]],
      [1, ["operation"]],
      [2, ["identity", "reason"]],
      [2, ["identity", "key"]],
      [3, ["identity", "seat"]],
      [1, ["identity", "profile"]],
    ]),
    /** What is wrong with the step; no later one repeats it. */
    spoil: fc.oneof({ weight: 10 * plain, arbitrary: fc.constant<Spoil>({}) }, { weight: 1, arbitrary: spoils }),
    registered: registrations,
    variant: fc.nat({ max: 29 }),
    approvals: presentations,
    dispatchFault: weighted<DispatchFault>([
      [16 * plain, "none"],
      [20, "lost"],
      [3, "lost_without_receipt"],
      [3, "throws"],
      [3, "bad_output"],
      [2, "hands_over"],
      [2, "RATE_LIMIT"],
      [2, "TOOL_ERROR"],
      [2, "TIMEOUT_BEFORE_EXECUTE"],
      [1, "authorize_throws"],
      [1, "authorize_hangs"],
      [1, "precondition_throws"],
      [1, "precondition_hangs"],
    ]),
    queryFault: queryFaults,
    /** Whether a query asks about the earlier call as it was, whatever has changed in its own. */
    asksAboutEarlier: weighted<boolean>([
      [5, true],
      [1, false],
    ]),
    expected: weighted<"own" | "other" | "malformed">([
      [20, "own"],
      [2, "other"],
      [1, "malformed"],
    ]),
    order: weighted<Omit<OrderStep, "kind" | "orderRef">>([
      [2, { status: "paid", subject: "user-1" }],
      [1, { status: "refunded", subject: "user-1" }],
      [1, { status: "pending", subject: "user-1" }],
      [1, { status: "paid", subject: "user-2" }],
    ]),
  });

type Draft = ReturnType<typeof draftsOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** The handle of a call; one that nobody made where the call has none. */
function handleOfCall({ seat: { principal, orderRef }, reason, key }: CallDraft): string {
  const input = { order_ref: orderRef, reason: reason ?? "other" };
  return handleOf(principal, "create_refund_draft", key ?? "key-of-nobody", input);
}

/** Makes steps of drafts: each may repeat a dispatch before it, or ask about one. */
function stepsOf(list: readonly (Draft & { readonly now: number })[]): Step[] {
  const dispatched: CallDraft[] = [];
  return list.map((draft) => {
    const { kind, now, variant } = draft;
    if (kind === "order") return { kind, orderRef: "ORDER-7", ...draft.order };
    const earlier = draft.from === 0 ? undefined : dispatched.at(-draft.from);
    const changed = Object.fromEntries(draft.changes.map((part) => [part, draft.call[part]]));
    const call: CallDraft = earlier === undefined ? draft.call : { ...earlier, ...changed };
    const common = { ...writtenOut(call, draft.spoil), registered: draft.registered, now, variant };
    if (kind === "query" && earlier !== undefined) {
      const about = draft.asksAboutEarlier ? earlier : call;
      const other = requestOf(call.seat.principal, "create_refund_draft", { order_ref: "ORDER-7", reason: "other" });
      const expectedRequest = { own: "own", other, malformed: null }[draft.expected];
      return { kind, ...common, statusRef: handleOfCall(about), expectedRequest, fault: draft.queryFault };
    }
    dispatched.push(call);
    const bare: DispatchStep = { kind: "dispatch", ...common, approvals: [], fault: draft.dispatchFault };
    const approvals = draft.approvals.map((presented) =>
      "malformed" in presented ? presented.malformed : approvalFor(bare, presented),
    );
    return { ...bare, approvals };
  });
}

/** Steps one after the other. */
export const sequences: fc.Arbitrary<Scenario> = fc
  .array(fc.record({ draft: draftsOf(1), now: anyClock }), { minLength: 1, maxLength: 20, size: "max" })
  .map((list) => {
    const steps = stepsOf(list.map(({ draft, now }) => ({ ...draft, now })));
    return scenarioOf(steps.map((step) => ({ steps: [step], deadlinesPass: false, givingUp: [], patience: 0 })));
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
      patience: fc.nat({ max: 8 }),
    }),
    { minLength: 1, maxLength: 5, size: "max" },
  )
  .map((rounds) => {
    const steps = stepsOf(rounds.flatMap(({ drafts, now }) => drafts.map((draft) => ({ ...draft, now }))));
    return scenarioOf(
      rounds.map(({ drafts, ...others }) => ({
        steps: steps.splice(0, drafts.length),
        ...others,
      })),
    );
  });
