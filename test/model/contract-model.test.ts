import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExecutionContext, Principal } from "../../src/protocol/call.ts";
import { approvalFor, RIGHT_APPROVAL } from "./approval-sketches.ts";
import { sequences } from "./arbitraries.ts";
import { alone, dispatching, querying } from "./contract-model.ts";
import { CATALOGUE } from "./sample-facts.ts";
import type { DispatchStep, QueryStep, Registered } from "./steps.ts";
import { type Answer, handleOf, newWorld } from "./world.ts";

const user: Principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
const admin: Principal = { tenant_id: "tenant-a", subject_id: "user-2", roles: ["support_admin"] };
const stranger: Principal = { tenant_id: "tenant-b", subject_id: "user-1", roles: ["support_admin"] };
const duplicate = { order_ref: "ORDER-7", reason: "duplicate" };
const damaged = { order_ref: "ORDER-7", reason: "damaged" };
const theHandle = handleOf(user, "create_refund_draft", "key-1", duplicate);

interface Happening {
  readonly id: string;
  readonly by?: Principal;
  readonly tool?: string;
  readonly input?: unknown;
  readonly key?: string | null;
  readonly profile?: Partial<ExecutionContext>;
  readonly now?: number;
  readonly registered?: Registered;
  /** Default: one right approval. */
  readonly approvals?: readonly unknown[];
  readonly fault?: DispatchStep["fault"];
  readonly ask?: {
    readonly about?: string | null;
    readonly expecting?: string | null;
    readonly fault?: QueryStep["fault"];
  };
}

function callOf({ id, by = user, tool = "create_refund_draft", input = duplicate, key = "key-1", ...rest }: Happening) {
  const { registered = "first", now = 1000 } = rest;
  const openai = { provider: "openai", api_family: "responses", adapter_revision: "openai-responses-v1" };
  const ids = { response_id: "response-1", call_id: id, operation_id: `operation-${id}`, idempotency_key: key };
  const proposal = { name: tool, arguments: input };
  return {
    principal: by,
    proposal,
    context: { ...openai, ...ids, ...rest.profile },
    registered,
    now,
    variant: 0,
  };
}

function happens(world: ReturnType<typeof newWorld>, happening: Happening): Answer {
  const call = callOf(happening);
  if (happening.ask !== undefined) {
    const { about = theHandle, expecting = "own", fault = "none" } = happening.ask;
    return alone(querying(world, { kind: "query", ...call, statusRef: about, expectedRequest: expecting, fault }));
  }
  const bare: DispatchStep = { kind: "dispatch", ...call, approvals: [], fault: happening.fault ?? "none" };
  return alone(dispatching(world, { ...bare, approvals: happening.approvals ?? [approvalFor(bare, RIGHT_APPROVAL)] }));
}

/** Shape: `code delivery side_effect_count`, with `ref` where there is a status_ref. */
function inShort(answer: Answer): string {
  if (answer === "host error") return answer;
  return `${answer.code} ${answer.delivery} ${answer.sideEffectCount}${answer.statusRef === null ? "" : " ref"}`;
}

type Story = readonly (readonly [Happening, string])[];

const stories: Readonly<Record<string, Story>> = {
  "a read needs no key and no approval, and binds its identity all the same": [
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-7" }, approvals: [], key: null }, "OK fresh 0"],
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-8" }, key: null }, "CALL_ID_CONFLICT fresh 0"],
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-7" }, key: "key-1" }, "CALL_ID_CONFLICT fresh 0"],
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-7" }, key: null }, "OK fresh 0"],
  ],
  "a call refused for its input binds nothing; one refused later does": [
    [{ id: "a", input: {} }, "INVALID_ARGUMENTS fresh 0"],
    [{ id: "a", tool: "delete_everything" }, "UNKNOWN_TOOL fresh 0"],
    [{ id: "a", input: { order_ref: "ORDER-404", reason: "other" } }, "NOT_FOUND fresh 0"],
    [{ id: "a" }, "CALL_ID_CONFLICT fresh 0"],
  ],
  "a settled scope is replayed without approval, once access is checked again": [
    [{ id: "a", by: admin }, "OK fresh 1 ref"],
    [{ id: "b", by: admin, approvals: [] }, "OK local_replay 1 ref"],
    [{ id: "c", by: { ...admin, roles: [] }, approvals: [] }, "NOT_FOUND fresh 1"],
    [{ id: "d", by: admin, input: damaged }, "IDEMPOTENCY_CONFLICT fresh 1"],
  ],
  "what its own write took away from the caller is not replayed": [
    [{ id: "a", fault: "hands_over" }, "OK fresh 1 ref"],
    [{ id: "a" }, "NOT_FOUND fresh 1"],
    [{ id: "b", by: admin, key: "key-2" }, "OK fresh 2 ref"],
  ],
  "roles count inside their tenant only, and a scope belongs to its subject": [
    [{ id: "a", by: stranger }, "NOT_FOUND fresh 0"],
    [{ id: "a" }, "OK fresh 1 ref"],
    [{ id: "a", by: admin }, "OK fresh 2 ref"],
  ],
  "a replay through another profile is a conflict": [
    [{ id: "a" }, "OK fresh 1 ref"],
    [
      {
        id: "b",
        profile: { provider: "google", api_family: "interactions", adapter_revision: "gemini-interactions-v1" },
      },
      "IDEMPOTENCY_CONFLICT fresh 1",
    ],
  ],
  "a record answers as long as the revisions are those that it was made under": [
    [{ id: "a" }, "OK fresh 1 ref"],
    [{ id: "b", registered: "new_policy", approvals: [] }, "OK local_replay 1 ref"],
    [{ id: "c", registered: "new_handler" }, "IDEMPOTENCY_CONFLICT fresh 1"],
    [{ id: "d", registered: "new_producer" }, "IDEMPOTENCY_CONFLICT fresh 1"],
    [{ id: "e", key: "key-2", fault: "lost", registered: "new_policy" }, "OUTCOME_UNKNOWN fresh 2 ref"],
    [{ id: "f", key: "key-2", registered: "new_handler" }, "OUTCOME_UNKNOWN fresh 2 ref"],
    [{ id: "g", key: "key-2", registered: "new_producer" }, "IDEMPOTENCY_CONFLICT fresh 2"],
  ],
  "a query is compared with what ran, by the shorter list": [
    [{ id: "a", fault: "lost" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "q1", registered: "new_producer", ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q2", registered: "new_handler", ask: {} }, "OK receipt_reconciled 1 ref"],
    [{ id: "b", registered: "new_handler" }, "IDEMPOTENCY_CONFLICT fresh 1"],
    [{ id: "c" }, "OK local_replay 1 ref"],
  ],
  "a lost answer is unknown until its receipt is asked for": [
    [{ id: "a", fault: "lost" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "a", approvals: [] }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "b" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "c", input: damaged }, "IDEMPOTENCY_CONFLICT fresh 1"],
    [{ id: "a", ask: {} }, "CALL_ID_CONFLICT fresh 1"],
    [{ id: "q", ask: { fault: "receipt_withheld" } }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "q", ask: {} }, "OK receipt_reconciled 1 ref"],
    [{ id: "q", ask: {} }, "OK receipt_reconciled 1 ref"],
    [{ id: "q" }, "CALL_ID_CONFLICT fresh 1"],
    [{ id: "a", approvals: [] }, "OK local_replay 1 ref"],
  ],
  "what must match in a query": [
    [{ id: "a", fault: "lost" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "q1", key: null, ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q2", key: "key-2", ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q3", input: damaged, ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q4", ask: { expecting: "another request" } }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q5", tool: "get_order", input: { order_ref: "ORDER-7" }, ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q6", by: admin, ask: {} }, "NOT_FOUND fresh 1"],
    [{ id: "q7", ask: { about: null } }, "host error"],
    [{ id: "q8", ask: { expecting: null } }, "host error"],
    [{ id: "q9", ask: {} }, "OK receipt_reconciled 1 ref"],
  ],
  "only an outcome that was in doubt can be queried": [
    [{ id: "a", fault: "RATE_LIMIT" }, "RATE_LIMIT fresh 0"],
    [{ id: "q1", ask: {} }, "NOT_FOUND fresh 0"],
    [{ id: "a" }, "OK fresh 1 ref"],
    [{ id: "q2", ask: {} }, "NOT_FOUND fresh 1"],
  ],
  "without a receipt it stays unknown": [
    [{ id: "a", fault: "lost_without_receipt" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "b", key: "key-2", fault: "throws" }, "OUTCOME_UNKNOWN fresh 2 ref"],
    [{ id: "c", key: "key-3", fault: "bad_output" }, "OUTPUT_CONTRACT_VIOLATION fresh 3 ref"],
    [{ id: "q", ask: {} }, "OUTCOME_UNKNOWN fresh 3 ref"],
    [{ id: "d", key: "key-3" }, "OUTCOME_UNKNOWN fresh 3 ref"],
  ],
  "a receipt that contradicts ends in a dispute": [
    [{ id: "a", fault: "lost" }, "OUTCOME_UNKNOWN fresh 1 ref"],
    [{ id: "q", ask: { fault: "receipt_contradicts" } }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "q", ask: {} }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "b" }, "STATUS_CONFLICT fresh 1 ref"],
    [{ id: "c", input: damaged }, "IDEMPOTENCY_CONFLICT fresh 1"],
  ],
  "what is known not to have started gives everything back": [
    [{ id: "a", fault: "TIMEOUT_BEFORE_EXECUTE" }, "TIMEOUT_BEFORE_EXECUTE fresh 0"],
    [{ id: "a", fault: "TOOL_ERROR" }, "TOOL_ERROR fresh 0"],
    [{ id: "b", input: damaged, fault: "RATE_LIMIT" }, "RATE_LIMIT fresh 0"],
    [{ id: "a", approvals: [] }, "APPROVAL_REQUIRED fresh 0"],
    [{ id: "a" }, "OK fresh 1 ref"],
  ],
  "a read that fails changes nothing": [
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-7" }, fault: "throws" }, "TOOL_ERROR fresh 0"],
    [
      { id: "a", tool: "get_order", input: { order_ref: "ORDER-7" }, fault: "bad_output" },
      "OUTPUT_CONTRACT_VIOLATION fresh 0",
    ],
    [{ id: "a", tool: "get_order", input: { order_ref: "ORDER-7" } }, "OK fresh 0"],
  ],
  "order of refusals of a write": [
    [{ id: "a", key: null, approvals: [] }, "IDEMPOTENCY_KEY_REQUIRED fresh 0"],
    [{ id: "b", key: "" }, "host error"],
    [{ id: "c", fault: "precondition_throws", approvals: [] }, "BUSINESS_RULE_VIOLATION fresh 0"],
    [{ id: "d", approvals: [] }, "APPROVAL_REQUIRED fresh 0"],
    [{ id: "d", approvals: [null, {}, "yes"] }, "APPROVAL_INVALID fresh 0"],
    [{ id: "d", fault: "precondition_hangs", approvals: [] }, "TIMEOUT_BEFORE_EXECUTE fresh 0"],
    [{ id: "d", fault: "authorize_throws" }, "NOT_FOUND fresh 0"],
    [{ id: "d", fault: "authorize_hangs" }, "TIMEOUT_BEFORE_EXECUTE fresh 0"],
  ],
};

describe("the model tells these stories", () => {
  test.each(Object.entries(stories))("%s", (_, story) => {
    const world = newWorld();
    expect(story.map(([happening]) => inShort(happens(world, happening)))).toEqual(story.map(([, answer]) => answer));
  });
});

describe("arguments", () => {
  const box = "\u{1f4e6}";
  test.each<readonly [unknown, string]>([
    [{ order_ref: box.repeat(64), reason: "other" }, "NOT_FOUND"],
    [{ order_ref: box.repeat(65), reason: "other" }, "INVALID_ARGUMENTS"],
    [{ order_ref: "\u2003\u0085\u001f", reason: "other" }, "INVALID_ARGUMENTS"],
    [{ order_ref: "\ufeff", reason: "other" }, "NOT_FOUND"],
    [{ order_ref: "", reason: "other" }, "INVALID_ARGUMENTS"],
    [["ORDER-7", "other"], "INVALID_ARGUMENTS"],
    [null, "INVALID_ARGUMENTS"],
    [{ ...duplicate, extra: 1 }, "INVALID_ARGUMENTS"],
    [{ order_ref: "ORDER-7", reason: "Other" }, "INVALID_ARGUMENTS"],
    [{ order_ref: Number.POSITIVE_INFINITY }, "host error"],
    [{ order_ref: "\udc00" }, "host error"],
    [{ order_ref: undefined }, "host error"],
    [{ ["\ud800"]: 1 }, "host error"],
    [Array.from({ length: 1_025 }, () => 1), "host error"],
    [{ text: "x".repeat(65_537) }, "host error"],
  ])("%# → %s", (input, code) => {
    const answer = happens(newWorld(), { id: "a", input });
    expect(answer === "host error" ? answer : answer.code).toBe(code);
  });
});

describe("what the host answers for", () => {
  const roles = (count: number): string[] => Array.from({ length: count }, (_, index) => `role-${index + 10}`);
  const deep = (levels: number): unknown => (levels === 0 ? {} : { next: deep(levels - 1) });
  test.each<readonly [string, Partial<Happening>, string]>([
    ["32 roles are roles", { by: { ...user, roles: roles(32) } }, "OK fresh 1 ref"],
    ["33 are not", { by: { ...user, roles: roles(33) } }, "host error"],
    ["roles ascend", { by: { ...user, roles: ["b", "a"] } }, "host error"],
    ["by code point", { by: { ...user, roles: ["\uff5e", "\u{1f4e6}"] } }, "OK fresh 1 ref"],
    ["not by UTF-16 unit", { by: { ...user, roles: ["\u{1f4e6}", "\uff5e"] } }, "host error"],
    ["none twice", { by: { ...user, roles: ["a", "a"] } }, "host error"],
    ["a subject is an identifier", { by: { ...user, subject_id: "\u3000" } }, "host error"],
    ["the profile is registered", { profile: { api_family: "messages" } }, "host error"],
    ["a level 32 below the root", { input: deep(31) }, "INVALID_ARGUMENTS fresh 0"],
    ["none below it", { input: deep(32) }, "host error"],
    ["the last second", { now: 253_402_300_799 }, "APPROVAL_INVALID fresh 0"],
    ["none after it", { now: 253_402_300_800 }, "host error"],
    ["none before the first", { now: -1 }, "host error"],
    ["whole seconds", { now: 1000.5 }, "host error"],
  ])("%s", (_, happening, answer) => {
    expect(inShort(happens(newWorld(), { id: "a", ...happening }))).toBe(answer);
  });
});

describe("approvals", () => {
  const right = approvalFor({ kind: "dispatch", ...callOf({ id: "a" }), approvals: [], fault: "none" }, RIGHT_APPROVAL);
  const cases: [string, readonly unknown[], string][] = [
    ["one valid among several is enough", [null, { ...right, approver_id: "nobody" }, right], "OK"],
    ["it is over at its last second", [{ ...right, expires_at: 1000 }], "APPROVAL_INVALID"],
    ["it is good one second before", [{ ...right, expires_at: 1001 }], "OK"],
    ["it is good to the end of time", [{ ...right, expires_at: 253_402_300_799 }], "OK"],
    ["it is not good beyond", [{ ...right, expires_at: 253_402_300_800 }], "APPROVAL_INVALID"],
    ["its id is bound to nothing", [{ ...right, approval_id: "any" }], "OK"],
    ["its id is an identifier", [{ ...right, approval_id: "\u3000" }], "APPROVAL_INVALID"],
    ...Object.keys(right)
      .filter((member) => member !== "approval_id" && member !== "expires_at")
      .map((member): [string, readonly unknown[], string] => [
        `${member} is another`,
        [{ ...right, [member]: "another" }],
        "APPROVAL_INVALID",
      ]),
  ];
  test.each(cases)("%s", (_, approvals, code) => {
    expect(inShort(happens(newWorld(), { id: "a", approvals }))).toMatch(new RegExp(`^${code} `, "u"));
  });
});

test("random sequences reach every code and every delivery", () => {
  const reached = new Set<string>();
  for (const { rounds } of fc.sample(sequences, { seed: 1, numRuns: 400 })) {
    const world = newWorld();
    for (const step of rounds.flatMap(({ steps }) => steps)) {
      if (step.kind === "order") continue;
      const answer = alone(step.kind === "query" ? querying(world, step) : dispatching(world, step));
      reached.add(answer === "host error" ? answer : answer.code === "OK" ? answer.delivery : answer.code);
    }
  }
  const all = ["host error", "fresh", "local_replay", "receipt_reconciled", ...Object.keys(CATALOGUE)];
  expect([...reached].toSorted()).toEqual(all.toSorted());
});
