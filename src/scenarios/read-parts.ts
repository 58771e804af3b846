import { CallgateError } from "../errors/callgate-error.ts";
import { FAILURES } from "../errors/failures.ts";
import { REFUSAL_CODES } from "../errors/refusals.ts";
import { canonicalize } from "../json/canonical.ts";
import { isRegisteredProfile, type ExecutionContext, type Principal, type Proposal } from "../protocol/call.ts";
import { compareByCodePoint } from "../protocol/identifier.ts";
import type { JsonObject } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { DELIVERIES, OUTCOMES, RECOVERIES, STATUSES, type ScenarioAnswer, type ScenarioStep } from "./document.ts";
import type { Shape } from "./shape.ts";

/** An identifier that stands nowhere among the ids before it; it is added to them. */
export function newIdOf(shape: Shape, ids: Set<string>, owner: string): string {
  const id = shape.identifier();
  if (ids.has(id)) throw shape.failure(`${owner} has the same id`);
  ids.add(id);
  return id;
}

/** Who acts. */
export function principalOf(shape: Shape): Principal {
  const { tenant_id, subject_id, roles } = shape.members(["tenant_id", "subject_id", "roles"]);
  const names: string[] = [];
  for (const role of roles.items(0, LIMITS.roles)) {
    const name = role.identifier();
    const before = names.at(-1);
    if (before !== undefined && compareByCodePoint(before, name) >= 0) {
      throw role.failure("roles stand in ascending order of code points, without duplicates");
    }
    names.push(name);
  }
  return { tenant_id: tenant_id.identifier(), subject_id: subject_id.identifier(), roles: names };
}

/** What a model says. */
export function proposalOf(shape: Shape): Proposal {
  const { name, arguments: args } = shape.members(["name", "arguments"]);
  return { name: name.identifier(), arguments: hashedObjectOf(args) };
}

/** What the host adds, of a registered profile. */
export function contextOf(shape: Shape): ExecutionContext {
  const given = shape.members([
    ...["provider", "api_family", "response_id", "call_id"],
    ...["operation_id", "idempotency_key", "adapter_revision"],
  ] as const);
  const context: ExecutionContext = {
    provider: given.provider.identifier(),
    api_family: given.api_family.identifier(),
    response_id: given.response_id.identifier(),
    call_id: given.call_id.identifier(),
    operation_id: given.operation_id.identifier(),
    idempotency_key: given.idempotency_key.identifierOrNull(),
    adapter_revision: given.adapter_revision.identifier(),
  };
  if (!isRegisteredProfile(context)) {
    throw shape.failure("provider, api_family and adapter_revision are together no registered profile");
  }
  return context;
}

/** Refuses a dispatch that refers to another step, and a query that does not refer to an earlier one of its case. */
export function refuseReferences(
  { action, status_ref_from }: Pick<ScenarioStep, "action" | "status_ref_from">,
  shape: Shape,
  earlier: ReadonlySet<string>,
): void {
  if (action === "dispatch") {
    if (status_ref_from !== null) throw shape.failure("a dispatch refers to no other step");
  } else if (status_ref_from === null || !earlier.has(status_ref_from)) {
    throw shape.failure("a query refers to an earlier step of its case");
  }
}

/** What an answer has in every format, beside the count of effects. */
export type CommonAnswer = Omit<ScenarioAnswer, "side_effect_count">;

/** Members of {@link CommonAnswer}. */
export const ANSWER_MEMBERS = ["code", "status", "outcome", "recovery", "delivery", "data"] as const;

/** What an answer is expected to be, beside the count of effects. */
export function answerOf(given: Readonly<Record<(typeof ANSWER_MEMBERS)[number], Shape>>): CommonAnswer {
  return {
    code: given.code.oneOf(["OK", ...REFUSAL_CODES] as const),
    status: given.status.oneOf(STATUSES),
    outcome: given.outcome.oneOf(OUTCOMES),
    recovery: given.recovery.oneOf(RECOVERIES),
    delivery: given.delivery.oneOf(DELIVERIES),
    data: given.data.value === null ? null : hashedObjectOf(given.data),
  };
}

/** An object that can be hashed where it will stand: one level below the root of a request or a model result. */
export function hashedObjectOf(shape: Shape): JsonObject {
  const object = shape.object();
  try {
    canonicalize(object, { depth: 1 });
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    throw shape.failure(FAILURES[error.code].sentence, `${shape.at}${error.at ?? ""}`);
  }
  return object;
}
