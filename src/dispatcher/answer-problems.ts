import { isObject } from "../packages/expectation.ts";
import type { Problem } from "../errors/problem.ts";
import { bindingSha256 } from "../json/binding-digest.ts";
import { pointerOf } from "../json/pointer.ts";
import { ANSWER_MEMBERS } from "../packages/answer.ts";
import { isUtcSecond } from "../packages/utc-second.ts";
import type { CopiedAnswer } from "../protocol/answer.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import { SETTLED_MEMBERS, type ExecutionBinding } from "../protocol/facts.ts";
import { isNonBlank } from "../protocol/identifier.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { Tool } from "../tools/tool.ts";

const NO_DATA = {
  at: "",
  problem: "it is no object of plain data",
  remedy:
    "answer an object literal; no undefined, Date, Map, BigInt, getter or instance of a class stands anywhere in it",
};

/** Why an answer does not keep its contract; empty where it does. The guard decides; this is for whoever has to mend it. */
export function answerProblems(
  tool: Tool,
  bound: BoundCall,
  args: JsonValue,
  { value }: CopiedAnswer,
  extra: readonly string[] = [],
): readonly Problem[] {
  if (!isObject(value)) return [NO_DATA];
  const members = [...ANSWER_MEMBERS, ...extra];
  const problems: Problem[] = members
    .filter((member) => !Object.hasOwn(value, member))
    .map((member) => ({
      at: pointerOf([member]),
      problem: "it is missing",
      remedy: "give it, null where there is none",
    }));
  for (const member of Object.keys(value)) {
    if (members.includes(member)) continue;
    const remedy = "leave it out; what the tool has to tell goes into `output`";
    problems.push({ at: pointerOf([member]), problem: "an answer has no such member", remedy });
  }
  if (problems.length > 0) return problems;
  problems.push(...evidenceProblems(bound, value));
  const { output } = value;
  if (output === undefined || !isObject(output)) {
    problems.push({ at: "/output", problem: "it is no object", remedy: "answer an object" });
  } else if (isObject(args)) {
    problems.push(...tool.outputProblems(output, args).map(({ at, ...rest }) => ({ at: `/output${at}`, ...rest })));
  }
  return problems;
}

/** Why a receipt is not that of this operation; empty where it is. */
export function receiptProblems(
  tool: Tool,
  bound: BoundCall,
  args: JsonValue,
  receipt: CopiedAnswer,
): readonly Problem[] {
  const problems = answerProblems(tool, bound, args, receipt, ["binding"]);
  if (problems.length > 0 || !isObject(receipt.value)) return problems;
  const { binding } = receipt.value;
  const expected: ExecutionBinding = { ...bound.facts, status_ref: bound.statusRef };
  const remedy = "return what was kept with the effect, as `execute` was handed it; never one from memory";
  if (typeof binding === "string") {
    if (binding === bindingSha256(expected)) return [];
    return [{ at: "/binding", problem: "it is the digest of another call's binding", remedy }];
  }
  const kept: JsonObject = binding !== undefined && isObject(binding) ? binding : {};
  return (["status_ref", ...SETTLED_MEMBERS] as const)
    .filter((member) => !Object.hasOwn(kept, member) || kept[member] !== expected[member])
    .map((member) => ({ at: pointerOf(["binding", member]), problem: "it is not that of the call", remedy }));
}

function evidenceProblems(bound: BoundCall, value: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  const demand = (holds: boolean, member: string, problem: string, remedy: string): void => {
    if (!holds) problems.push({ at: pointerOf([member]), problem, remedy });
  };
  const { producerRevision, observedAt, receiptId } = value;
  const isRegistered = producerRevision === bound.toolContract.producer_revision;
  demand(isRegistered, "producerRevision", "it is not the registered one", "register it as `revisions.producer`");
  const time = "cut the milliseconds off: `${new Date().toISOString().slice(0, 19)}Z`";
  demand(isUtcSecond(observedAt), "observedAt", "it is no time in UTC of whole seconds, YYYY-MM-DDTHH:MM:SSZ", time);
  for (const member of ["resourceRevision", "requestId", "receiptId"]) {
    const given = value[member];
    const isTold = given === null || (typeof given === "string" && isNonBlank(given));
    demand(isTold, member, "it is neither null nor a text that says something", "give null where there is none");
  }
  const isOfRead = bound.risk !== "read" || receiptId === null;
  demand(isOfRead, "receiptId", "a read leaves no receipt", "give null, or register the tool as a write");
  return problems;
}
