import type { CaseReport, ScenarioReport, StepReport } from "../scenarios/report.ts";
import { jsonLine, visible } from "./text.ts";

/** A report, and the file that it is about. */
export interface FileReport {
  readonly file: string;
  readonly report: ScenarioReport;
}

/** What a whole run came to. */
export interface RunReport {
  readonly files: readonly FileReport[];
  /** Cases that were left out because one before them failed. */
  readonly notRunCount: number;
}

/** What cases came to, as one. */
export function reportOf<Case extends CaseReport>(
  cases: readonly Case[],
): ScenarioReport & { readonly cases: readonly Case[] } {
  return {
    passed: cases.every(({ passed }) => passed),
    case_count: cases.length,
    step_count: cases.reduce((count, { steps }) => count + steps.length, 0),
    cases,
  };
}

/** Why a step failed, a line for each reason; none where it passed. */
export function failureLines({ failure, validation_errors }: StepReport): readonly string[] {
  if (failure === null) return [];
  const lines = failure.differences.map(
    ({ member, expected, received }) => `${member}: expected ${jsonLine(expected)}, received ${jsonLine(received)}`,
  );
  lines.push(...validation_errors.map(({ at, message }) => `not valid: ${visible(`${message} (${at})`)}`));
  if (failure.lost_in !== null) {
    lines.push(`the expected code and delivery could no longer be reached from [${failure.lost_in}] on`);
  } else if (failure.differences.some(({ member }) => member === "code" || member === "delivery")) {
    lines.push("the expected code and delivery could still be reached from the last state");
  }
  return lines;
}

/** What was run, and what came of it. */
export interface Summary {
  readonly totals: string;
  readonly verdict: string;
  readonly passed: boolean;
}

/** The summary of a run. */
export function summaryOf({ files, notRunCount }: RunReport): Summary {
  const cases = files.flatMap(({ report }) => report.cases);
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
