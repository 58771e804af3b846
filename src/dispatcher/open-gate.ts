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
 * Opens a gate's real services by its resolver, and makes the gate. Closing it closes them too, where the definition says how.
 * Errors: GATE_FILE_INVALID; GATE_OPTIONS_INVALID; what the resolver throws. Of the gate's `close`: what the definition's throws.
 */
export async function openGate<Services>(
  definition: GateDefinition<Services>,
  options: OpenGateOptions = {},
): Promise<Gate> {
  const { approvers, resolver, close, toolsWith } = readGateModule(definition);
  const services = resolver === null ? undefined : await resolver();
  let letGo: Promise<void> | null = null;
  try {
    const gate = createGate({ ...options, tools: toolsWith(() => services).tools, approvers });
    const closeAll = async (): Promise<void> => {
      await gate.close();
      await close?.(services);
    };
    return {
      ...gate,
      close: () => (letGo ??= closeAll()),
    };
  } catch (error) {
    await close?.(services);
    throw error;
  }
}
