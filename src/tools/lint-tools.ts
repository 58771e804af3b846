import type { Problem } from "../errors/problem.ts";
import { readSchema } from "../schemas/read-schema.ts";
import { nameProblems } from "./registry.ts";
import { isDefinedTool } from "./tool.ts";
import { readTool } from "./tool-problems.ts";

/** Everything that is wrong with tools, defined ones or mere definitions, as one list. Never throws. */
export function lintTools(tools: readonly unknown[]): readonly Problem[] {
  const names: string[] = [];
  const problems = tools.flatMap((tool, index) => {
    const reading = isDefinedTool(tool) ? { name: tool.name, problems: [] } : readTool(tool, readSchema);
    if (reading.name !== null) names.push(reading.name);
    const of = reading.name === null ? `tools/${index}` : `tool ${reading.name}`;
    return reading.problems.map((problem) => ({ ...problem, at: problem.at === "" ? of : `${of}, ${problem.at}` }));
  });
  return [...problems, ...nameProblems(names)];
}
