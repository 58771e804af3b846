import type { Problem } from "../errors/problem.ts";
import { thrownText } from "../errors/thrown-text.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { AttemptId } from "../protocol/ids.ts";

/** What a diagnostic is about: what a model proposed, or a function of the tool. */
export type DiagnosticSubject = "arguments" | "authorize" | "precondition" | "execute" | "queryReceipt";

/**
 * Why a call was answered as it was, where the answer itself may not say it: for the host's own log, never for a model.
 * It changes nothing: what was answered stays as it is.
 */
export interface Diagnostic {
  /** Name of the registered tool. */
  readonly tool: string;
  /** The run that met it: an attempt, or a status query. */
  readonly run: AttemptId;
  readonly operationId: string;
  readonly callId: string;
  readonly subject: DiagnosticSubject;
  /** Places are JSON pointers into the arguments, or into what the function answered. */
  readonly problems: readonly Problem[];
  /** What the function threw, as it was; absent where it threw nothing. */
  readonly thrown?: unknown;
}

/** Is told why. What it throws is swallowed. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** Something that went wrong in a function of a tool. */
export type Fault = Pick<Diagnostic, "subject" | "problems" | "thrown">;

/** What is said of a function that threw. */
export function faultOfThrown(subject: DiagnosticSubject, thrown: unknown): Fault {
  const remedy = "mend it, or catch what may happen: it was answered in the most cautious way";
  return { subject, problems: [{ at: "", problem: `it threw: ${thrownText(thrown)}`, remedy }], thrown };
}

/** What is said of a function that was waited for in vain. */
export function faultOfLateness(subject: DiagnosticSubject, event: "deadline.passed" | "call.cancelled"): Fault {
  const [problem, remedy] =
    event === "deadline.passed"
      ? ["it had not answered when the deadline of the call passed", "raise `deadlineMs`, or answer sooner"]
      : ["it had not answered when the caller gave the call up", "abort what it does by its `signal`"];
  return { subject, problems: [{ at: "", problem, remedy }] };
}

/** What is said of a check that answered something else than a boolean: only the value `true` grants. */
export function faultOfVerdict(subject: DiagnosticSubject, value: unknown): Fault | null {
  if (typeof value === "boolean") return null;
  const problem = `it answered ${value === null ? "null" : typeof value}, and only \`true\` grants`;
  return { subject, problems: [{ at: "", problem, remedy: "answer `true` or `false`" }] };
}

/** Tells a listener, if there is one and there is something to tell. It cannot disturb. */
export function diagnose(
  listener: DiagnosticListener | null,
  { attemptId: run, bound }: { readonly attemptId: AttemptId; readonly bound: BoundCall },
  faultOf: () => Fault | null,
): void {
  if (listener === null) return;
  try {
    const fault = faultOf();
    if (fault === null || fault.problems.length === 0) return;
    const { operation_id: operationId, call_id: callId } = bound.executionContext;
    const told: unknown = listener({ tool: bound.toolContract.name, run, operationId, callId, ...fault });
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // Being told changes nothing.
  }
}
