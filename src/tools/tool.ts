import { isObject } from "../packages/expectation.ts";
import type { Problem } from "../errors/problem.ts";
import { canonicalize } from "../json/canonical.ts";
import { nameAndDepthProblems, repetitionProblems } from "../policy/output-problems.ts";
import { keepsNamesAndDepth, repeatsArguments, type OutputLimits } from "../policy/output-contract.ts";
import type { ToolContract } from "../protocol/call.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { ToolView } from "../protocol/registry-view.ts";
import type { SchemaCheck } from "../schemas/compile.ts";
import type { AccessRequest, ExecuteRequest, ReceiptRequest } from "./definition.ts";
import type { UsableDefinition } from "./tool-problems.ts";

/** A tool that a gate can register: checked, compiled, and its code behind functions whose answers nobody trusts. */
export interface Tool extends ToolView {
  readonly description: string;
  /** JSON Schema 2020-12 with every object closed, whatever it was defined by. */
  readonly inputSchema: JsonObject;
  /** JSON Schema 2020-12 with every object closed, whatever it was defined by. */
  readonly outputSchema: JsonObject;
  /** Units: milliseconds. */
  readonly deadlineMs: number;
  /** Why arguments do not fit; empty where they do. For the host's log: `inputFits` decides. Never throws. */
  inputProblems(args: JsonValue): readonly Problem[];
  /** Why an output does not keep its contract; empty where it does. For the host's log: `outputFits` decides. Never throws. */
  outputProblems(output: JsonObject, args: JsonObject): readonly Problem[];
  /** Asks the author's check. Errors: whatever it throws. */
  authorize(request: AccessRequest<JsonObject>): unknown;
  /** Null: the business state is never in the way. */
  readonly precondition: ((request: AccessRequest<JsonObject>) => unknown) | null;
  /** Does it. Errors: whatever the author's code throws. */
  execute(request: ExecuteRequest<JsonObject>): unknown;
  /** Null: no receipt can be had. */
  readonly queryReceipt: ((request: ReceiptRequest) => unknown) | null;
}

/** Every tool that was defined: what merely looks like one was never checked. */
const defined = new WeakSet<Tool>();

/** Makes a tool of a definition that was found usable. */
export function toolOf(given: UsableDefinition): Tool {
  const { name, revisions, inputSchema, outputSchema } = given;
  const contract: ToolContract = {
    name,
    input_schema_revision: revisions.inputSchema,
    output_schema_revision: revisions.outputSchema,
    effect_revision: revisions.effect,
    handler_revision: revisions.handler,
    producer_revision: revisions.producer,
    policy_revision: revisions.policy,
  };
  const { authorize, precondition, execute, queryReceipt } = given;
  const tool: Tool = Object.freeze({
    name,
    description: given.description,
    risk: given.risk,
    contract: Object.freeze(contract),
    sourceLabel: given.sourceLabel,
    allowsSelfApproval: given.unsafeSelfApproval === true,
    inputSchema: inputSchema.schema,
    outputSchema: outputSchema.schema,
    deadlineMs: given.deadlineMs,
    inputFits: inputSchema.check,
    inputProblems: inputSchema.explain,
    outputProblems: outputExplainer(given),
    outputFits: outputCheck(outputSchema.check, given.limits, Object.entries(given.outputEquals)),
    // What the schemas promise about a request, the gate checks before it is made.
    authorize: (request: AccessRequest<JsonObject>) => authorize(request as never),
    precondition:
      precondition === undefined ? null : (request: AccessRequest<JsonObject>) => precondition(request as never),
    execute: (request: ExecuteRequest<JsonObject>) => execute(request as never),
    queryReceipt: queryReceipt === undefined ? null : (request: ReceiptRequest) => queryReceipt(request as never),
  });
  defined.add(tool);
  return tool;
}

/** Whether a value is a tool that was defined, and not one that was put together otherwise. */
export function isDefinedTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && defined.has(value as Tool);
}

function outputCheck(
  check: SchemaCheck,
  limits: OutputLimits,
  outputEquals: readonly (readonly [string, string])[],
): ToolView["outputFits"] {
  return (output, args) => {
    if (!isObject(output) || !keepsNamesAndDepth(output, limits.outputDepth)) return false;
    try {
      // Size first: schemas, and the code of others behind them, are asked only about what is small enough.
      if (Buffer.byteLength(canonicalize(output)) > limits.outputBytes || !check(output)) return false;
      return repeatsArguments(output, args, outputEquals, canonicalize);
    } catch {
      return false;
    }
  };
}

/** In the order in which it is decided: what is forbidden or too big is not looked at by a schema. */
function outputExplainer({ outputSchema, limits, outputEquals }: UsableDefinition): Tool["outputProblems"] {
  return (output, args) => {
    const first = nameAndDepthProblems(output, limits.outputDepth);
    if (first.length > 0) return first;
    try {
      const bytes = Buffer.byteLength(canonicalize(output));
      if (bytes > limits.outputBytes) {
        const problem = `it has ${bytes} bytes, and \`limits.outputBytes\` allows ${limits.outputBytes}`;
        return [{ at: "", problem, remedy: "answer less, or raise the limit" }];
      }
      const misfits = outputSchema.explain(output);
      return misfits.length > 0
        ? misfits
        : repetitionProblems(output, args, Object.entries(outputEquals), canonicalize);
    } catch {
      return [{ at: "", problem: "it is no data that can be written as JSON", remedy: "answer plain data" }];
    }
  };
}
