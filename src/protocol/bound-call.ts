import type { ExecutionContext, Principal, Risk, ToolContract } from "./call.ts";
import type { SettledFacts } from "./facts.ts";
import type { IdentityKey, ScopeKey, Sha256, StatusRef } from "./ids.ts";

/**
 * What the host binds to a proposal, once: who acts, in which context, against which registered revisions. A model can
 * set none of it. Plain data; it is stored with the attempt.
 */
export interface BoundCall {
  readonly principal: Principal;
  readonly executionContext: ExecutionContext;
  /** Null when the tool is not registered. */
  readonly risk: Risk | null;
  readonly toolContract: ToolContract;
  /** `provenance.source_label` of the tool's answers; null when the tool is not registered. */
  readonly sourceLabel: string | null;
  /** What a settled record must agree in. */
  readonly facts: SettledFacts;
  /** Digest of the call and its purpose, by which a call identity is compared. */
  readonly fingerprint: Sha256;
  readonly identity: IdentityKey;
  /** Null for a read, an unregistered tool, or without an idempotency key. */
  readonly scope: ScopeKey | null;
  /** Null exactly where `scope` is. */
  readonly statusRef: StatusRef | null;
}
