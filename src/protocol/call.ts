import type { JsonValue } from "./json.ts";

/** What a model may say. Nothing else is ever taken from a model. */
export interface Proposal {
  readonly name: string;
  /** An object, if it is to fit any tool. */
  readonly arguments: JsonValue;
}

/** What the trusted host adds to a proposal. Provider, API family and adapter revision together are a registered profile. */
export interface ExecutionContext {
  readonly provider: string;
  readonly api_family: string;
  /** The provider's id of the response that proposed the call. */
  readonly response_id: string;
  /** The provider's id of the call. */
  readonly call_id: string;
  /** The host's own name for what this belongs to, in audits and logs. A label that attempts may share; not unique. */
  readonly operation_id: string;
  /**
   * One for each effect that somebody intends, however often a model proposes it: from what was asked for, never from an id
   * of a call or a response. A write needs one.
   */
  readonly idempotency_key: string | null;
  readonly adapter_revision: string;
}

/** A proposal and its host context, bound once. Shape: flat, as it stands in digests and in audit files. */
export interface Call extends Proposal, ExecutionContext {}

/** Who acts. Comes from the host's session, never from arguments. */
export interface Principal {
  readonly tenant_id: string;
  readonly subject_id: string;
  /** Sorted, ascending by code point, no duplicates: what is not is refused as PRINCIPAL_INVALID, and never sorted silently. */
  readonly roles: readonly string[];
}

/** What a call identity was bound for; an identity bound for a query can never dispatch. */
export type Purpose = "dispatch" | "query_status";

/** Whether a tool changes the world. */
export type Risk = "read" | "write";

/** The registered revisions of a tool, as they stand in the audit. Shape: exactly these seven members. */
export interface ToolContract {
  readonly name: string;
  readonly input_schema_revision: string;
  readonly output_schema_revision: string;
  readonly effect_revision: string;
  readonly handler_revision: string;
  readonly producer_revision: string;
  readonly policy_revision: string;
}

/** The revision that stands in every contract member but the name when a tool is not registered. */
const UNREGISTERED = "unregistered";

/** The contract of a tool that nobody registered. */
export function unregisteredContract(name: string): ToolContract {
  return {
    name,
    input_schema_revision: UNREGISTERED,
    output_schema_revision: UNREGISTERED,
    effect_revision: UNREGISTERED,
    handler_revision: UNREGISTERED,
    producer_revision: UNREGISTERED,
    policy_revision: UNREGISTERED,
  };
}

/** One way in which calls reach the gate and results leave it. */
export interface Profile {
  readonly provider: string;
  readonly api_family: string;
  readonly adapter_revision: string;
}

/**
 * The registered profiles: OpenAI's Responses API, Anthropic's Messages API, Google's Interactions API. No others are taken:
 * not Chat Completions, not `generateContent`, not batches. Source: contract, section 8.
 */
export const PROFILES = Object.freeze([
  Object.freeze({ provider: "openai", api_family: "responses", adapter_revision: "openai-responses-v1" } as const),
  Object.freeze({ provider: "anthropic", api_family: "messages", adapter_revision: "anthropic-messages-v1" } as const),
  Object.freeze({
    provider: "google",
    api_family: "interactions",
    adapter_revision: "gemini-interactions-v1",
  } as const),
] as const) satisfies readonly Profile[];

/** Name of a registered provider. */
export type ProviderName = (typeof PROFILES)[number]["provider"];

/** Whether provider, API family and adapter revision together are a registered profile. */
export function isRegisteredProfile(profile: Profile): boolean {
  return PROFILES.some(
    (known) =>
      known.provider === profile.provider &&
      known.api_family === profile.api_family &&
      known.adapter_revision === profile.adapter_revision,
  );
}
