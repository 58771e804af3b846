import type { Problem } from "../errors/problem.ts";
import { frozen } from "../json/frozen.ts";
import { copyData } from "../json/copy.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { SchemaCheck } from "../schemas/compile.ts";
import type { ObjectSchema, ToolDefinition } from "./definition.ts";
import { toolOf, type Tool } from "./tool.ts";
import { readTool } from "./tool-problems.ts";

/** What Ajv made of the two schemas of a tool, ahead of time. */
export interface CompiledChecks {
  readonly inputSchema: SchemaCheck;
  readonly outputSchema: SchemaCheck;
}

/** Saying more takes Ajv. */
const MISFIT: Problem = { at: "", problem: "it does not fit its schema", remedy: "give what the schema asks for" };

/**
 * Makes a tool whose schemas were compiled ahead of time, so that a process with such tools only starts without Ajv. The
 * schemas themselves are taken as they stand: whoever keeps the checks has to see that they are those of the schemas.
 * Errors: a TypeError for a definition that `defineTool` would refuse.
 */
export function compiledTool<
  const Input extends ObjectSchema,
  const Output extends ObjectSchema,
  Returned extends object,
  Receipt extends object,
>(definition: ToolDefinition<Input, Output, Returned, Receipt>, checks: CompiledChecks): Tool {
  const { usable, problems } = readTool(definition, (given, member) => {
    // Taken as it stands: it was JSON when it was compiled.
    const schema = frozen(copyData(given as JsonObject) as JsonObject);
    const explain = (value: JsonValue) => (checks[member](value) ? [] : [MISFIT]);
    return { usable: { schema, check: checks[member], explain }, problems: [] };
  });
  if (usable === null) throw new TypeError(problems.map(({ at, problem }) => `${at}: ${problem}`).join("; "));
  return toolOf(usable);
}
