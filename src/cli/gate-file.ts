import { readGateModule, type ReadGateModule } from "../dispatcher/read-gate-module.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { namedFile } from "../host/files.ts";
import { loadGateFile } from "../host/modules.ts";
import { simulatedHost } from "../host/simulated.ts";
import { SAMPLE_APPROVERS, sampleWorld } from "../sample/world.ts";
import { offeredNames, type OfferedNames } from "../scenarios/read-gate-case.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";

/** The tools that a command is about, and who may approve their calls. */
export interface GateParts {
  readonly registry: Registry;
  readonly approvers: readonly string[];
}

/**
 * Loads the module of `--gate`: its default export, or what it exports by name.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID; TOOL_*, SCHEMA_INVALID as the tools' own. All name the file.
 */
async function loadGate(name: string): Promise<ReadGateModule> {
  try {
    const { default: all, tools, resolver, approvers, scenarios } = await loadGateFile(name);
    // A module may export other things as well, as long as it does so by name.
    return readGateModule(all ?? { tools, resolver, approvers, scenarios });
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    const { code, detail } = error;
    const at = error.at === null ? labelOf(name) : `${labelOf(name)}, ${error.at}`;
    throw new CallgateError(code, { at, ...(detail === null ? {} : { detail }), cause: error });
  }
}

/** A gate's module and the names that its scenario files may use. */
export interface ScenarioGate {
  readonly module: ReadGateModule;
  readonly offered: OfferedNames;
}

/**
 * Loads the module of `--gate` to run scenarios with it.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID, also where it offers nothing to scenarios; the tools' own.
 */
export async function loadScenarioGate(name: string): Promise<ScenarioGate> {
  const module = await loadGate(name);
  const offered = offeredNames(module);
  if (offered === null) {
    const detail =
      "`scenarios` is missing: { worlds, sideEffects }, and faults, approvals, close where they are needed";
    throw new CallgateError("GATE_FILE_INVALID", { at: labelOf(name), detail });
  }
  return { module, offered };
}

/** The tools of a gate file, or the sample tools where none is named. Nothing is opened. */
export async function gatePartsOf(gateFile: string | undefined): Promise<GateParts> {
  if (gateFile === undefined) {
    return { registry: createRegistry(sampleWorld(simulatedHost(0)).tools), approvers: SAMPLE_APPROVERS };
  }
  const { toolsWith, approvers } = await loadGate(gateFile);
  return { registry: toolsWith(() => undefined), approvers };
}

function labelOf(name: string): string {
  return name === "" ? "the empty name" : namedFile(name).label;
}
