import { CallgateError } from "../errors/callgate-error.ts";
import type { Problem } from "../errors/problem.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import { refusalBehind } from "./refused-tool.ts";
import { isDefinedTool, type Tool } from "./tool.ts";

/** The tools of one gate. A tool is found here or not at all; nothing is looked up by module or global name. */
export interface Registry extends RegistryView {
  /** The tool of that name, or null. */
  find(name: string): Tool | null;
  readonly tools: readonly Tool[];
}

/**
 * Registers tools, once and for all.
 * Errors: everything that is wrong at once, as TOOL_DUPLICATE where it is names only that are alike, by themselves or as
 * providers are offered them; else as TOOL_INVALID: `defineTool` has not made one.
 */
export function createRegistry(tools: Iterable<Tool>): Registry {
  return registryOf([...tools]);
}

/** Registers what has yet to prove to be tools. Errors: as `createRegistry`. */
export function registryOf(given: readonly unknown[]): Registry {
  const strangers = given.flatMap((value, index) => (isDefinedTool(value) ? [] : strangerProblems(value, index)));
  const tools = given.filter(isDefinedTool);
  const problems = [...strangers, ...nameProblems(tools.map(({ name }) => name))];
  if (problems.length > 0) {
    throw new CallgateError(strangers.length > 0 ? "TOOL_INVALID" : "TOOL_DUPLICATE", { at: "tools", problems });
  }
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { tools, find: (name) => byName.get(name) ?? null };
}

function strangerProblems(value: unknown, index: number): readonly Problem[] {
  const problem = { at: `tools/${index}`, problem: "it was not made by `defineTool`", remedy: "define it" };
  return refusalBehind(value)?.problems ?? [problem];
}

/** What is wrong with the names of tools that stand side by side. */
export function nameProblems(names: readonly string[]): readonly Problem[] {
  const owners = new Map<string, string>();
  return names.flatMap((name) => {
    const offered = providerToolName(name);
    const owner = owners.get(offered);
    owners.set(offered, owner ?? name);
    if (owner === undefined) return [];
    const problem =
      owner === name
        ? "another tool has the same name"
        : `providers would be offered it as \`${offered}\`, like \`${owner}\``;
    return [{ at: `tool ${name}`, problem, remedy: "give each tool a name of its own, of letters, digits, _ and -" }];
  });
}
