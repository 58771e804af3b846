import { describe, expect, test } from "vitest";
import { compileMachine } from "../../src/engine/compile.ts";
import { OPERATION } from "../../src/engine/operation.ts";
import { answersReachableFrom, type Answer } from "../../src/engine/reachability.ts";
import { STATUS_QUERY } from "../../src/engine/status-query.ts";
import { NOT_STARTED_CODES, REFUSAL_CODES } from "../../src/errors/refusals.ts";
import type { OperationState } from "../../src/protocol/operation.ts";
import type { StatusQueryState } from "../../src/protocol/status-query.ts";

const operation = compileMachine(OPERATION);
const statusQuery = compileMachine(STATUS_QUERY);
const refusals = (...codes: string[]): Set<string> => new Set(codes.map((code) => `${code}/fresh`));
const union = (...sets: ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

const NOT_STARTED = refusals(...NOT_STARTED_CODES);
const QUERIED = new Set(["OK/receipt_reconciled", "STATUS_CONFLICT/fresh"]);
const EXECUTED = union(
  refusals("OUTPUT_CONTRACT_VIOLATION", "OUTCOME_UNKNOWN"),
  NOT_STARTED,
  QUERIED,
  new Set(["OK/fresh"]),
);

describe("an operation", () => {
  test("can end at first with every code, and with every delivery", () => {
    const all = union(refusals(...REFUSAL_CODES), new Set(["OK/fresh", "OK/local_replay", "OK/receipt_reconciled"]));
    expect(answersReachableFrom(operation, "proposed")).toEqual(all);
  });

  test.each<[OperationState, ReadonlySet<string>]>([
    ["executing", EXECUTED],
    ["unknown", union(refusals("OUTPUT_CONTRACT_VIOLATION", "OUTCOME_UNKNOWN"), QUERIED)],
    ["querying", union(refusals("OUTPUT_CONTRACT_VIOLATION", "OUTCOME_UNKNOWN"), QUERIED)],
    ["fresh", new Set(["OK/fresh"])],
    ["receipt_reconciled", new Set(["OK/receipt_reconciled"])],
    ["replayed", new Set(["OK/local_replay"])],
    ["joined", refusals("OUTCOME_UNKNOWN")],
    ["conflict", refusals("CALL_ID_CONFLICT", "IDEMPOTENCY_CONFLICT", "STATUS_CONFLICT")],
  ])("can end from %s with what is left", (state, answers) => {
    expect(answersReachableFrom(operation, state)).toEqual(answers);
  });

  test.each<[OperationState, Answer]>([
    ["bound", "UNKNOWN_TOOL/fresh"],
    ["identified", "CALL_ID_CONFLICT/fresh"],
    ["authorized", "IDEMPOTENCY_KEY_REQUIRED/fresh"],
    ["executing", "IDEMPOTENCY_CONFLICT/fresh"],
    ["executing", "OK/local_replay"],
    ["unknown", "OK/fresh"],
  ])("can from %s on no longer end with %s", (state, answer) => {
    expect(answersReachableFrom(operation, "proposed")).toContain(answer);
    expect(answersReachableFrom(operation, state)).not.toContain(answer);
  });

  test("in doubt rests with its own code where that is known", () => {
    expect(answersReachableFrom(operation, "unknown", "OUTCOME_UNKNOWN/fresh")).toEqual(
      union(refusals("OUTCOME_UNKNOWN"), QUERIED),
    );
    expect(answersReachableFrom(operation, "rejected", "TOOL_ERROR/fresh")).toEqual(refusals("TOOL_ERROR"));
    expect(answersReachableFrom(operation, "rejected", "OK/fresh")).toEqual(new Set());
    expect(answersReachableFrom(operation, "unknown", null)).toEqual(new Set());
  });
});

describe("a status query", () => {
  test.each<[StatusQueryState, ReadonlySet<string>]>([
    [
      "proposed",
      union(
        refusals("UNKNOWN_TOOL", "INVALID_ARGUMENTS", "CALL_ID_CONFLICT", "NOT_FOUND", "TIMEOUT_BEFORE_EXECUTE"),
        refusals("OUTCOME_UNKNOWN", "STATUS_CONFLICT"),
        new Set(["OK/local_replay", "OK/receipt_reconciled"]),
      ),
    ],
    [
      "asking",
      union(
        refusals("OUTCOME_UNKNOWN", "STATUS_CONFLICT", "NOT_FOUND"),
        new Set(["OK/local_replay", "OK/receipt_reconciled"]),
      ),
    ],
    ["answered", union(refusals("OUTCOME_UNKNOWN"), new Set(["OK/local_replay", "OK/receipt_reconciled"]))],
    ["rejected", refusals("UNKNOWN_TOOL", "INVALID_ARGUMENTS", "NOT_FOUND", "TIMEOUT_BEFORE_EXECUTE")],
  ])("can end from %s with what is left", (state, answers) => {
    expect(answersReachableFrom(statusQuery, state)).toEqual(answers);
  });
});
