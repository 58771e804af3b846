import { REFUSALS, type RefusalCode } from "../errors/refusals.ts";
import type { Risk } from "../protocol/call.ts";
import type { ResultError, Status } from "../protocol/result.ts";

/** The error member of a model result: the catalogue's row of a code, as the model reads it. */
export function errorOf(code: RefusalCode): ResultError {
  const { category, sentence, recovery, retryAfterMs } = REFUSALS[code];
  return { code, category, safe_message: sentence, recovery, retry_after_ms: retryAfterMs };
}

/** The status of a refused call: unknown where the outcome is, else failed. */
export function statusOf(code: RefusalCode): Exclude<Status, "succeeded"> {
  return REFUSALS[code].outcome === "unknown" ? "unknown" : "failed";
}

/** Whether the audit of a refused call names the operation in doubt. Source: contract, section 5. */
export function carriesStatusRef(code: RefusalCode, risk: Risk | null): boolean {
  if (code === "OUTPUT_CONTRACT_VIOLATION") return risk === "write";
  return code === "OUTCOME_UNKNOWN" || code === "STATUS_CONFLICT";
}
