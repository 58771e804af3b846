import { REFUSALS, type RefusalCode } from "../errors/refusals.ts";
import { copyJson } from "../json/canonical.ts";
import { callBindingSha256, principalRef, sha256 } from "../json/digests.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { StatusRef } from "../protocol/ids.ts";
import {
  AUDIT_VERSION,
  CONTROL_PRODUCER,
  CONTROL_SOURCE,
  MODEL_RESULT_VERSION,
  type Delivery,
  type Downstream,
  type ModelResult,
  type OutcomeRecord,
  type ResultPackage,
} from "../protocol/result.ts";
import { isObject } from "./expectation.ts";
import { carriesStatusRef, errorOf, statusOf } from "./refused-answer.ts";
import { errorText, successText } from "./result-text.ts";
import { formatUtcSecond } from "./utc-second.ts";

/** What a success is built from. */
export interface SuccessParts {
  readonly bound: BoundCall;
  /** What the first run left behind; a replay and a reconciliation repeat it. */
  readonly record: OutcomeRecord;
  readonly delivery: Delivery;
  /** Null for a read. */
  readonly downstreamStatusRef: StatusRef | null;
}

/** What an error is built from. */
export interface ErrorParts {
  readonly bound: BoundCall;
  readonly code: RefusalCode;
  /** The operation in doubt; left out of the package where its code does not carry one. */
  readonly statusRef: StatusRef | null;
  /** Units: seconds since the Unix epoch. */
  readonly observedAtSeconds: number;
}

/** The package of a success. It shares nothing with the record or with any other package. */
export function buildSuccess({ bound, record, delivery, downstreamStatusRef }: SuccessParts): ResultPackage {
  const { value: data, canonical } = copyJson(record.data, { depth: 1 });
  if (!isObject(data)) throw new TypeError("a record holds data that is no object");
  const { source_label, producer_revision, resource_revision, observed_at, request_id, receipt_id } = record;
  const modelResult: ModelResult = {
    schema_version: MODEL_RESULT_VERSION,
    status: "succeeded",
    data,
    error: null,
    execution: { outcome: "committed", delivery, complete: true, truncated: false },
    provenance: { source_label, producer_revision, resource_revision, observed_at, trust: "untrusted_data" },
  };
  return packageOf(bound, modelResult, successText(record, delivery, canonical), {
    request_id,
    receipt_id,
    status_ref: downstreamStatusRef,
  });
}

/** The package of an error: the catalogue's row of its code, and nothing of the input. */
export function buildError({ bound, code, statusRef, observedAtSeconds }: ErrorParts): ResultPackage {
  const { outcome } = REFUSALS[code];
  const observed_at = formatUtcSecond(observedAtSeconds);
  const modelResult: ModelResult = {
    schema_version: MODEL_RESULT_VERSION,
    status: statusOf(code),
    data: null,
    error: errorOf(code),
    execution: { outcome, delivery: "fresh", complete: true, truncated: false },
    provenance: {
      source_label: CONTROL_SOURCE,
      producer_revision: CONTROL_PRODUCER,
      resource_revision: null,
      observed_at,
      trust: "trusted_control",
    },
  };
  return packageOf(bound, modelResult, errorText(code, observed_at), {
    request_id: null,
    receipt_id: null,
    status_ref: carriesStatusRef(code, bound.risk) ? statusRef : null,
  });
}

function packageOf(
  { principal, executionContext, toolContract, facts }: BoundCall,
  modelResult: ModelResult,
  canonicalResult: string,
  downstream: Downstream,
): ResultPackage {
  const { provider, api_family, response_id, call_id, adapter_revision, operation_id } = executionContext;
  const { request_sha256 } = facts;
  const result_sha256 = sha256(canonicalResult);
  return {
    model_result: modelResult,
    protected_audit: {
      schema_version: AUDIT_VERSION,
      visibility: "protected_audit",
      operation_id,
      principal_ref: principalRef(principal),
      provider_context: { provider, api_family, response_id, call_id, adapter_revision },
      tool_contract: { ...toolContract },
      binding: {
        request_sha256,
        result_sha256,
        call_binding_sha256: callBindingSha256({
          principal,
          context: executionContext,
          contract: toolContract,
          requestSha256: request_sha256,
          resultSha256: result_sha256,
          downstream,
        }),
      },
      downstream,
      redactions: [],
    },
  };
}
