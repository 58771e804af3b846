import { createGate, type Gate, type GateOptions } from "./gate.ts";
import type { GateDefinition } from "./gate-module.ts";
import { readGateModule } from "./read-gate-module.ts";

/** What the host adds to a gate's module. */
export type OpenGateOptions = Omit<GateOptions, "tools" | "approvers">;

/**
 * Says what a gate is made of, with types that follow from its resolver; checks it, opens nothing.
 * Errors: GATE_FILE_INVALID with everything that is wrong at once; what `createRegistry` refuses.
 */
export function defineGate<Services>(definition: GateDefinition<Services>): GateDefinition<Services> {
  readGateModule(definition);
  return Object.freeze({ ...definition });
}

/**
 * Opens a gate's real services by its resolver, and makes the gate. Close the gate first, then what the resolver opened.
 * Errors: GATE_FILE_INVALID; GATE_OPTIONS_INVALID; what the resolver throws.
 */
export async function openGate<Services>(
  definition: GateDefinition<Services>,
  options: OpenGateOptions = {},
): Promise<Gate> {
  const { approvers, resolver, toolsWith } = readGateModule(definition);
  const services = resolver === null ? undefined : await resolver();
  return createGate({ ...options, tools: toolsWith(() => services).tools, approvers });
}
