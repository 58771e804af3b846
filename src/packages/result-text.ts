import { REFUSALS, type RefusalCode } from "../errors/refusals.ts";
import { quote } from "../json/canonical.ts";
import type { CanonicalText } from "../protocol/json.ts";
import {
  CONTROL_PRODUCER,
  CONTROL_SOURCE,
  MODEL_RESULT_VERSION,
  type Delivery,
  type OutcomeRecord,
} from "../protocol/result.ts";
import { errorOf, statusOf } from "./refused-answer.ts";

// Written out, members sorted, because it is the hot path and all but a few values are fixed.

/** The canonical text of the model result of a success. */
export function successText(record: OutcomeRecord, delivery: Delivery, canonicalData: CanonicalText): string {
  const { observed_at, producer_revision, resource_revision, source_label } = record;
  return (
    `{"data":${canonicalData},"error":null,` +
    `"execution":{"complete":true,"delivery":"${delivery}","outcome":"committed","truncated":false},` +
    `"provenance":{"observed_at":${quote(observed_at)},"producer_revision":${quote(producer_revision)},` +
    `"resource_revision":${resource_revision === null ? "null" : quote(resource_revision)},` +
    `"source_label":${quote(source_label)},"trust":"untrusted_data"},` +
    `"schema_version":"${MODEL_RESULT_VERSION}","status":"succeeded"}`
  );
}

/** The canonical text of the model result of an error. */
export function errorText(code: RefusalCode, observedAt: string): string {
  const { category, safe_message, recovery, retry_after_ms } = errorOf(code);
  return (
    `{"data":null,"error":{"category":"${category}","code":"${code}","recovery":"${recovery}",` +
    `"retry_after_ms":${retry_after_ms},"safe_message":${quote(safe_message)}},` +
    `"execution":{"complete":true,"delivery":"fresh","outcome":"${REFUSALS[code].outcome}","truncated":false},` +
    `"provenance":{"observed_at":"${observedAt}","producer_revision":"${CONTROL_PRODUCER}",` +
    `"resource_revision":null,"source_label":"${CONTROL_SOURCE}","trust":"trusted_control"},` +
    `"schema_version":"${MODEL_RESULT_VERSION}","status":"${statusOf(code)}"}`
  );
}
