import * as fc from "fast-check";
import type { ExecutionContext, Principal } from "../../src/protocol/call.ts";
import { PROFILE_ROWS, TOOLS } from "./sample-facts.ts";
import type { DispatchStep } from "./steps.ts";
import { weighted } from "./weighted.ts";

const who = (tenant_id: string, subject_id: string, ...roles: string[]): Principal => ({
  tenant_id,
  subject_id,
  roles,
});

// The same subject with and without its role: what was granted a step ago may be denied now.
const principals = weighted<Principal>([
  [30, who("tenant-a", "user-1")],
  [1, who("tenant-a", "user-2")],
  [4, who("tenant-a", "user-2", "auditor", "support_admin")],
  [1, who("tenant-b", "user-1", "support_admin")],
]);

const orderRefs = weighted<string>([
  [30, "ORDER-7"],
  [2, "ORDER-8"],
  [1, "ORDER-9"],
  [1, " ORDER-7"],
]);

const reasons = weighted<string>([
  [7, "duplicate"],
  [2, "damaged"],
]);

const nested = (levels: number): unknown => (levels === 0 ? {} : { next: nested(levels - 1) });

const oddArguments = weighted<unknown>([
  [2, {}],
  [2, { order_ref: "ORDER-7", reason: "duplicate", is_admin: true }],
  [2, { order_ref: 7 }],
  [2, { order_ref: "ORDER-7", reason: "Duplicate" }],
  [2, { order_ref: "\u2003\u001c", reason: "other" }],
  [2, { order_ref: "\u{1f4e6}".repeat(65), reason: "other" }],
  [1, { order_ref: "\u{1f4e6}".repeat(64), reason: "other" }],
  [1, { order_ref: "\ufeff", reason: "other" }],
  [1, nested(31)],
  [1, nested(32)],
  [1, { order_ref: Number.NaN }],
  [1, { order_ref: "\ud800" }],
  [1, { order_ref: "ORDER-7", reason: undefined }],
]);

const proposals = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      name: fc.constant("create_refund_draft"),
      arguments: fc.record({ order_ref: orderRefs, reason: reasons }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant("get_order"), arguments: fc.record({ order_ref: orderRefs }) }),
  },
);

const profiles = weighted<readonly [string, string, string]>([
  [20, PROFILE_ROWS[0]],
  [2, PROFILE_ROWS[1]],
  [1, PROFILE_ROWS[2]],
]);

const keys = weighted<string | null>([
  [16, "key-1"],
  [5, "key-2"],
  [1, null],
]);

type Proposed = DispatchStep["proposal"];

/** One call, before its context is written out. */
export interface CallDraft {
  readonly principal: Principal;
  readonly proposal: Proposed;
  readonly profile: readonly [string, string, string];
  readonly key: string | null;
  readonly identity: number;
  readonly operation: number;
}

/** Calls of few principals, keys and orders, so that they meet. */
export const calls: fc.Arbitrary<CallDraft> = fc.record({
  principal: principals,
  proposal: proposals,
  profile: profiles,
  key: keys,
  identity: fc.nat({ max: 40 }),
  operation: fc.nat({ max: 2 }),
});

/** What a step is given instead of something valid. */
export const spoils: fc.Arbitrary<Partial<CallDraft>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .record({ name: fc.constantFrom(...Object.keys(TOOLS)), arguments: oddArguments })
      .map((proposal) => ({ proposal })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Partial<CallDraft>>(
      { proposal: { name: "delete_everything", arguments: {} } },
      { proposal: { name: "toString", arguments: { order_ref: "ORDER-7" } } },
      { proposal: { name: " ", arguments: {} } },
      { principal: who("tenant-a", "user-1", "support_admin", "auditor") },
      { principal: who("tenant-a", "user-1", "auditor", "auditor") },
      // Ascending by code point, not by UTF-16 unit; and the other way round.
      { principal: who("tenant-a", "user-1", "\uff5e", "\u{1f4e6}") },
      { principal: who("tenant-a", "user-1", "\u{1f4e6}", "\uff5e") },
      { principal: who("tenant-b", "user-1", "Support_Admin") },
      { principal: who("tenant-a", "\u2003") },
      { profile: ["openai", "responses", "anthropic-messages-v1"] },
      { profile: ["openai", "messages", "openai-responses-v1"] },
      { key: "" },
      { key: "\u{1f4e6}".repeat(255) },
      { key: "k".repeat(256) },
    ),
  },
);

/** The host context of a call. */
export function contextOf({ profile, key, identity, operation }: CallDraft): ExecutionContext {
  const [provider, api_family, adapter_revision] = profile;
  return {
    provider,
    api_family,
    response_id: `response-${identity % 2}`,
    call_id: `call-${identity}`,
    operation_id: `operation-${operation}`,
    idempotency_key: key,
    adapter_revision,
  };
}
