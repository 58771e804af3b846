import type { RegistryView } from "../protocol/registry-view.ts";
import { inspectPackage, type AcceptedResult } from "./inspect.ts";
import { ABOVE_ROOT, copyMember } from "./plain-copy.ts";
import { copyPrincipal, readCall } from "./trusted-call.ts";
import type { ValidationError } from "./validation-error.ts";

/** A package and what it is validated against: data from anywhere. */
export interface GivenResult {
  readonly principal: unknown;
  /** Shape: flat: name, arguments and the seven members of the host's context. */
  readonly call: unknown;
  readonly package: unknown;
}

/** What was found out about a package. */
export interface Inspection {
  /** Empty exactly when the package is valid. */
  readonly errors: readonly ValidationError[];
  /** A copy of what a valid package says; nothing that is done to the package afterwards changes it. */
  readonly accepted: AcceptedResult | null;
}

/**
 * Everything that is wrong with a package, recomputed from the trusted principal, call and registry; empty when it is
 * valid. Never throws, whatever it is given.
 */
export function validateResult(registry: RegistryView, given: GivenResult): readonly ValidationError[] {
  return inspectResult(registry, given).errors;
}

/** As {@link validateResult}, together with what a valid package says. */
export function inspectResult(registry: RegistryView, given: GivenResult): Inspection {
  const errors: ValidationError[] = [];
  const principal = copyPrincipal(given, errors);
  const call = readCall(copyMember(given, "call", "", errors, 0), "/call", errors);
  const copy = copyMember(given, "package", "", errors, ABOVE_ROOT);
  if (principal === null || call === null || copy === undefined) return { errors, accepted: null };
  return { errors, accepted: inspectPackage(registry, { principal, call }, copy, "/package", errors) };
}
