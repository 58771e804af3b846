import { CallgateError } from "../errors/callgate-error.ts";
import type { Problem } from "../errors/problem.ts";
import type { Risk } from "../protocol/call.ts";
import { readSchema } from "../schemas/read-schema.ts";
import type { ToolDefinition, ToolSchema } from "./definition.ts";
import { refusedTool } from "./refused-tool.ts";
import { toolOf, type Tool } from "./tool.ts";
import { readTool } from "./tool-problems.ts";

/**
 * Checks and compiles a tool; the types of its arguments and output follow from its schemas. What it is made of is read
 * once: changing the definition afterwards changes nothing.
 * Errors: TOOL_INVALID with everything that is wrong at once; SCHEMA_INVALID where only the schemas are not usable. While the
 * command line loads a gate's file, they are thrown at its end, those of all tools at once.
 */
export function defineTool<
  const Input extends ToolSchema,
  const Output extends ToolSchema,
  const Returned extends object,
  const Receipt extends object,
  const ToolRisk extends Risk,
>(definition: ToolDefinition<Input, Output, Returned, Receipt, ToolRisk>): Tool {
  const { usable, name, problems } = readTool(definition, readSchema);
  return usable === null ? refusedTool(name, refusal(name, problems)) : toolOf(usable);
}

function refusal(name: string | null, problems: readonly Problem[]): CallgateError {
  const of = name === null ? "a tool" : `tool ${name}`;
  const placed = problems.map((problem) => ({ ...problem, at: problem.at === "" ? of : `${of}, ${problem.at}` }));
  const code = problems.every(({ at }) => /^(?:input|output)Schema/.test(at)) ? "SCHEMA_INVALID" : "TOOL_INVALID";
  return new CallgateError(code, { at: placed.length === 1 ? (placed[0]?.at ?? of) : of, problems: placed });
}
