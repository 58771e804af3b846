import { CallgateError } from "../errors/callgate-error.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import { registryOf, type Registry } from "../tools/registry.ts";
import type { ApprovalRequest, WorldOpening } from "./gate-module.ts";

/** What a gate's module offers to scenarios: names, and functions whose answers nobody trusts. */
export interface ReadScenarioOffer {
  /** Each gives services. */
  readonly worlds: ReadonlyMap<string, (opening: WorldOpening) => unknown>;
  /** Each gives what takes it back, or nothing. */
  readonly faults: ReadonlyMap<string, (services: unknown) => unknown>;
  /** Each gives a list. */
  readonly approvals: ReadonlyMap<string, (request: ApprovalRequest) => unknown>;
  /** Gives counts by tool name. */
  readonly sideEffects: (services: unknown) => unknown;
  /** Null: a world holds nothing. */
  readonly close: ((services: unknown) => unknown) | null;
}

/** A gate's module that was found to be one. */
export interface ReadGateModule {
  readonly approvers: readonly string[];
  /** Null: its tools need no services. */
  readonly resolver: (() => unknown) | null;
  /** Null: the resolver opens nothing that has to be let go of. */
  readonly close: ((services: unknown) => unknown) | null;
  /** The tools, with this as what they are given when they ask for their services. Errors: GATE_FILE_INVALID. */
  readonly toolsWith: (resolve: () => unknown) => Registry;
  /** Null: no scenario files of its own can be run. */
  readonly scenarios: ReadScenarioOffer | null;
}

/** Approvals that every gate has for scenarios. */
export const COMMON_APPROVALS = ["none", "valid", "expired", "mismatched"] as const;

type Given = Readonly<Record<string, unknown>>;
type Callable = (...given: readonly unknown[]) => unknown;

const MEMBERS = ["tools", "resolver", "close", "approvers", "scenarios"] as const;
const SCENARIO_MEMBERS = ["worlds", "faults", "approvals", "sideEffects", "close"] as const;
const WORTH_TELLING = 40;

/**
 * Reads what a gate is made of, and makes its tools once to see that they can be made.
 * Errors: GATE_FILE_INVALID with everything that is wrong at once; TOOL_*, SCHEMA_INVALID as the tools' own.
 */
export function readGateModule(definition: unknown): ReadGateModule {
  const problems: string[] = [];
  const read = guarded(() => moduleOf(definition, problems));
  if (problems.length > 0) throw invalid(problems.join("; "));
  read.toolsWith(() => {
    throw invalid(
      "`tools` calls `resolve` while the tools are made; call it inside `authorize`, `execute` and the others",
    );
  });
  return read;
}

function moduleOf(definition: unknown, problems: string[]): ReadGateModule {
  const given = membersOf(definition, "the gate", MEMBERS, problems) ?? {};
  const { tools, resolver, close, approvers, scenarios } = given;
  if (!isFunction(tools) && !Array.isArray(tools)) {
    problems.push("`tools` is a list of what `defineTool` made, or a function `(resolve) => [...]` that returns one");
  }
  if (resolver !== undefined && !isFunction(resolver))
    problems.push("`resolver` is a function that opens the services");
  if (isFunction(tools) && resolver === undefined) {
    problems.push("`resolver` is missing: `tools` is a function, and gets from it what `resolve()` returns");
  }
  if (close !== undefined && !isFunction(close)) problems.push("`close` is a function `(services) => ...`");
  if (close !== undefined && resolver === undefined) {
    problems.push("`close` lets go of what `resolver` opened, and there is none");
  }
  if (!isListOf(approvers, isIdentifier)) {
    problems.push("`approvers` is a list of ids of the people who may approve, each 1 to 255 characters");
  }
  return {
    approvers: isListOf(approvers, isIdentifier) ? [...approvers] : [],
    resolver: isFunction(resolver) ? () => resolver() : null,
    close: isFunction(close) ? (services) => close(services) : null,
    toolsWith: (resolve) => guarded(() => registryOf(listOf(isFunction(tools) ? tools(resolve) : tools))),
    scenarios: scenarios === undefined ? null : offerOf(scenarios, problems),
  };
}

function listOf(tools: unknown): readonly unknown[] {
  if (Array.isArray(tools)) return [...(tools as readonly unknown[])];
  throw invalid("`tools` returned something else than a list of what `defineTool` made");
}

function offerOf(scenarios: unknown, problems: string[]): ReadScenarioOffer {
  const given = membersOf(scenarios, "`scenarios`", SCENARIO_MEMBERS, problems) ?? {};
  const { sideEffects, close } = given;
  const worlds = functionsOf(given, "worlds", "(opening) => services", problems);
  if (worlds.size === 0) problems.push("`scenarios.worlds` is missing: name at least one `(opening) => services`");
  const approvals = functionsOf(given, "approvals", "(request) => [approval]", problems);
  for (const name of COMMON_APPROVALS) {
    if (approvals.has(name)) problems.push(`\`scenarios.approvals.${name}\` is what every gate has; use another name`);
  }
  if (!isFunction(sideEffects)) {
    problems.push("`scenarios.sideEffects` is missing: `(services) => ({ tool_name: count })`, as counted downstream");
  }
  if (close !== undefined && !isFunction(close)) problems.push("`scenarios.close` is a function `(services) => ...`");
  return {
    worlds,
    faults: functionsOf(given, "faults", "(services) => takeBack", problems),
    approvals,
    sideEffects: isFunction(sideEffects) ? (services) => sideEffects(services) : () => null,
    close: isFunction(close) ? (services) => close(services) : null,
  };
}

function functionsOf(
  given: Given,
  member: (typeof SCENARIO_MEMBERS)[number],
  form: string,
  problems: string[],
): ReadonlyMap<string, (given: unknown) => unknown> {
  const functions = new Map<string, (given: unknown) => unknown>();
  const value = given[member];
  if (value === undefined) return functions;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push(`\`scenarios.${member}\` is an object of functions by name, each \`${form}\``);
    return functions;
  }
  for (const [name, named] of Object.entries(value as Given)) {
    const isNamed = isIdentifier(name);
    if (isNamed && isFunction(named)) functions.set(name, (argument) => named(argument));
    else problems.push(`\`scenarios.${member}.${name.slice(0, WORTH_TELLING)}\` is a function \`${form}\``);
  }
  return functions;
}

/** The members of an object that has no others than these; each is read once. */
function membersOf(value: unknown, what: string, known: readonly string[], problems: string[]): Given | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push(`${what} is an object of ${known.map((name) => `\`${name}\``).join(", ")}`);
    return null;
  }
  const given: Given = { ...value };
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) problems.push(`${what} has no member \`${name.slice(0, WORTH_TELLING)}\``);
  }
  return given;
}

function isFunction(value: unknown): value is Callable {
  return typeof value === "function";
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof CallgateError) throw error;
    throw new CallgateError("GATE_FILE_INVALID", {
      detail: `it threw ${nameOf(error)} while it was read`,
      cause: error,
    });
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name.slice(0, WORTH_TELLING) : "something";
}

function invalid(detail: string): CallgateError {
  return new CallgateError("GATE_FILE_INVALID", { detail });
}
