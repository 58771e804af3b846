import * as fc from "fast-check";
import type { Principal } from "../../src/protocol/call.ts";
import { PROFILE_ROWS, TOOLS } from "./sample-facts.ts";
import type { DispatchStep } from "./steps.ts";
import { weighted } from "./weighted.ts";

const who = (tenant_id: string, subject_id: string, ...roles: string[]): Principal => ({
  tenant_id,
  subject_id,
  roles,
});

/** Who calls about which order. */
interface Seat {
  readonly principal: Principal;
  readonly orderRef: string;
}

// The same subject with and without its role: what was granted a step ago may be denied now.
const seats = weighted<Seat>([
  [40, { principal: who("tenant-a", "user-1"), orderRef: "ORDER-7" }],
  [5, { principal: who("tenant-a", "user-2", "auditor", "support_admin"), orderRef: "ORDER-7" }],
  [3, { principal: who("tenant-b", "user-1", "support_admin"), orderRef: "ORDER-9" }],
  [2, { principal: who("tenant-a", "user-2"), orderRef: "ORDER-8" }],
  [2, { principal: who("tenant-a", "user-2"), orderRef: "ORDER-7" }],
  [1, { principal: who("tenant-a", "user-1"), orderRef: "ORDER-8" }],
  [1, { principal: who("tenant-b", "user-1", "support_admin"), orderRef: "ORDER-7" }],
  [1, { principal: who("tenant-a", "user-1"), orderRef: " ORDER-7" }],
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

/** One call, before it is written out. */
export interface CallDraft {
  readonly seat: Seat;
  /** Null reads the order. */
  readonly reason: string | null;
  readonly profile: readonly [string, string, string];
  readonly key: string | null;
  readonly identity: number;
  readonly operation: number;
}

/** Calls of few principals, keys and orders, so that they meet. */
export const calls: fc.Arbitrary<CallDraft> = fc.record({
  seat: seats,
  reason: weighted<string | null>([
    [14, "duplicate"],
    [4, "damaged"],
    [3, null],
  ]),
  profile: weighted<readonly [string, string, string]>([
    [20, PROFILE_ROWS[0]],
    [2, PROFILE_ROWS[1]],
    [1, PROFILE_ROWS[2]],
  ]),
  key: weighted<string | null>([
    [16, "key-1"],
    [5, "key-2"],
    [1, null],
  ]),
  identity: fc.nat({ max: 40 }),
  operation: fc.nat({ max: 2 }),
});

/** Something that is wrong with a call. */
export interface Spoil {
  readonly proposal?: DispatchStep["proposal"];
  readonly principal?: Principal;
  readonly profile?: readonly [string, string, string];
  readonly key?: string;
}

/** What a step is given instead of something valid. */
export const spoils: fc.Arbitrary<Spoil> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .record({ name: fc.constantFrom(...Object.keys(TOOLS)), arguments: oddArguments })
      .map((proposal) => ({ proposal })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Spoil>(
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

/** What a model proposes in a call. */
function proposalOf({ seat: { orderRef: order_ref }, reason }: CallDraft): DispatchStep["proposal"] {
  return reason === null
    ? { name: "get_order", arguments: { order_ref } }
    : { name: "create_refund_draft", arguments: { order_ref, reason } };
}

/** A call with what is wrong with it. */
export function writtenOut(call: CallDraft, spoil: Spoil): Pick<DispatchStep, "principal" | "proposal" | "context"> {
  const [provider, api_family, adapter_revision] = spoil.profile ?? call.profile;
  const { identity, operation } = call;
  return {
    principal: spoil.principal ?? call.seat.principal,
    proposal: spoil.proposal ?? proposalOf(call),
    context: {
      provider,
      api_family,
      response_id: `response-${identity % 2}`,
      call_id: `call-${identity}`,
      operation_id: `operation-${operation}`,
      idempotency_key: spoil.key ?? call.key,
      adapter_revision,
    },
  };
}
