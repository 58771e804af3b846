import { REFUSALS, type RefusalCode } from "../errors/refusals.ts";
import { isStatusRef, principalRef } from "../json/digests.ts";
import type { Principal, ToolContract } from "../protocol/call.ts";
import type { Sha256 } from "../protocol/ids.ts";
import { isNonBlank } from "../protocol/identifier.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { ToolView } from "../protocol/registry-view.ts";
import {
  AUDIT_VERSION,
  CONTROL_PRODUCER,
  CONTROL_SOURCE,
  MODEL_RESULT_VERSION,
  type Delivery,
  type Downstream,
} from "../protocol/result.ts";
import type { Claim } from "./claim.ts";
import {
  anything,
  exactly,
  holds,
  isObject,
  meets,
  members,
  oneOf,
  sameMembers,
  type Expectation,
} from "./expectation.ts";
import { carriesStatusRef, errorOf, statusOf } from "./refused-answer.ts";
import type { TrustedCall } from "./trusted-call.ts";
import { isUtcSecond } from "./utc-second.ts";

const DELIVERIES = ["fresh", "local_replay", "receipt_reconciled"] as const satisfies readonly Delivery[];

const statusRef = meets(isStatusRef, "malformed");
const observedAt = meets(isUtcSecond, "malformed");
const nullOrNonBlank = meets((value) => value === null || isNonBlank(value), "malformed");
const nullOrStatusRef = meets((value) => value === null || isStatusRef(value), "malformed");

/** The model result of a success. */
export function expectedSuccess(tool: ToolView, call: TrustedCall): Expectation {
  const args = call.arguments;
  return members({
    schema_version: exactly(MODEL_RESULT_VERSION),
    status: exactly("succeeded"),
    data: meets((data) => isObject(data) && isObject(args) && tool.outputFits(data, args), "output_contract"),
    error: exactly(null),
    execution: members({
      outcome: exactly("committed"),
      // A read is run each time: nothing is kept of it that could be repeated.
      delivery: tool.risk === "read" ? exactly("fresh") : oneOf(DELIVERIES),
      complete: exactly(true),
      truncated: exactly(false),
    }),
    provenance: members({
      source_label: exactly(tool.sourceLabel, "differs_from_registry"),
      producer_revision: exactly(tool.contract.producer_revision, "differs_from_registry"),
      resource_revision: nullOrNonBlank,
      observed_at: observedAt,
      trust: exactly("untrusted_data"),
    }),
  });
}

/** The model result of an error: the catalogue's row of its code. */
export function expectedError(code: RefusalCode): Expectation {
  return members({
    schema_version: exactly(MODEL_RESULT_VERSION),
    status: exactly(statusOf(code), "differs_from_catalogue"),
    data: exactly(null),
    error: sameMembers({ ...errorOf(code) }, "differs_from_catalogue"),
    execution: members({
      outcome: exactly(REFUSALS[code].outcome, "differs_from_catalogue"),
      delivery: exactly("fresh"),
      complete: exactly(true),
      truncated: exactly(false),
    }),
    provenance: members({
      source_label: exactly(CONTROL_SOURCE),
      producer_revision: exactly(CONTROL_PRODUCER),
      resource_revision: exactly(null),
      observed_at: observedAt,
      trust: exactly("trusted_control"),
    }),
  });
}

const DOWNSTREAM = members({ request_id: nullOrNonBlank, receipt_id: nullOrNonBlank, status_ref: nullOrStatusRef });

/** Whether downstream members have a form that can be bound. */
export function isDownstream(value: JsonValue | undefined): value is JsonValue & Downstream {
  return value !== undefined && holds(DOWNSTREAM, value, "", []);
}

/**
 * The downstream members. Of a success only their form is known: evidence may be null, and a status_ref is not
 * recomputed. An error has none but, where its code carries it, the status_ref of the operation in doubt.
 */
export function expectedDownstream(claim: Claim | null, tool: ToolView | null): Expectation {
  if (claim === null || claim === "success") return DOWNSTREAM;
  return members({
    request_id: exactly(null),
    receipt_id: exactly(null),
    status_ref: carriesStatusRef(claim, tool?.risk ?? null) ? statusRef : exactly(null),
  });
}

/** What the audit of a call must hold. */
export interface AuditGround {
  readonly principal: Principal;
  readonly call: TrustedCall;
  readonly contract: ToolContract;
  readonly requestSha256: Sha256;
  readonly resultSha256: Sha256;
  /** Null where the claimed downstream members have no form that could be bound. */
  readonly callBindingSha256: Sha256 | null;
  readonly downstream: Expectation;
}

/** The audit of a call. */
export function expectedAudit(ground: AuditGround): Expectation {
  const { principal, call, contract, callBindingSha256 } = ground;
  const { provider, api_family, response_id, call_id, adapter_revision } = call;
  return members({
    schema_version: exactly(AUDIT_VERSION),
    visibility: exactly("protected_audit"),
    operation_id: exactly(call.operation_id, "differs_from_call"),
    principal_ref: exactly(principalRef(principal), "differs_from_call"),
    provider_context: sameMembers(
      { provider, api_family, response_id, call_id, adapter_revision },
      "differs_from_call",
    ),
    tool_contract: sameMembers({ ...contract }, "differs_from_registry"),
    binding: members({
      request_sha256: exactly(ground.requestSha256, "digest_mismatch"),
      result_sha256: exactly(ground.resultSha256, "digest_mismatch"),
      call_binding_sha256: callBindingSha256 === null ? anything : exactly(callBindingSha256, "digest_mismatch"),
    }),
    downstream: ground.downstream,
    redactions: meets((value) => Array.isArray(value) && value.length === 0, "wrong_value"),
  });
}
