import { callFingerprint, identityKey, requestSha256, scopeKey, statusRef } from "../json/digests.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import { unregisteredContract, type Purpose } from "../protocol/call.ts";
import type { ToolView } from "../protocol/registry-view.ts";
import type { ReadCall } from "./request.ts";

/** Binds a call to its principal, its host context and the revisions that are registered now. Pure. */
export function bindCall(call: ReadCall, tool: ToolView | null, purpose: Purpose): BoundCall {
  const { principal, executionContext, proposal, canonicalArguments } = call;
  const toolContract = tool?.contract ?? unregisteredContract(proposal.name);
  const request_sha256 = requestSha256(principal, toolContract, canonicalArguments);
  const key = executionContext.idempotency_key;
  const scope = tool?.risk === "write" && key !== null ? scopeKey(principal, tool.name, key) : null;
  return {
    principal,
    executionContext,
    risk: tool?.risk ?? null,
    toolContract,
    sourceLabel: tool?.sourceLabel ?? null,
    facts: {
      request_sha256,
      provider: executionContext.provider,
      api_family: executionContext.api_family,
      adapter_revision: executionContext.adapter_revision,
      output_schema_revision: toolContract.output_schema_revision,
      effect_revision: toolContract.effect_revision,
      handler_revision: toolContract.handler_revision,
      producer_revision: toolContract.producer_revision,
    },
    fingerprint: callFingerprint(executionContext, purpose, request_sha256),
    identity: identityKey(principal, executionContext),
    scope,
    statusRef: scope === null ? null : statusRef(scope, request_sha256),
  };
}
