import type { TransitionRow, TransitionTable } from "../../src/engine/compile.ts";

type Row = TransitionRow<string, string, string>;

/** One thing that every branch of a machine keeps. */
interface Keeping {
  readonly says: string;
  readonly keeps: (row: Row) => boolean;
}

const orders = (row: Row, effect: string): boolean => row.effects.some(({ type }) => type === effect);
const changes = (row: Row, change: string): boolean => row.changes.some(({ type }) => type === change);
const enters = (row: Row, state: string): boolean => row.target === state && row.state !== state;
const same = (left: boolean, right: boolean): boolean => left === right;

const ANSWERING: readonly Keeping[] = [
  {
    says: "a refusal, and nothing else, leads to a known no or a conflict",
    keeps: (row) =>
      !enters(row, "rejected") && !enters(row, "conflict")
        ? true
        : changes(row, "refuse") || changes(row, "refuseAsTold"),
  },
];

const OPERATION: readonly Keeping[] = [
  ...ANSWERING,
  {
    says: "the tool is run only by way of a recorded intent",
    keeps: (row) =>
      same(enters(row, "executing"), row.state === "approved" && row.event === "intent.recorded") &&
      same(enters(row, "executing"), orders(row, "runTool")),
  },
  {
    says: "nothing is approved but by a valid approval, or by a waiver for a read",
    keeps: (row) =>
      same(enters(row, "approved"), row.guard === "approvalValid" || row.guard === "isRead") &&
      same(enters(row, "approved"), orders(row, "recordIntent")),
  },
  {
    says: "nothing but the query that matches leaves unknown",
    keeps: (row) =>
      row.state !== "unknown" ||
      (row.event === "status.queried" && same(row.target === "querying", row.guard === "queryMatches")),
  },
  {
    says: "only a matching receipt settles what was unknown, and only a fitting output what was not",
    keeps: (row) =>
      same(orders(row, "settle"), row.guard === "receiptMatches" || row.guard === "outputFits") &&
      same(orders(row, "settle"), enters(row, "fresh") || enters(row, "receipt_reconciled")),
  },
  {
    says: "a write in doubt is marked, and nothing else is",
    keeps: (row) => same(orders(row, "markUncertain"), row.state === "executing" && enters(row, "unknown")),
  },
  {
    says: "a scope is released only by a write that is known not to have started",
    keeps: (row) => same(orders(row, "releaseScope"), row.event === "tool.refused" && row.guard === "isWrite"),
  },
  {
    says: "a receipt that contradicts is marked as disputed",
    keeps: (row) => same(orders(row, "markDisputed"), row.state === "querying" && enters(row, "conflict")),
  },
  {
    says: "every success is told as one",
    keeps: (row) => same(changes(row, "succeed"), ["fresh", "replayed", "receipt_reconciled"].includes(row.target)),
  },
  {
    says: "before the tool is started a deadline is a known no",
    keeps: (row) => row.event !== "deadline.passed" || row.target === "rejected",
  },
];

const STATUS_QUERY: readonly Keeping[] = [
  ...ANSWERING,
  { says: "it never runs a tool", keeps: (row) => !orders(row, "runTool") },
  {
    says: "it succeeds only by a record that matches",
    keeps: (row) => same(changes(row, "succeed"), row.guard === "recordMatches"),
  },
  {
    says: "an owner is asked only if it matches",
    keeps: (row) => same(orders(row, "askOwner"), row.guard === "ownerMatches"),
  },
];

const APPROVAL: readonly Keeping[] = [
  {
    says: "it is consumed only out of a reservation",
    keeps: (row) => !enters(row, "consumed") || row.state === "reserved",
  },
  {
    says: "who holds it is known exactly while it is held",
    keeps: (row) =>
      same(changes(row, "keepHolder"), enters(row, "reserved")) &&
      same(changes(row, "dropHolder"), enters(row, "granted") && row.state !== "requested"),
  },
  {
    says: "a decision is kept exactly when it is granted",
    keeps: (row) => same(changes(row, "keepDecision"), row.state === "requested" && enters(row, "granted")),
  },
];

const PROMISES: Readonly<Record<string, readonly Keeping[]>> = {
  operation: OPERATION,
  status_query: STATUS_QUERY,
  approval: APPROVAL,
};

/** The promises that a machine breaks, read off its table. */
export function promisesBroken(table: TransitionTable<string, string, string>): readonly string[] {
  const broken = (PROMISES[table.name] ?? []).flatMap(({ says, keeps }) =>
    table.rows
      .filter((row) => !keeps(row))
      .map(({ state, event, branch }) => `${state} ${event} ${branch + 1}: ${says}`),
  );
  const doubtful = [...table.resting].filter((state) => !table.finals.has(state));
  const expected = RESTING[table.name] ?? [];
  const idle = doubtful.filter((state) => !expected.includes(state)).map((state) => `${state}: nothing is asked there`);
  return [...broken, ...idle];
}

/** The states beside the ends in which nothing is under way. */
const RESTING: Readonly<Record<string, readonly string[]>> = {
  operation: ["unknown"],
  approval: ["granted", "reserved", "consumed"],
};
