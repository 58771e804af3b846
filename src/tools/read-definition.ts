import type { Problem } from "../errors/problem.ts";
import type { OutputLimits } from "../policy/output-contract.ts";
import type { Risk } from "../protocol/call.ts";
import { isIdentifier, isNonBlank } from "../protocol/identifier.ts";
import type { ToolRevisions } from "./definition.ts";

/** A definition of which each member was read once and is what it has to be; its schemas are still to be looked at. */
export interface ReadDefinition {
  readonly name: string;
  readonly description: string;
  readonly risk: Risk;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly revisions: ToolRevisions;
  readonly sourceLabel: string;
  readonly limits: Partial<OutputLimits>;
  readonly outputEquals: Readonly<Record<string, string>>;
  /** Units: milliseconds. */
  readonly deadlineMs: number;
  readonly authorize: ToolFunction;
  readonly precondition: ToolFunction | undefined;
  readonly execute: ToolFunction;
  readonly queryReceipt: ToolFunction | undefined;
  readonly unsafeSelfApproval: boolean | undefined;
}

/** A function of a tool: what it is given follows from the schemas, what it returns nobody trusts. */
export type ToolFunction = (request: never) => unknown;

type Given = Readonly<Record<string, unknown>>;

const LONGEST_DELAY_MS = 2_147_483_647;
const REVISIONS = ["inputSchema", "outputSchema", "effect", "handler", "producer", "policy"] as const;
const LIMIT_NAMES = ["outputBytes", "outputDepth"] as const;
const WRITE_ONLY = ["precondition", "queryReceipt", "unsafeSelfApproval", "unsafeNoReceipt"] as const;
const MEMBERS: readonly string[] = [
  ...["name", "description", "risk", "inputSchema", "outputSchema", "revisions", "sourceLabel", "limits"],
  ...["outputEquals", "deadlineMs", "authorize", "execute", ...WRITE_ONLY],
];

/** A definition, or everything that is wrong with it but its schemas. */
export type DefinitionReading =
  | { readonly isWhole: true; readonly given: ReadDefinition; readonly problems: readonly [] }
  | { readonly isWhole: false; readonly given: Partial<ReadDefinition>; readonly problems: readonly Problem[] };

/** Reads a definition, members that it inherits included: it may be an instance of a class. Never throws. */
export function readDefinition(definition: unknown): DefinitionReading {
  try {
    const given = membersOf(definition);
    const problems = problemsOf(given);
    // The checks made this true; the compiler cannot follow them through an unknown object.
    if (problems.length === 0) return { isWhole: true, given: given as unknown as ReadDefinition, problems: [] };
    return { isWhole: false, given, problems };
  } catch {
    const problem = { at: "", problem: "it cannot be read", remedy: "give a plain object, or an instance of a class" };
    return { isWhole: false, given: {}, problems: [problem] };
  }
}

function membersOf(definition: unknown): Given {
  if (typeof definition !== "object" || definition === null) return {};
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(definition)) given[name] = undefined;
  for (const name of MEMBERS) given[name] = (definition as Given)[name];
  for (const name of ["authorize", "precondition", "execute", "queryReceipt"]) {
    const method = given[name];
    // Called on the definition, so that an instance of a class keeps its `this`.
    if (typeof method === "function")
      given[name] = (request: never): unknown => Reflect.apply(method, definition, [request]) as unknown;
  }
  for (const name of ["revisions", "limits", "outputEquals"]) {
    if (isRecord(given[name])) given[name] = { ...given[name] };
  }
  const { limits = {}, outputEquals = {} } = given;
  return { ...given, limits, outputEquals };
}

type Demand = (holds: boolean, at: string, problem: string, remedy: string) => void;

function problemsOf(given: Given): readonly Problem[] {
  const { risk } = given;
  const problems: Problem[] = [];
  const demand: Demand = (holds, at, problem, remedy) => {
    if (!holds) problems.push({ at, problem, remedy });
  };
  demandOnly(Object.keys(given), MEMBERS, "", demand);
  demand(
    isIdentifier(given["name"]),
    "name",
    "`name` is no identifier",
    "give 1 to 255 characters, not only white space",
  );
  demand(isNonBlank(given["description"]), "description", "`description` says nothing", "say what the tool does");
  demand(
    risk === ("read" satisfies Risk) || risk === ("write" satisfies Risk),
    "risk",
    "`risk` is neither read nor write",
    "say whether the tool changes anything: write if it does",
  );
  demand(isNonBlank(given["sourceLabel"]), "sourceLabel", "`sourceLabel` says nothing", "name where answers come from");
  const revisions = isRecord(given["revisions"]) ? given["revisions"] : {};
  demandOnly(Object.keys(revisions), REVISIONS, "revisions.", demand);
  for (const name of REVISIONS) {
    const at = `revisions.${name}`;
    demand(isIdentifier(revisions[name]), at, `\`${at}\` is no identifier`, "give one, and a new one at every change");
  }
  const delays = `give a whole number of milliseconds, 1 to ${LONGEST_DELAY_MS}`;
  demand(isWholeNumber(given["deadlineMs"], LONGEST_DELAY_MS), "deadlineMs", "`deadlineMs` is no delay", delays);
  const limits = isRecord(given["limits"]) ? given["limits"] : null;
  demand(limits !== null, "limits", "`limits` is no object", "give `outputBytes` and `outputDepth`, or leave it out");
  demandOnly(Object.keys(limits ?? {}), LIMIT_NAMES, "limits.", demand);
  for (const name of LIMIT_NAMES) {
    const value = limits?.[name];
    const holds = value === undefined || isWholeNumber(value, Number.MAX_SAFE_INTEGER);
    demand(holds, `limits.${name}`, `\`limits.${name}\` is no limit`, "give a whole number from 1");
  }
  demand(
    isRecord(given["outputEquals"]) &&
      Object.values(given["outputEquals"]).every((argument) => typeof argument === "string"),
    "outputEquals",
    "`outputEquals` maps something to no name",
    "map members of the output to names of arguments",
  );
  demandFunctions(given, demand);
  return problems;
}

function demandFunctions(given: Given, demand: Demand): void {
  const { risk } = given;
  for (const name of ["authorize", "execute"]) {
    demand(typeof given[name] === "function", name, `\`${name}\` is no function`, "give one: there is no default");
  }
  for (const name of WRITE_ONLY) {
    const type = name.startsWith("unsafe") ? "boolean" : "function";
    const value = given[name];
    demand(
      value === undefined || typeof value === type,
      name,
      `\`${name}\` is no ${type}`,
      "give one, or leave it out",
    );
    demand(risk !== "read" || value === undefined, name, `\`${name}\` is about writes only`, "leave it out");
  }
  demand(
    risk !== "write" || given["queryReceipt"] !== undefined || given["unsafeNoReceipt"] === true,
    "queryReceipt",
    "a tool that writes has no `queryReceipt`",
    "write one, or say `unsafeNoReceipt: true` if unknown outcomes may stay unknown for ever",
  );
}

function demandOnly(names: readonly string[], known: readonly string[], within: string, demand: Demand): void {
  for (const name of names) {
    const at = `${within}${name.slice(0, 40)}`;
    demand(known.includes(name), at, `\`${at}\` is not known`, `mend its spelling: there are ${known.join(", ")}`);
  }
}

function isRecord(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWholeNumber(value: unknown, largest: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= largest;
}
