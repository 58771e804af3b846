import type { Sha256, StatusRef } from "./ids.ts";

/**
 * What a settled record must agree in before it answers another call; stored with the owner when it ran.
 * Source: contract, end of section 3.
 */
export interface SettledFacts {
  readonly request_sha256: Sha256;
  readonly provider: string;
  readonly api_family: string;
  readonly adapter_revision: string;
  readonly output_schema_revision: string;
  readonly effect_revision: string;
  readonly handler_revision: string;
  readonly producer_revision: string;
}

/** The members of {@link SettledFacts}, in order. */
export const SETTLED_MEMBERS = [
  "request_sha256",
  "provider",
  "api_family",
  "adapter_revision",
  "output_schema_revision",
  "effect_revision",
  "handler_revision",
  "producer_revision",
] as const satisfies readonly (keyof SettledFacts)[];

/** The members that an outcome still in doubt must agree in. Source: contract, end of section 3. */
export const UNKNOWN_MEMBERS = [
  "request_sha256",
  "provider",
  "api_family",
  "adapter_revision",
  "effect_revision",
  "producer_revision",
] as const satisfies readonly (keyof SettledFacts)[];

/** What a tool hands downstream to be kept with the effect; a receipt repeats it. */
export interface ExecutionBinding extends SettledFacts {
  /** Null for a read. */
  readonly status_ref: StatusRef | null;
}
