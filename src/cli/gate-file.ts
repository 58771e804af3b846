import { readGateModule, type ReadGateModule } from "../dispatcher/read-gate-module.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import type { Problem } from "../errors/problem.ts";
import { namedFile } from "../host/files.ts";
import { loadGateFile } from "../host/modules.ts";
import { simulatedHost } from "../host/simulated.ts";
import { SAMPLE_APPROVERS, sampleWorld } from "../sample/world.ts";
import { offeredNames, type OfferedNames } from "../scenarios/read-gate-case.ts";
import { collectRefusals } from "../tools/refused-tool.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";

/** The tools that a command is about, and who may approve their calls. */
export interface GateParts {
  readonly registry: Registry;
  readonly approvers: readonly string[];
}

/** A gate's module and the names that its scenario files may use. */
export interface ScenarioGate {
  readonly module: ReadGateModule;
  readonly offered: OfferedNames;
}

/** What is to be said of the tools of a gate. */
export interface ToolFindings {
  /** Empty where something is wrong. */
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
}

const ABOUT_TOOLS: readonly FailureCode[] = ["TOOL_INVALID", "SCHEMA_INVALID", "TOOL_DUPLICATE"];

/**
 * Loads the module of `--gate` to run scenarios with it.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID, also where it offers nothing to scenarios; the tools' own, all at once.
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

/**
 * The tools of a gate file, or the sample tools where none is named. Nothing is opened.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID; TOOL_*, SCHEMA_INVALID as the tools' own, all at once.
 */
export async function gatePartsOf(gateFile: string | undefined): Promise<GateParts> {
  if (gateFile === undefined) {
    return { registry: createRegistry(sampleWorld(simulatedHost(0)).tools), approvers: SAMPLE_APPROVERS };
  }
  const { toolsWith, approvers } = await loadGate(gateFile);
  return { registry: toolsWith(() => undefined), approvers };
}

/**
 * Everything that is wrong with the tools of a gate file, or of the sample world where none is named. Nothing is opened.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID, where nothing is known to be wrong with a tool.
 */
export async function lintGate(gateFile: string | undefined): Promise<ToolFindings> {
  try {
    return { tools: (await gatePartsOf(gateFile)).registry.tools, problems: [] };
  } catch (error) {
    if (error instanceof CallgateError && ABOUT_TOOLS.includes(error.code))
      return { tools: [], problems: error.problems };
    throw error;
  }
}

/** The gate's default export, or what it exports by name. Errors: all name the file. */
async function loadGate(name: string): Promise<ReadGateModule> {
  const { result, refusals } = await collectRefusals(async () => {
    try {
      const { default: all, tools, resolver, close, approvers, scenarios } = await loadGateFile(name);
      // A module may export other things as well, as long as it does so by name.
      return readGateModule(all ?? { tools, resolver, close, approvers, scenarios });
    } catch (error) {
      if (error instanceof CallgateError) return error;
      throw error;
    }
  });
  const failures = result instanceof CallgateError ? [...refusals, result] : refusals;
  if (failures.length > 0 || result instanceof CallgateError) throw inFile(labelOf(name), failures);
  return result;
}

/** What is wrong with a file, as one failure of it. */
function inFile(label: string, failures: readonly CallgateError[]): CallgateError {
  const within = (place: string | null): string => (place === null ? label : `${label}, ${place}`);
  const [first] = failures;
  if (failures.length === 1 && first !== undefined && first.problems.length === 0) {
    const { code, at, detail } = first;
    return new CallgateError(code, { at: within(at), ...(detail === null ? {} : { detail }), cause: first });
  }
  const problems: Problem[] = [];
  const codes = new Set<FailureCode>();
  for (const failure of failures) {
    const { code, at, message, remedy } = failure;
    const told = failure.problems.length > 0 ? failure.problems : [{ at, problem: message, remedy }];
    for (const { at: place, problem, remedy: mend } of told) {
      const found = { at: within(place), problem, remedy: mend };
      // A registry tells once more what was refused before.
      if (problems.some((known) => known.at === found.at && known.problem === problem)) continue;
      problems.push(found);
      codes.add(code);
    }
  }
  const [only = "TOOL_INVALID"] = codes;
  const code = codes.size === 1 ? only : "TOOL_INVALID";
  return new CallgateError(code, { at: label, problems, cause: new AggregateError(failures) });
}

function labelOf(name: string): string {
  return name === "" ? "the empty name" : namedFile(name).label;
}
