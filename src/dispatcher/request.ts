import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import { copyJson } from "../json/canonical.ts";
import { isSha256, isStatusRef } from "../json/digests.ts";
import type { Approval } from "../protocol/approval.ts";
import { isRegisteredProfile, type ExecutionContext, type Principal, type Proposal } from "../protocol/call.ts";
import { compareByCodePoint, isIdentifier } from "../protocol/identifier.ts";
import type { Sha256, StatusRef } from "../protocol/ids.ts";
import type { CanonicalText, JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { readApproval } from "../schemas/approval.ts";

/** A call to be dispatched, as the host hands it over. Everything in it is copied before anything looks at it. */
export interface DispatchRequest {
  readonly principal: Principal;
  /** What the model said. */
  readonly proposal: { readonly name: string; readonly arguments: unknown };
  readonly executionContext: ExecutionContext;
  /** Approval values at hand. What is malformed among them is skipped. */
  readonly approvals?: readonly unknown[] | undefined;
  /** The caller's own wish to give up. */
  readonly signal?: AbortSignal | undefined;
}

/** A question about an outcome in doubt, as the host hands it over. It never runs the tool. */
export interface StatusQueryRequest extends Omit<DispatchRequest, "approvals"> {
  /** As the package of the operation gave it. */
  readonly statusRef: string;
  /** The request digest that the operation is expected to have. */
  readonly expectedRequestSha256: string;
}

/** A person's decision to approve a call, as the host hands it over. */
export interface ApproveRequest extends Pick<DispatchRequest, "principal" | "proposal" | "executionContext"> {
  /** Who approved, from the host's own session. */
  readonly approverId: string;
  /** How long the approval stands. Units: whole seconds from 1. */
  readonly lifeSeconds: number;
}

/** A call whose every member is known to be well formed. */
export interface ReadCall {
  readonly principal: Principal;
  readonly proposal: Proposal;
  readonly canonicalArguments: CanonicalText;
  readonly executionContext: ExecutionContext;
  readonly signal: AbortSignal | null;
}

/** A dispatch whose every member is known to be well formed. */
export interface ReadDispatch extends ReadCall {
  /** How many values were presented, malformed ones included. */
  readonly presented: number;
  readonly approvals: readonly Approval[];
}

/** A status query whose every member is known to be well formed. */
export interface ReadStatusQuery extends ReadCall {
  readonly statusRef: StatusRef;
  readonly expectedRequestSha256: Sha256;
}

const CONTEXT_MEMBERS = [
  "provider",
  "api_family",
  "response_id",
  "call_id",
  "operation_id",
  "idempotency_key",
  "adapter_revision",
] as const satisfies readonly (keyof ExecutionContext)[];

/** Reads a dispatch. Errors: a host error for whatever is malformed (contract, section 3, step 1). */
export function readDispatch(request: unknown): ReadDispatch {
  return guarded(() => {
    const given = members(
      request,
      "REQUEST_INVALID",
      ["principal", "proposal", "executionContext"],
      ["approvals", "signal"],
    );
    const presented = given["approvals"] ?? [];
    if (!Array.isArray(presented))
      throw new CallgateError("REQUEST_INVALID", { at: "approvals", detail: "not a list" });
    const { length } = presented;
    if (length > LIMITS.hashedMembers)
      throw new CallgateError("REQUEST_INVALID", { at: "approvals", detail: "too many" });
    const approvals: Approval[] = [];
    for (let index = 0; index < length; index += 1) {
      const approval = readApproval(presented[index]);
      if (approval !== null) approvals.push(approval);
    }
    return { ...readCall(given), presented: length, approvals };
  });
}

/** Reads a status query. Errors: a host error for whatever is malformed (contract, section 4). */
export function readStatusQuery(request: unknown): ReadStatusQuery {
  return guarded(() => {
    const needed = ["principal", "proposal", "executionContext", "statusRef", "expectedRequestSha256"];
    const given = members(request, "REQUEST_INVALID", needed, ["signal"]);
    const { statusRef, expectedRequestSha256 } = given;
    const call = readCall(given);
    if (!isStatusRef(statusRef)) throw new CallgateError("STATUS_REF_INVALID");
    if (!isSha256(expectedRequestSha256)) throw new CallgateError("EXPECTED_DIGEST_INVALID");
    return { ...call, statusRef, expectedRequestSha256 };
  });
}

/** Reads a decision to approve. Errors: a host error for whatever is malformed. */
export function readApproveRequest(request: unknown): ReadCall & Pick<ApproveRequest, "approverId" | "lifeSeconds"> {
  return guarded(() => {
    const needed = ["principal", "proposal", "executionContext", "approverId", "lifeSeconds"];
    const given = members(request, "REQUEST_INVALID", needed, []);
    const { approverId, lifeSeconds } = given;
    const call = readCall(given);
    if (!isIdentifier(approverId)) throw new CallgateError("REQUEST_INVALID", { at: "approverId" });
    if (typeof lifeSeconds !== "number" || !Number.isInteger(lifeSeconds) || lifeSeconds < 1) {
      throw new CallgateError("REQUEST_INVALID", { at: "lifeSeconds" });
    }
    return { ...call, approverId, lifeSeconds };
  });
}

function readCall(given: Readonly<Record<string, unknown>>): ReadCall {
  const principal = readPrincipal(given["principal"]);
  const executionContext = readContext(given["executionContext"]);
  const proposal = members(given["proposal"], "REQUEST_INVALID", ["name", "arguments"], [], "proposal");
  const { name } = proposal;
  if (!isIdentifier(name)) throw new CallgateError("NAME_INVALID");
  const { value, canonical } = copyArguments(proposal["arguments"]);
  const signal = given["signal"] ?? null;
  if (signal !== null && !isAbortSignal(signal)) {
    throw new CallgateError("REQUEST_INVALID", { at: "signal", detail: "not an AbortSignal" });
  }
  return { principal, executionContext, proposal: { name, arguments: value }, canonicalArguments: canonical, signal };
}

/** Whether a value is a signal in truth: what only inherits from one, or stands before one, cannot be listened to. */
function isAbortSignal(value: unknown): value is AbortSignal {
  try {
    return value instanceof AbortSignal && typeof Reflect.get(AbortSignal.prototype, "aborted", value) === "boolean";
  } catch {
    return false;
  }
}

function readPrincipal(given: unknown): Principal {
  const { tenant_id, subject_id, roles } = members(
    given,
    "PRINCIPAL_INVALID",
    ["tenant_id", "subject_id", "roles"],
    [],
  );
  if (!isIdentifier(tenant_id)) throw new CallgateError("PRINCIPAL_INVALID", { at: "tenant_id" });
  if (!isIdentifier(subject_id)) throw new CallgateError("PRINCIPAL_INVALID", { at: "subject_id" });
  const length = Array.isArray(roles) ? roles.length : Infinity;
  if (!Array.isArray(roles) || length > LIMITS.roles) throw new CallgateError("PRINCIPAL_INVALID", { at: "roles" });
  const copy: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const role: unknown = roles[index];
    const previous = copy.at(-1);
    if (!isIdentifier(role) || (previous !== undefined && compareByCodePoint(previous, role) >= 0)) {
      throw new CallgateError("PRINCIPAL_INVALID", { at: "roles" });
    }
    copy.push(role);
  }
  // Tools are handed the principal itself; frozen, none can change who acts for the next check.
  return Object.freeze({ tenant_id, subject_id, roles: Object.freeze(copy) });
}

function readContext(given: unknown): ExecutionContext {
  const context = members(given, "CONTEXT_INVALID", CONTEXT_MEMBERS, []);
  const text = (member: (typeof CONTEXT_MEMBERS)[number]): string => {
    const value = context[member];
    if (!isIdentifier(value)) throw new CallgateError("CONTEXT_INVALID", { at: member });
    return value;
  };
  const read: ExecutionContext = {
    provider: text("provider"),
    api_family: text("api_family"),
    response_id: text("response_id"),
    call_id: text("call_id"),
    operation_id: text("operation_id"),
    idempotency_key: context["idempotency_key"] === null ? null : text("idempotency_key"),
    adapter_revision: text("adapter_revision"),
  };
  if (!isRegisteredProfile(read)) throw new CallgateError("PROFILE_UNREGISTERED");
  return read;
}

function copyArguments(given: unknown): { value: JsonValue; canonical: CanonicalText } {
  try {
    return copyJson(given, { depth: 1 });
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    throw new CallgateError("ARGUMENTS_UNHASHABLE", { detail: error.message, cause: error });
  }
}

/** The members of an object, each read once; refused unless they are exactly these. */
function members(
  given: unknown,
  code: FailureCode,
  needed: readonly string[],
  optional: readonly string[],
  at?: string,
): Readonly<Record<string, unknown>> {
  const place = at === undefined ? {} : { at };
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new CallgateError(code, { detail: "not an object", ...place });
  }
  const read: Record<string, unknown> = { ...given };
  for (const member of needed) {
    if (!Object.hasOwn(read, member)) throw new CallgateError(code, { detail: `\`${member}\` is missing`, ...place });
  }
  const known = needed.length + optional.filter((member) => Object.hasOwn(read, member)).length;
  if (Object.keys(read).length !== known) throw new CallgateError(code, { detail: "it has other members", ...place });
  return read;
}

/** Whatever reading foreign objects throws (a getter, a revoked proxy), the host gets a coded error. */
function guarded<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof CallgateError) throw error;
    throw new CallgateError("REQUEST_INVALID", { detail: "it could not be read", cause: error });
  }
}
