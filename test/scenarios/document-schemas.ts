import { format } from "prettier";
import { COMMON_APPROVALS } from "../../src/dispatcher/read-gate-module.ts";
import { REFUSAL_CODES } from "../../src/errors/refusals.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import { LIMITS, WHITE_SPACE_CLASS } from "../../src/protocol/limits.ts";
import { AUDIT_VERSION, MODEL_RESULT_VERSION } from "../../src/protocol/result.ts";
import { FAULTS } from "../../src/sample/faults.ts";
import {
  ACTIONS,
  APPROVALS,
  DELIVERIES,
  GATE_VERSION,
  OUTCOMES,
  RECOVERIES,
  SAMPLE_VERSION,
  STATUSES,
} from "../../src/scenarios/document.ts";
import { MOST_FAULTS } from "../../src/scenarios/read-gate-case.ts";

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Schema>>;

const definition = (name: keyof typeof DEFINITIONS): Schema => ({ $ref: `#/$defs/${name}` });
const described = (description: string, schema: Schema): Schema => ({ description, ...schema });
const oneOf = (words: readonly string[]): Schema => ({ type: "string", enum: words });
const constant = (word: string): Schema => ({ const: word });
const integer = (minimum: number, maximum: number): Schema => ({ type: "integer", minimum, maximum });
const list = (items: Schema, minItems: number, maxItems: number): Schema => ({
  type: "array",
  items,
  minItems,
  maxItems,
});

/** An object that has exactly these members, and may have the optional ones. */
const exactly = (properties: Members, optional: Members = {}): Schema => ({
  type: "object",
  properties: { ...optional, ...properties },
  required: Object.keys(properties),
  additionalProperties: false,
});

const NAMED = { maxLength: LIMITS.identifierCodePoints, pattern: `[^${WHITE_SPACE_CLASS}]` };
const JSON_MEMBERS = { additionalProperties: { $ref: "#/$defs/json" }, maxProperties: LIMITS.hashedMembers };

const DEFINITIONS = {
  identifier: { type: "string", ...NAMED },
  identifier_or_null: { type: ["string", "null"], ...NAMED },
  json: {
    type: ["null", "boolean", "number", "string", "array", "object"],
    items: { $ref: "#/$defs/json" },
    maxItems: LIMITS.hashedMembers,
    ...JSON_MEMBERS,
  },
  count: integer(0, LIMITS.integerMagnitude),
};

const IDENTIFIER = definition("identifier");

const CONTRACT = exactly({
  model_result: constant(MODEL_RESULT_VERSION),
  protected_audit: constant(AUDIT_VERSION),
});

const PRINCIPAL = described(
  "Who acts, in every step of the case.",
  exactly({
    tenant_id: IDENTIFIER,
    subject_id: IDENTIFIER,
    roles: described("In ascending order of code points.", {
      ...list(IDENTIFIER, 0, LIMITS.roles),
      uniqueItems: true,
    }),
  }),
);

const PROPOSAL = described(
  "What the model says.",
  exactly({
    name: described("Name of the tool.", IDENTIFIER),
    arguments: { type: "object", ...JSON_MEMBERS },
  }),
);

const EXECUTION_CONTEXT = described("What the host adds; api_family and adapter_revision are those of the provider.", {
  ...exactly({
    provider: oneOf(PROFILES.map(({ provider }) => provider)),
    api_family: oneOf(PROFILES.map(({ api_family }) => api_family)),
    response_id: described("The provider's id of the response that has the call.", IDENTIFIER),
    call_id: described("The provider's id of the call.", IDENTIFIER),
    operation_id: described("A label, which attempts may share.", IDENTIFIER),
    idempotency_key: described(
      "The same for every attempt at one thing; a tool that writes needs one.",
      definition("identifier_or_null"),
    ),
    adapter_revision: oneOf(PROFILES.map(({ adapter_revision }) => adapter_revision)),
  }),
  anyOf: PROFILES.map((profile) => ({
    properties: Object.fromEntries(Object.entries(profile).map(([name, value]) => [name, constant(value)])),
  })),
});

/** A step: members of every format, those of this one, and what a query may not have. */
function step(own: Members, optional: Members, answer: Members, ofQuery: Members): Schema {
  return {
    ...exactly(
      {
        step_id: described("Once in its case.", IDENTIFIER),
        action: oneOf(ACTIONS),
        proposal: PROPOSAL,
        execution_context: EXECUTION_CONTEXT,
        now: described("Seconds since the Unix epoch.", integer(0, LIMITS.latestApprovalSecond)),
        ...own,
        status_ref_from: described(
          "The earlier step of the case that a query asks about; null for a dispatch.",
          definition("identifier_or_null"),
        ),
        expected: exactly({
          code: oneOf(["OK", ...REFUSAL_CODES]),
          status: oneOf(STATUSES),
          outcome: oneOf(OUTCOMES),
          recovery: oneOf(RECOVERIES),
          delivery: oneOf(DELIVERIES),
          data: described("The output of the tool, or null.", { type: ["object", "null"], ...JSON_MEMBERS }),
          ...answer,
        }),
      },
      optional,
    ),
    anyOf: [
      { properties: { action: constant("dispatch"), status_ref_from: { type: "null" } } },
      {
        properties: {
          action: constant("query_status"),
          approval: constant("none"),
          status_ref_from: { type: "string" },
          ...ofQuery,
        },
      },
    ],
  };
}

function file(version: string, optional: Members, world: Members, steps: Schema): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "Written by test/scenarios/schemas.test.ts, from the words of the code that reads such files.",
    title: version,
    ...exactly(
      {
        schema_version: constant(version),
        contract: CONTRACT,
        cases: list(
          exactly({
            id: described("Once in the file.", IDENTIFIER),
            principal: PRINCIPAL,
            ...world,
            steps: list(steps, 1, LIMITS.casesOrSteps),
          }),
          1,
          LIMITS.casesOrSteps,
        ),
      },
      optional,
    ),
    $defs: DEFINITIONS,
  };
}

const SAMPLE = file(
  SAMPLE_VERSION,
  {},
  {},
  step(
    { approval: oneOf(APPROVALS), failure: oneOf(FAULTS) },
    {},
    { side_effect_count: described("Of the tool that writes, since the case began.", definition("count")) },
    { failure: constant("none") },
  ),
);

const GATE = file(
  GATE_VERSION,
  { $schema: described("Where an editor finds this schema.", IDENTIFIER) },
  {
    world: described(
      "How what the tools look at is set up, afresh for the case.",
      exactly({
        name: described("One of `scenarios.worlds` of the gate.", IDENTIFIER),
        parameters: { type: "object", ...JSON_MEMBERS },
      }),
    ),
  },
  step(
    {
      approval: described("One of these, or of `scenarios.approvals` of the gate.", {
        anyOf: [oneOf(COMMON_APPROVALS), IDENTIFIER],
      }),
      faults: described("Some of `scenarios.faults` of the gate: what goes wrong during the step.", {
        ...list(IDENTIFIER, 0, MOST_FAULTS),
        uniqueItems: true,
      }),
    },
    {
      advance_ms: described(
        "How far the clock of deadlines moves before the step, in milliseconds.",
        integer(1, LIMITS.integerMagnitude),
      ),
    },
    {
      side_effects: described("Since the case began: in all, or by name of a tool that writes.", {
        type: ["integer", "object"],
        minimum: 0,
        maximum: LIMITS.integerMagnitude,
        additionalProperties: definition("count"),
      }),
    },
    {},
  ),
);

/** The JSON Schema of each format of scenario files, by `schema_version`. */
export const DOCUMENT_SCHEMAS: Readonly<Record<typeof SAMPLE_VERSION | typeof GATE_VERSION, Schema>> = {
  [SAMPLE_VERSION]: SAMPLE,
  [GATE_VERSION]: GATE,
};

/** A schema as its file has it. Shape: JSON as Prettier writes it. */
export function schemaText(version: keyof typeof DOCUMENT_SCHEMAS): Promise<string> {
  return format(JSON.stringify(DOCUMENT_SCHEMAS[version]), { parser: "json", printWidth: 120 });
}
