import { createHash } from "node:crypto";
import { isToolName, TOOLS } from "../model/sample-facts.ts";
import type { DispatchStep, QueryStep } from "../model/steps.ts";

/**
 * Digests by a second, simpler hand than the product's: enough for members whose names are ASCII and whose values have
 * one spelling in JSON.
 */
function digestOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
  return createHash("sha256").update(sorted, "utf8").digest("hex");
}

interface Who {
  readonly tenant_id: string;
  readonly subject_id: string;
}

function requestDigest({ tenant_id, subject_id }: Who, tool: string, input: unknown): string {
  const known = isToolName(tool) ? TOOLS[tool] : null;
  return digestOf({
    tenant_id,
    subject_id,
    tool,
    arguments: input,
    input_schema_revision: known?.input ?? "unregistered",
    output_schema_revision: known?.output ?? "unregistered",
    effect_revision: known?.effect ?? "unregistered",
  });
}

/** The request_sha256 that a request of the model stands for. */
function realRequest(request: string): string {
  const [tenant_id, subject_id, tool, order_ref, reason]: [string, string, string, string, string | null] =
    JSON.parse(request);
  return requestDigest({ tenant_id, subject_id }, tool, reason === null ? { order_ref } : { order_ref, reason });
}

/** The status_ref that a handle of the model stands for. */
export function realStatusRef(handle: string): string {
  const [scope, request]: [string, string] = JSON.parse(handle);
  return `status_${digestOf({ scope: JSON.parse(scope), request_sha256: realRequest(request) }).slice(0, 32)}`;
}

const MALFORMED_REFS = ["", "status_", `status_${"0".repeat(31)}`, `status_${"A".repeat(32)}`, `ref_${"0".repeat(32)}`];
const MALFORMED_DIGESTS = ["", "0".repeat(63), "0".repeat(65), "F".repeat(64), `sha256:${"0".repeat(64)}`];

const pick = (from: readonly string[], variant: number): string => from[variant % from.length] ?? "";

/** What a query of the model asks about. */
export function realQuestion({ principal, proposal, statusRef, expectedRequest, variant }: QueryStep): {
  readonly statusRef: string;
  readonly expectedRequestSha256: string;
} {
  const own = (): string => requestDigest(principal, proposal.name, proposal.arguments);
  const expected = expectedRequest === null ? pick(MALFORMED_DIGESTS, variant) : null;
  return {
    statusRef: statusRef === null ? pick(MALFORMED_REFS, variant) : realStatusRef(statusRef),
    expectedRequestSha256: expected ?? (expectedRequest === "own" ? own() : realRequest(expectedRequest ?? "")),
  };
}

/** The approvals of a step, with real digests where the model has abstract ones. */
export function realApprovals({ approvals }: DispatchStep): readonly unknown[] {
  return approvals.map((approval) => {
    if (typeof approval !== "object" || approval === null || !("approval_digest" in approval)) return approval;
    const { approval_digest } = approval;
    const isAbstract = typeof approval_digest === "string" && approval_digest.startsWith('["approval"');
    return isAbstract ? { ...approval, approval_digest: realApprovalDigest(approval_digest) } : approval;
  });
}

function realApprovalDigest(abstract: string): string {
  const [, call, request, input, output, effect, policy, approver_id]: [string, (string | null)[], ...string[]] =
    JSON.parse(abstract);
  const [provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key] = call;
  return digestOf({
    ...{ provider, api_family, adapter_revision, operation_id, call_id, response_id, idempotency_key },
    request_sha256: realRequest(request ?? ""),
    input_schema_revision: input,
    output_schema_revision: output,
    effect_revision: effect,
    approval_revision: policy,
    approver_id,
  });
}
