import { canonicalize } from "../json/canonical.ts";
import { reportOf, type CaseReport, type Difference, type RanCase, type StepReport } from "../scenarios/report.ts";
import { jsonLine, visible } from "./text.ts";

/** The cases of a file that were run. */
export interface FileReport {
  readonly file: string;
  readonly cases: readonly RanCase[];
}

/** What a whole run came to. */
export interface RunReport {
  readonly files: readonly FileReport[];
  /** Cases that were left out because one before them failed. */
  readonly notRunCount: number;
}

/** What a report looks like beside what it says. */
export interface ReportStyle {
  readonly useColor: boolean;
  /** Whether no other report goes to the same place. */
  readonly isAlone: boolean;
}

/** Why a step failed, a line for each reason; none where it passed. */
export function failureLines(step: StepReport): readonly string[] {
  const { failure, validation_errors } = step;
  if (failure === null) return [];
  const lines = failure.differences.flatMap(differenceLines);
  lines.push(...validation_errors.map(({ at, message }) => `not valid: ${visible(`${message} (${at})`)}`));
  lines.push(...diagnosticLines(step.diagnostics));
  if (failure.lost_in !== null) {
    lines.push(`the expected code and delivery could no longer be reached from [${failure.lost_in}] on`);
  } else if (failure.differences.some(({ member }) => member === "code" || member === "delivery")) {
    lines.push("the expected code and delivery could still be reached from the last state");
  }
  return lines;
}

/** What a check did beside its answer: a step can expect the refusal, and pass, while the check never worked. */
export function warningLines({ passed, diagnostics }: StepReport): readonly string[] {
  if (!passed) return [];
  return diagnosticLines(diagnostics.filter(({ subject }) => subject === "authorize" || subject === "precondition"));
}

/** Why the gate answered as it did, a line for each problem. */
function diagnosticLines(diagnostics: StepReport["diagnostics"]): readonly string[] {
  return diagnostics.flatMap(({ subject, problems }) =>
    problems.map(({ at, problem, remedy }) => visible(`cause: ${subject}${at}: ${problem}; ${remedy}`)),
  );
}

/** Of two objects, only the members that differ. */
function differenceLines({ member, expected, received }: Difference): readonly string[] {
  const [wanted, got] = [membersOf(expected), membersOf(received)];
  if (wanted === null || got === null) {
    return [`${member}: expected ${jsonLine(expected)}, received ${jsonLine(received)}`];
  }
  return [...new Set([...wanted.keys(), ...got.keys()])]
    .map((name) => [name, jsonOr(wanted, name), jsonOr(got, name)] as const)
    .filter(([, one, other]) => one !== other)
    .map(([name, one, other]) => `${member}.${visible(name)}: expected ${one}, received ${other}`);
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
}

function jsonOr(members: ReadonlyMap<string, unknown>, name: string): string {
  return members.has(name) ? visible(canonicalize(members.get(name))) : "nothing";
}

/** What was run, and what came of it. */
export interface Summary {
  readonly totals: string;
  readonly verdict: string;
  readonly passed: boolean;
}

/** The summary of a run. */
export function summaryOf({ files, notRunCount }: RunReport): Summary {
  const cases = files.flatMap((file) => file.cases.map(({ report }) => report));
  const failed = failedStepCount(cases);
  const totals = [
    counted(files.length, "file"),
    counted(cases.length, "case"),
    counted(reportOf(cases).step_count, "step"),
  ];
  const left = notRunCount === 0 ? "" : `, ${counted(notRunCount, "case")} not run`;
  const verdict = failed === 0 ? "all passed" : `${counted(failed, "step")} failed${left}`;
  return { totals: totals.join(", "), verdict, passed: failed === 0 };
}

/** How many steps of cases did not pass. */
export function failedStepCount(cases: readonly CaseReport[]): number {
  return cases.flatMap(({ steps }) => steps).filter(({ passed }) => !passed).length;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
