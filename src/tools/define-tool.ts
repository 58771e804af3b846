import { CallgateError } from "../errors/callgate-error.ts";
import { canonicalize, copyJson } from "../json/canonical.ts";
import { keepsNamesAndDepth, repeatsArguments, type OutputLimits } from "../policy/output-contract.ts";
import type { Risk, ToolContract } from "../protocol/call.ts";
import { isIdentifier, isNonBlank } from "../protocol/identifier.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { ToolView } from "../protocol/registry-view.ts";
import { compileSchema, type SchemaCheck } from "../schemas/compile.ts";
import { closeSchema } from "../schemas/closed.ts";
import type { AccessRequest, ExecuteRequest, ObjectSchema, ReceiptRequest, ToolDefinition } from "./definition.ts";

/** A tool that a gate can register: checked, compiled, and its code behind functions whose answers nobody trusts. */
export interface Tool extends ToolView {
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** Units: milliseconds. */
  readonly deadlineMs: number;
  /** Asks the author's check. Errors: whatever it throws. */
  authorize(request: AccessRequest<JsonObject>): unknown;
  /** Null: the business state is never in the way. */
  readonly precondition: ((request: AccessRequest<JsonObject>) => unknown) | null;
  /** Does it. Errors: whatever the author's code throws. */
  execute(request: ExecuteRequest<JsonObject>): unknown;
  /** Null: no receipt can be had. */
  readonly queryReceipt: ((request: ReceiptRequest) => unknown) | null;
}

const DEFAULT_LIMITS: OutputLimits = { outputBytes: 16_384, outputDepth: 8 };
const LONGEST_DELAY_MS = 2_147_483_647;
const REVISIONS = ["inputSchema", "outputSchema", "effect", "handler", "producer", "policy"] as const;
const MEMBERS: ReadonlySet<string> = new Set([
  ...["name", "description", "risk", "inputSchema", "outputSchema", "revisions", "sourceLabel", "limits"],
  ...["outputEquals", "deadlineMs", "authorize", "precondition", "execute", "queryReceipt"],
  ...["unsafeSelfApproval", "unsafeNoReceipt"],
]);

const parameterless = { inputSchema: {}, outputSchema: {}, revisions: {}, limits: {}, outputEquals: {} };

/**
 * Checks and compiles a tool; the types of its arguments and output follow from its schemas.
 * Errors: TOOL_INVALID with everything that is wrong at once; SCHEMA_INVALID for a schema that is not usable.
 */
export function defineTool<
  const Input extends ObjectSchema,
  const Output extends ObjectSchema,
  const Returned extends object,
  const Receipt extends object,
>(definition: ToolDefinition<Input, Output, Returned, Receipt>): Tool {
  const given: Record<string, unknown> = { ...parameterless, ...definition };
  const problems = problemsOf(given);
  const name = isIdentifier(given["name"]) ? given["name"] : "";
  if (problems.length > 0) {
    throw new CallgateError("TOOL_INVALID", {
      detail: problems.join("; "),
      at: name === "" ? "a tool" : `tool ${name}`,
    });
  }
  // The checks above made these true; the compiler cannot follow them through an unknown object.
  const { revisions } = definition;
  const contract: ToolContract = {
    name,
    input_schema_revision: revisions.inputSchema,
    output_schema_revision: revisions.outputSchema,
    effect_revision: revisions.effect,
    handler_revision: revisions.handler,
    producer_revision: revisions.producer,
    policy_revision: revisions.policy,
  };
  const inputSchema = schemaOf(given["inputSchema"], name, "inputSchema");
  const outputSchema = schemaOf(given["outputSchema"], name, "outputSchema");
  const limits: OutputLimits = { ...DEFAULT_LIMITS, ...definition.limits };
  return {
    name,
    description: definition.description,
    risk: definition.risk,
    contract,
    sourceLabel: definition.sourceLabel,
    allowsSelfApproval: definition.unsafeSelfApproval === true,
    inputSchema: inputSchema.schema,
    outputSchema: outputSchema.schema,
    deadlineMs: definition.deadlineMs,
    inputFits: inputSchema.check,
    outputFits: outputCheck(outputSchema.check, limits, Object.entries(definition.outputEquals ?? {})),
    authorize: (request) => definition.authorize(request as never),
    precondition:
      definition.precondition === undefined ? null : (request) => definition.precondition?.(request as never),
    execute: (request) => definition.execute(request as never),
    queryReceipt: definition.queryReceipt === undefined ? null : (request) => definition.queryReceipt?.(request),
  };
}

function outputCheck(
  check: SchemaCheck,
  limits: OutputLimits,
  outputEquals: readonly (readonly [string, string])[],
): ToolView["outputFits"] {
  return (output, args) => {
    if (!keepsNamesAndDepth(output, limits.outputDepth) || !check(output) || !isObject(output)) return false;
    try {
      if (Buffer.byteLength(canonicalize(output)) > limits.outputBytes) return false;
      return repeatsArguments(output, args, outputEquals, canonicalize);
    } catch {
      return false;
    }
  };
}

function schemaOf(given: unknown, tool: string, member: string): { schema: JsonObject; check: SchemaCheck } {
  try {
    const schema = closeSchema(copyJson(given).value);
    return { schema, check: compileSchema(schema) };
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    throw new CallgateError("SCHEMA_INVALID", {
      detail: error.detail ?? error.message,
      at: `${member} of tool ${tool}${error.at ?? ""}`,
      cause: error,
    });
  }
}

function problemsOf(given: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const risk = given["risk"];
  for (const member of Object.keys(given))
    demand(MEMBERS.has(member), `\`${member.slice(0, 40)}\` is no member of a tool`);
  demand(isIdentifier(given["name"]), "`name` must be an identifier of 1 to 255 characters");
  demand(isNonBlank(given["description"]), "`description` must say what the tool does");
  demand(risk === ("read" satisfies Risk) || risk === ("write" satisfies Risk), "`risk` must be read or write");
  demand(isNonBlank(given["sourceLabel"]), "`sourceLabel` must name where answers come from");
  const revisions = isRecord(given["revisions"]) ? given["revisions"] : {};
  for (const revision of REVISIONS) {
    demand(isIdentifier(revisions[revision]), `\`revisions.${revision}\` must be an identifier`);
  }
  demand(
    isWholeNumber(given["deadlineMs"], LONGEST_DELAY_MS),
    "`deadlineMs` must be a whole number of milliseconds from 1",
  );
  for (const limit of ["outputBytes", "outputDepth"]) {
    const value = isRecord(given["limits"]) ? given["limits"][limit] : null;
    demand(
      value === undefined || isWholeNumber(value, Number.MAX_SAFE_INTEGER),
      `\`limits.${limit}\` must be a whole number from 1`,
    );
  }
  for (const name of ["authorize", "execute"])
    demand(typeof given[name] === "function", `\`${name}\` must be a function`);
  for (const name of ["precondition", "queryReceipt"]) {
    demand(given[name] === undefined || typeof given[name] === "function", `\`${name}\` must be a function`);
  }
  for (const name of ["unsafeSelfApproval", "unsafeNoReceipt"]) {
    demand(given[name] === undefined || typeof given[name] === "boolean", `\`${name}\` must be true or false`);
  }
  if (risk === "write") {
    demand(
      given["queryReceipt"] !== undefined || given["unsafeNoReceipt"] === true,
      "a tool that writes needs `queryReceipt`, or `unsafeNoReceipt: true` if unknown outcomes may stay unknown for ever",
    );
  }
  demand(
    isRecord(given["outputEquals"]) &&
      Object.values(given["outputEquals"]).every((argument) => typeof argument === "string"),
    "`outputEquals` must map output members to names of arguments",
  );
  return problems;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWholeNumber(value: unknown, largest: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= largest;
}
