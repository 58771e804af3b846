import type { CaseReport, ScenarioReport, StepReport } from "../scenarios/report.ts";
import { jsonLine, visible } from "./text.ts";

/** A report, and the file that it is about. */
export interface FileReport {
  readonly file: string;
  readonly report: ScenarioReport;
}

/** Marks a text as good, bad or less important. */
interface Paint {
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
}

const COLORS: Paint = {
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
};
const PLAIN: Paint = { good: String, bad: String, dim: String };

/** The report for people: every step with its path, what a failed one should have been, and a summary at the end. */
export function reportText(reports: readonly FileReport[], useColor: boolean): string {
  const paint = useColor ? COLORS : PLAIN;
  const lines = reports.flatMap(({ file, report }) => [
    visible(file),
    ...report.cases.flatMap((scenario) => caseLines(scenario, file, paint)),
    "",
  ]);
  return [...lines, summaryLine(reports, paint), ""].join("\n");
}

function caseLines({ id, passed, steps }: CaseReport, file: string, paint: Paint): readonly string[] {
  return [`  ${markOf(passed, paint)} ${visible(id)}`, ...steps.flatMap((step) => stepLines(step, file, paint))];
}

function stepLines(step: StepReport, file: string, paint: Paint): readonly string[] {
  const { step_id, passed, actual_code, delivery, failure, lifecycle, owner_lifecycle } = step;
  const place = failure === null ? "" : `  ${visible(file)}:${failure.place.line}`;
  const lines = [
    `${markOf(passed, paint)} ${visible(step_id)}  ${actual_code} (${delivery})${place}`,
    ...failureLines(step, paint),
    paint.dim(`  ${pathText(lifecycle, failure?.lost_in ?? null)}`),
  ];
  if (owner_lifecycle !== null) lines.push(paint.dim(`  asked about: ${pathText(owner_lifecycle, null)}`));
  return lines.map((line) => `      ${line}`);
}

function failureLines({ failure, validation_errors }: StepReport, paint: Paint): readonly string[] {
  if (failure === null) return [];
  const lines = failure.differences.map(
    ({ member, expected, received }) => `  ${member}: expected ${jsonLine(expected)}, received ${jsonLine(received)}`,
  );
  lines.push(...validation_errors.map(({ at, message }) => `  not valid: ${visible(`${message} (${at})`)}`));
  if (failure.lost_in !== null) {
    lines.push(`  the expected code and delivery could no longer be reached from [${failure.lost_in}] on`);
  } else if (failure.differences.some(({ member }) => member === "code" || member === "delivery")) {
    lines.push("  the expected code and delivery could still be reached from the last state");
  }
  return lines.map((line) => paint.bad(line));
}

function pathText(states: readonly string[], lostIn: string | null): string {
  const lost = lostIn === null ? -1 : states.indexOf(lostIn);
  return states.map((state, index) => (index === lost ? `[${state}]` : state)).join(" → ");
}

function markOf(passed: boolean, paint: Paint): string {
  return passed ? paint.good("✓") : paint.bad("✗");
}

function summaryLine(reports: readonly FileReport[], paint: Paint): string {
  const cases = reports.flatMap(({ report }) => report.cases);
  const steps = cases.flatMap((scenario) => scenario.steps);
  const failed = steps.filter(({ passed }) => !passed).length;
  const totals = [counted(reports.length, "file"), counted(cases.length, "case"), counted(steps.length, "step")];
  const verdict = failed === 0 ? paint.good("all passed") : paint.bad(`${counted(failed, "step")} failed`);
  return `${totals.join(", ")}: ${verdict}`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
