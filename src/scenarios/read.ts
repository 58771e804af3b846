import { CallgateError } from "../errors/callgate-error.ts";
import { FAILURES } from "../errors/failures.ts";
import { REFUSAL_CODES } from "../errors/refusals.ts";
import { canonicalize } from "../json/canonical.ts";
import type { Place } from "../json/place.ts";
import { readJson } from "../json/read.ts";
import { isRegisteredProfile, type ExecutionContext, type Principal, type Proposal } from "../protocol/call.ts";
import { compareByCodePoint } from "../protocol/identifier.ts";
import type { JsonObject } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { AUDIT_VERSION, MODEL_RESULT_VERSION } from "../protocol/result.ts";
import { FAULTS } from "../sample/faults.ts";
import {
  ACTIONS,
  APPROVALS,
  DELIVERIES,
  OUTCOMES,
  RECOVERIES,
  SCENARIO_VERSION,
  STATUSES,
  type ScenarioAnswer,
  type ScenarioCase,
  type ScenarioDocument,
  type ScenarioStep,
} from "./document.ts";
import { Shape } from "./shape.ts";

/** A scenario file that was read and found valid. */
export interface ScenarioFile {
  readonly document: ScenarioDocument;
  /** Where the value at a JSON pointer stands in the file. */
  placeOf(pointer: string): Place | null;
}

/**
 * Reads a scenario file: strict JSON, then every rule of the format.
 * Errors: JSON_*; FIXTURE_VERSION; FIXTURE_INVALID at the JSON pointer of the first member that is not right.
 * Source: contract, section 11.
 */
export function readScenarioFile(bytes: Uint8Array): ScenarioFile {
  const json = readJson(bytes, { maxBytes: LIMITS.fixtureBytes });
  const document = documentOf(Shape.of(json));
  return { document, placeOf: (pointer) => json.placeOf(pointer) };
}

function documentOf(root: Shape): ScenarioDocument {
  const version = root.object()["schema_version"];
  if (typeof version === "string" && version !== SCENARIO_VERSION) {
    throw new CallgateError("FIXTURE_VERSION", { at: "/schema_version" });
  }
  const { schema_version, contract, cases } = root.members(["schema_version", "contract", "cases"]);
  const { model_result, protected_audit } = contract.members(["model_result", "protected_audit"]);
  const document = {
    schema_version: schema_version.oneOf([SCENARIO_VERSION]),
    contract: {
      model_result: model_result.oneOf([MODEL_RESULT_VERSION]),
      protected_audit: protected_audit.oneOf([AUDIT_VERSION]),
    },
  };
  const ids = new Set<string>();
  return { ...document, cases: cases.items(1, LIMITS.casesOrSteps).map((item) => caseOf(item, ids)) };
}

function caseOf(shape: Shape, ids: Set<string>): ScenarioCase {
  const { id, principal, steps } = shape.members(["id", "principal", "steps"]);
  const stepIds = new Set<string>();
  return {
    id: newIdOf(id, ids, "an earlier case"),
    principal: principalOf(principal),
    steps: steps.items(1, LIMITS.casesOrSteps).map((item) => stepOf(item, stepIds)),
  };
}

function newIdOf(shape: Shape, ids: Set<string>, owner: string): string {
  const id = shape.identifier();
  if (ids.has(id)) throw shape.failure(`${owner} has the same id`);
  ids.add(id);
  return id;
}

function principalOf(shape: Shape): Principal {
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

function stepOf(shape: Shape, stepIds: Set<string>): ScenarioStep {
  const given = shape.members([
    ...["step_id", "action", "proposal", "execution_context", "approval"],
    ...["now", "failure", "status_ref_from", "expected"],
  ] as const);
  const earlier = new Set(stepIds);
  const step: ScenarioStep = {
    step_id: newIdOf(given.step_id, stepIds, "an earlier step of the case"),
    action: given.action.oneOf(ACTIONS),
    proposal: proposalOf(given.proposal),
    execution_context: contextOf(given.execution_context),
    approval: given.approval.oneOf(APPROVALS),
    now: given.now.integer(0, LIMITS.latestApprovalSecond),
    failure: given.failure.oneOf(FAULTS),
    status_ref_from: given.status_ref_from.identifierOrNull(),
    expected: answerOf(given.expected),
  };
  if (step.action === "dispatch") {
    if (step.status_ref_from !== null) throw given.status_ref_from.failure("a dispatch refers to no other step");
    return step;
  }
  if (step.approval !== "none") throw given.approval.failure("a query takes no approval");
  if (step.failure !== "none") throw given.failure.failure("a query takes no failure");
  if (step.status_ref_from === null || !earlier.has(step.status_ref_from)) {
    throw given.status_ref_from.failure("a query refers to an earlier step of its case");
  }
  return step;
}

function proposalOf(shape: Shape): Proposal {
  const { name, arguments: args } = shape.members(["name", "arguments"]);
  return { name: name.identifier(), arguments: hashedObjectOf(args) };
}

function contextOf(shape: Shape): ExecutionContext {
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

function answerOf(shape: Shape): ScenarioAnswer {
  const given = shape.members([
    ...["code", "status", "outcome", "recovery"],
    ...["delivery", "data", "side_effect_count"],
  ] as const);
  return {
    code: given.code.oneOf(["OK", ...REFUSAL_CODES] as const),
    status: given.status.oneOf(STATUSES),
    outcome: given.outcome.oneOf(OUTCOMES),
    recovery: given.recovery.oneOf(RECOVERIES),
    delivery: given.delivery.oneOf(DELIVERIES),
    data: given.data.value === null ? null : hashedObjectOf(given.data),
    side_effect_count: given.side_effect_count.integer(0, LIMITS.integerMagnitude),
  };
}

/** An object that can be hashed where it will stand: one level below the root of a request or a model result. */
function hashedObjectOf(shape: Shape): JsonObject {
  const object = shape.object();
  try {
    canonicalize(object, { depth: 1 });
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    throw shape.failure(FAILURES[error.code].sentence, `${shape.at}${error.at ?? ""}`);
  }
  return object;
}
