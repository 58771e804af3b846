import { CallgateError } from "../errors/callgate-error.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import type { Tool } from "./define-tool.ts";

/** The tools of one gate. A tool is found here or not at all; nothing is looked up by module or global name. */
export interface Registry extends RegistryView {
  /** The tool of that name, or null. */
  find(name: string): Tool | null;
  readonly tools: readonly Tool[];
}

/**
 * Registers tools, once and for all.
 * Errors: TOOL_DUPLICATE for two tools of one name.
 */
export function createRegistry(tools: Iterable<Tool>): Registry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new CallgateError("TOOL_DUPLICATE", { at: `tool ${tool.name}` });
    byName.set(tool.name, tool);
  }
  return { tools: [...byName.values()], find: (name) => byName.get(name) ?? null };
}
