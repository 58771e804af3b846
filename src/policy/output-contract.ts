import type { JsonObject, JsonValue } from "../protocol/json.ts";

/** How big an output may be. */
export interface OutputLimits {
  /** Units: bytes of its canonical form. */
  readonly outputBytes: number;
  /** A flat object has depth 1. */
  readonly outputDepth: number;
}

/** Names that no output member may have, at any depth. Source: contract, section 9. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  "authorization",
  "api_key",
  "access_token",
  "refresh_token",
  "password",
  "secret",
  "cookie",
  "set_cookie",
  "call_id",
  "operation_id",
  "request_digest",
  "request_sha256",
  "result_sha256",
  "call_binding_sha256",
]);

/** Whether a member name looks like a secret or a control field: the whole name, lower-cased, `-` read as `_`. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name.toLowerCase().replaceAll("-", "_"));
}

/** Whether a value has no forbidden member name and nests no deeper than the limit. */
export function keepsNamesAndDepth(value: JsonValue, depthLeft: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depthLeft === 0) return false;
  if (isArray(value)) return value.every((item) => keepsNamesAndDepth(item, depthLeft - 1));
  for (const name of Object.keys(value)) {
    if (isForbiddenName(name) || !keepsNamesAndDepth(value[name] ?? null, depthLeft - 1)) return false;
  }
  return true;
}

/** Whether each output member named repeats the argument it is bound to. Compared by canonical text. */
export function repeatsArguments(
  output: JsonObject,
  args: JsonObject,
  outputEquals: readonly (readonly [outputMember: string, argument: string])[],
  canonicalText: (value: JsonValue) => string,
): boolean {
  return outputEquals.every(([member, argument]) => {
    const given = Object.hasOwn(args, argument) ? args[argument] : undefined;
    const repeated = Object.hasOwn(output, member) ? output[member] : undefined;
    if (given === undefined || repeated === undefined) return given === repeated;
    return given === repeated || canonicalText(given) === canonicalText(repeated);
  });
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
