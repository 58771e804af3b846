import { isRegisteredProfile, type ExecutionContext, type Principal, type ProviderName } from "../protocol/call.ts";
import { compareByCodePoint, isIdentifier } from "../protocol/identifier.ts";
import type { JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { anything, holds, meets, members, type Expectation } from "./expectation.ts";
import { copyMember } from "./plain-copy.ts";
import { validationError, type ValidationError } from "./validation-error.ts";

/** A call that can have been dispatched. Its arguments may be no object: then only INVALID_ARGUMENTS can be said of it. */
export interface TrustedCall extends ExecutionContext {
  readonly provider: ProviderName;
  readonly name: string;
  readonly arguments: JsonValue;
}

/** A call of a profile that is yet to be looked up. */
type CallShape = Omit<TrustedCall, "provider"> & { readonly provider: string };

const identifier = meets(isIdentifier, "malformed");

const PRINCIPAL: Expectation = members({
  tenant_id: identifier,
  subject_id: identifier,
  roles: meets(areRoles, "malformed"),
});

const CALL: Expectation = members({
  name: identifier,
  arguments: anything,
  provider: identifier,
  api_family: identifier,
  response_id: identifier,
  call_id: identifier,
  operation_id: identifier,
  idempotency_key: meets((value) => value === null || isIdentifier(value), "malformed"),
  adapter_revision: identifier,
});

/** A copy of the principal in a member `principal` of something nobody trusts; null, with errors added, if it is none. */
export function copyPrincipal(given: unknown, errors: ValidationError[]): Principal | null {
  const copy = copyMember(given, "principal", "", errors, 0);
  return copy !== undefined && isPrincipal(copy, "/principal", errors) ? copy : null;
}

/** The call of a registered profile in plain data; null, with errors added, if it is none. */
export function readCall(copy: JsonValue | undefined, at: string, errors: ValidationError[]): TrustedCall | null {
  if (copy === undefined || !hasCallShape(copy, at, errors)) return null;
  if (hasRegisteredProfile(copy)) return copy;
  errors.push(validationError(at, "profile_unregistered"));
  return null;
}

function isPrincipal(value: JsonValue, at: string, errors: ValidationError[]): value is JsonValue & Principal {
  return holds(PRINCIPAL, value, at, errors);
}

function hasCallShape(value: JsonValue, at: string, errors: ValidationError[]): value is JsonValue & CallShape {
  return holds(CALL, value, at, errors);
}

function hasRegisteredProfile(call: CallShape): call is TrustedCall {
  return isRegisteredProfile(call);
}

function areRoles(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length > LIMITS.roles) return false;
  const roles: readonly unknown[] = value;
  return roles.every((role, index) => {
    const before = index === 0 ? "" : roles[index - 1];
    return isIdentifier(role) && typeof before === "string" && compareByCodePoint(before, role) < 0;
  });
}
