import type { Stepped } from "../engine/step.ts";
import type { RefusalCode } from "../errors/refusals.ts";
import type { ApprovalStep } from "../ledger/ledger.ts";
import type { ApprovalState } from "../protocol/approval-run.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { ApprovalKey, AttemptId } from "../protocol/ids.ts";
import type { Delivery } from "../protocol/result.ts";

/** One step of an operation or of a status query, told to whoever watches. */
export interface RunNotice {
  readonly machine: "operation" | "status_query";
  /** The run: an attempt, or a status query. */
  readonly run: AttemptId;
  /** The run that fed the event: of an owner that is asked, the status query; null for the gate itself. */
  readonly source: AttemptId | null;
  /** Name of the tool, which its registration gave; null for one that is not registered: a model made that up. */
  readonly tool: string | null;
  /** Where the run was. */
  readonly state: string;
  readonly event: string;
  /** Where the event led. Counts only once it is stored, which it is when this is told. */
  readonly next: string;
  readonly effects: readonly string[];
  /** What was asked threw, so that the event is the cautious one. */
  readonly failed: boolean;
  /** The code that the run has come to. */
  readonly refusal: RefusalCode | null;
  /** How the run has succeeded. */
  readonly delivery: Delivery | null;
}

/** One step of an approval, told once the transaction that took it is stored. */
export interface ApprovalNotice {
  readonly machine: "approval";
  /** A digest of what is to be approved: who knows all of that can recognise it. */
  readonly run: ApprovalKey;
  /** The attempt that fed the event. */
  readonly source: AttemptId;
  readonly tool: string | null;
  readonly state: ApprovalState;
  /** Null where the approval was opened, and nothing has happened to it yet. */
  readonly event: string | null;
  readonly next: ApprovalState;
}

/**
 * One step of one run. Names only: no argument, no output, no record, no identity, so that nothing else can get out by
 * watching. The first notice of a run is its beginning too, in `state`.
 */
export type StepNotice = RunNotice | ApprovalNotice;

/** Watches steps. What it throws is swallowed: watching changes nothing. */
export type Observer = (notice: StepNotice) => void;

type AnyStep = Stepped<
  string,
  { readonly refusal: RefusalCode | null; readonly delivery: Delivery | null },
  string,
  string
>;

/** What is told of a step of an operation or a status query. */
export function runNotice(
  { machine, run, source }: Pick<RunNotice, "machine" | "run" | "source">,
  bound: BoundCall | null,
  { from, event, to, effects, context: { refusal, delivery } }: AnyStep,
  failed: boolean,
): RunNotice {
  const orders = effects.map(({ type }) => type);
  const where = { state: from, event, next: to, effects: orders };
  return { machine, run, source, tool: toolName(bound), ...where, failed, refusal, delivery };
}

/** What is told of a step of an approval. */
export function approvalNotice(
  { run, source }: Pick<ApprovalNotice, "run" | "source">,
  bound: BoundCall,
  { from, event, to }: ApprovalStep,
): ApprovalNotice {
  return { machine: "approval", run, source, tool: toolName(bound), state: from, event, next: to };
}

function toolName(bound: BoundCall | null): string | null {
  return bound === null || bound.risk === null ? null : bound.toolContract.name;
}
