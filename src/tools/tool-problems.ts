import type { Problem } from "../errors/problem.ts";
import { isForbiddenName, type OutputLimits } from "../policy/output-contract.ts";
import { pointerOf } from "../json/pointer.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import type { JsonObject } from "../protocol/json.ts";
import { namedMembers, ownMemberNames } from "../schemas/member-names.ts";
import type { SchemaReading, UsableSchema } from "../schemas/read-schema.ts";
import { smallestSize } from "../schemas/smallest-value.ts";
import { readDefinition, type ReadDefinition } from "./read-definition.ts";

/** A definition that was found usable, with its schemas compiled. */
export interface UsableDefinition extends Omit<ReadDefinition, "inputSchema" | "outputSchema" | "limits"> {
  readonly inputSchema: UsableSchema;
  readonly outputSchema: UsableSchema;
  readonly limits: OutputLimits;
}

/** A definition, or everything that is wrong with it. Shape: a place is a member, and a JSON pointer into a schema. */
export type ToolReading =
  | { readonly usable: UsableDefinition; readonly name: string; readonly problems: readonly [] }
  | { readonly usable: null; readonly name: string | null; readonly problems: readonly Problem[] };

/** Reads one of the two schemas of a definition. Never throws. */
export type SchemaReader = (given: unknown, member: "inputSchema" | "outputSchema") => SchemaReading;

const DEFAULT_LIMITS: OutputLimits = { outputBytes: 16_384, outputDepth: 8 };

/** Reads a whole definition at once, its schemas included. Never throws. */
export function readTool(definition: unknown, readSchema: SchemaReader): ToolReading {
  const reading = readDefinition(definition);
  const { given } = reading;
  const name = isIdentifier(given.name) ? given.name : null;
  if (Object.keys(given).length === 0) return { usable: null, name, problems: reading.problems };
  const input = readSchema(given.inputSchema, "inputSchema");
  const output = readSchema(given.outputSchema, "outputSchema");
  const problems = [
    ...reading.problems,
    ...input.problems.map((problem) => within("inputSchema", problem)),
    ...output.problems.map((problem) => within("outputSchema", problem)),
  ];
  // What is left compares members with schemas: it takes both.
  if (!reading.isWhole || input.usable === null || output.usable === null) return { usable: null, name, problems };
  const limits = { ...DEFAULT_LIMITS, ...reading.given.limits };
  problems.push(
    ...bindingProblems(reading.given.outputEquals, input.usable.schema, output.usable.schema),
    ...outputProblems(output.usable.schema, limits),
  );
  if (problems.length > 0) return { usable: null, name, problems };
  const usable = { ...reading.given, inputSchema: input.usable, outputSchema: output.usable, limits };
  return { usable, name: usable.name, problems: [] };
}

function within(member: string, { at, ...problem }: Problem): Problem {
  return { at: `${member}${at}`, ...problem };
}

function bindingProblems(
  outputEquals: Readonly<Record<string, string>>,
  input: JsonObject,
  output: JsonObject,
): Problem[] {
  const [inputNames, outputNames] = [ownMemberNames(input), ownMemberNames(output)];
  return Object.entries(outputEquals).flatMap(([member, argument]) => {
    const at = `outputEquals.${member}`;
    const found: Problem[] = [];
    if (!outputNames.has(member)) {
      const problem = `\`outputSchema\` names no member \`${member}\``;
      found.push({ at, problem, remedy: "name it there, or take the binding out" });
    }
    if (!inputNames.has(argument)) {
      const problem = `\`inputSchema\` names no member \`${argument}\``;
      found.push({ at, problem, remedy: "name it there, or bind to another argument" });
    }
    return found;
  });
}

/** Where the output contract refuses what the output schema asks for. */
function outputProblems(output: JsonObject, limits: OutputLimits): Problem[] {
  const { bytes, depth } = smallestSize(output);
  const problems: Problem[] = namedMembers(output)
    .filter(({ name }) => isForbiddenName(name))
    .map(({ name, path }) => ({
      at: `outputSchema${pointerOf(path)}`,
      problem: `no output may have a member called \`${name}\`, at any depth`,
      remedy: "call it otherwise if it is no secret and no control field; else leave it out",
    }));
  if (bytes > limits.outputBytes) {
    const problem = `every output has at least ${bytes} bytes, and ${limits.outputBytes} are allowed`;
    problems.push({ at: "limits.outputBytes", problem, remedy: "raise the limit, or ask for less in `outputSchema`" });
  }
  if (depth > limits.outputDepth) {
    const problem = `every output is at least ${depth} deep, and ${limits.outputDepth} is allowed`;
    problems.push({ at: "limits.outputDepth", problem, remedy: "raise the limit, or ask for less in `outputSchema`" });
  }
  return problems;
}
