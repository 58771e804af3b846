import type { CallgateError } from "../errors/callgate-error.ts";
import { unregisteredContract } from "../protocol/call.ts";
import type { Tool } from "./tool.ts";

/** What was refused, by what stands in its place. */
const refusalOf = new WeakMap<object, CallgateError>();

/** What is refused while somebody collects it; null while nobody does. */
let collected: CallgateError[] | null = null;

/** What came of work during which refused tools were collected. */
export interface Collection<Result> {
  readonly result: Result;
  /** In the order in which they were refused. */
  readonly refusals: readonly CallgateError[];
}

/**
 * Does work during which `defineTool` does not throw what it refuses: the work goes on with something in its place that no
 * registry takes, and everything refused is told at the end. So a module that defines several tools is seen to its end.
 * Errors: what the work throws; a TypeError where refusals are being collected already.
 */
export async function collectRefusals<Result>(work: () => Promise<Result>): Promise<Collection<Result>> {
  if (collected !== null) throw new TypeError("refused tools are being collected already");
  const refusals: CallgateError[] = [];
  collected = refusals;
  try {
    return { result: await work(), refusals };
  } finally {
    collected = null;
  }
}

/**
 * Answers for a definition that is refused: where refusals are collected, by what takes its place.
 * Errors: else the refusal.
 */
export function refusedTool(name: string | null, refusal: CallgateError): Tool {
  if (collected === null) throw refusal;
  collected.push(refusal);
  const tool = Object.freeze(standIn(name ?? "", refusal));
  refusalOf.set(tool, refusal);
  return tool;
}

/** Why a value is no tool but stands in the place of one; null for every other value. */
export function refusalBehind(value: unknown): CallgateError | null {
  return typeof value === "object" && value !== null ? (refusalOf.get(value) ?? null) : null;
}

function standIn(name: string, refusal: CallgateError): Tool {
  const refuse = (): never => {
    throw refusal;
  };
  return {
    name,
    description: "",
    risk: "write",
    contract: unregisteredContract(name),
    sourceLabel: "",
    allowsSelfApproval: false,
    inputSchema: {},
    outputSchema: {},
    deadlineMs: 1,
    inputFits: () => false,
    inputProblems: () => refusal.problems,
    outputFits: () => false,
    outputProblems: () => refusal.problems,
    authorize: refuse,
    precondition: null,
    execute: refuse,
    queryReceipt: null,
  };
}
