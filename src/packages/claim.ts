import { isRefusalCode, type RefusalCode } from "../errors/refusals.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { ToolView } from "../protocol/registry-view.ts";
import { isObject, memberOf } from "./expectation.ts";
import type { TrustedCall } from "./trusted-call.ts";

/** What a package says became of its call: a success, or an error of the catalogue. */
export type Claim = "success" | RefusalCode;

/** What a model result claims, by its error member; null if that is no error of the catalogue. */
export function claimOf(modelResult: JsonValue | undefined): Claim | null {
  const error = memberOf(modelResult, "error") ?? null;
  if (error === null) return "success";
  const code = memberOf(error, "code");
  return isRefusalCode(code) ? code : null;
}

/**
 * Whether a call can have had an answer, as far as the call and the registry alone tell.
 * Source: contract, sections 3 and 4: the first check that applies decides.
 */
export function isPossible(claim: Claim, call: TrustedCall, tool: ToolView | null): boolean {
  const fits = tool !== null && isObject(call.arguments) && tool.inputFits(call.arguments);
  const hasKey = call.idempotency_key !== null;
  switch (claim) {
    case "UNKNOWN_TOOL":
      return tool === null;
    case "INVALID_ARGUMENTS":
      return tool !== null && !fits;
    // The deadline, or the caller, can end an attempt before anything is looked at.
    case "TIMEOUT_BEFORE_EXECUTE":
      return true;
    case "IDEMPOTENCY_KEY_REQUIRED":
      return fits && tool.risk === "write" && !hasKey;
    case "IDEMPOTENCY_CONFLICT":
      return fits && tool.risk === "write" && hasKey;
    case "success":
      return fits && (tool.risk === "read" || hasKey);
    default:
      return fits;
  }
}
