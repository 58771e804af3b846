import type { JsonValue } from "../protocol/json.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import { memberOf } from "./expectation.ts";
import { inspectPackage } from "./inspect.ts";
import { ABOVE_ROOT, copiesIn, listIn } from "./plain-copy.ts";
import { copyPrincipal, readCall, type TrustedCall } from "./trusted-call.ts";
import { ENOUGH_ERRORS, validationError, type ValidationError } from "./validation-error.ts";

/** The packages of a turn and the calls they must answer: data from anywhere, in any order. */
export interface GivenResultSet {
  readonly principal: unknown;
  /** Shape: a list of flat calls. */
  readonly calls: unknown;
  /** Shape: a list of packages. */
  readonly packages: unknown;
}

interface ExpectedCall {
  readonly call: TrustedCall;
  readonly at: string;
  answered: boolean;
}

/**
 * Everything that is wrong with a set of packages, matched to the expected calls by response_id and call_id; empty when
 * each call has exactly one valid package. Never throws, whatever it is given; looks no further after a thousand errors.
 */
export function validateResultSet(registry: RegistryView, given: GivenResultSet): readonly ValidationError[] {
  const errors: ValidationError[] = [];
  const principal = copyPrincipal(given, errors);
  const calls = listIn(given, "calls", errors);
  const packages = listIn(given, "packages", errors);
  if (principal === null || calls === null || packages === null) return errors;

  const expected = expectedCalls(calls, errors);
  for (const { at, copy } of copiesIn(packages, "/packages", errors, ABOVE_ROOT)) {
    const context = memberOf(memberOf(copy, "protected_audit"), "provider_context");
    const match = expected.get(identityOf(memberOf(context, "response_id"), memberOf(context, "call_id")));
    if (match === undefined) {
      errors.push(validationError(at, "package_unknown"));
      continue;
    }
    if (match.answered) errors.push(validationError(at, "package_duplicate"));
    match.answered = true;
    inspectPackage(registry, { principal, call: match.call }, copy, at, errors);
  }
  for (const { at, answered } of expected.values()) {
    if (errors.length >= ENOUGH_ERRORS) break;
    if (!answered) errors.push(validationError(at, "package_missing"));
  }
  return errors;
}

function expectedCalls(calls: readonly unknown[], errors: ValidationError[]): Map<string, ExpectedCall> {
  const expected = new Map<string, ExpectedCall>();
  for (const { at, copy } of copiesIn(calls, "/calls", errors, 0)) {
    const call = readCall(copy, at, errors);
    if (call === null) continue;
    const identity = identityOf(call.response_id, call.call_id);
    if (expected.has(identity)) errors.push(validationError(at, "call_duplicate"));
    else expected.set(identity, { call, at, answered: false });
  }
  return expected;
}

function identityOf(responseId: JsonValue | undefined, callId: JsonValue | undefined): string {
  return JSON.stringify([responseId, callId]);
}
