import type { CaseReport, StepReport } from "../scenarios/report.ts";
import { failureLines, summaryOf, warningLines, type ReportStyle, type RunReport } from "./report-parts.ts";
import { visible } from "./text.ts";

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
export function reportText(run: RunReport, { useColor }: Pick<ReportStyle, "useColor">): string {
  const paint = useColor ? COLORS : PLAIN;
  const lines = run.files.flatMap(({ file, cases }) => [
    visible(file),
    ...cases.flatMap(({ report }) => caseLines(report, file, paint)),
    "",
  ]);
  const { totals, verdict, passed } = summaryOf(run);
  return [...lines, `${totals}: ${passed ? paint.good(verdict) : paint.bad(verdict)}`, ""].join("\n");
}

function caseLines({ id, passed, steps }: CaseReport, file: string, paint: Paint): readonly string[] {
  return [`  ${markOf(passed, paint)} ${visible(id)}`, ...steps.flatMap((step) => stepLines(step, file, paint))];
}

function stepLines(step: StepReport, file: string, paint: Paint): readonly string[] {
  const { step_id, passed, actual_code, delivery, failure, lifecycle, owner_lifecycle } = step;
  const place = failure === null ? "" : `  ${visible(file)}:${failure.place.line}`;
  const lines = [
    `${markOf(passed, paint)} ${visible(step_id)}  ${actual_code} (${delivery})${place}`,
    ...failureLines(step).map((line) => paint.bad(`  ${line}`)),
    ...warningLines(step).map((line) => `  ${line}`),
    paint.dim(`  ${pathText(lifecycle, failure?.lost_in ?? null)}`),
  ];
  if (owner_lifecycle !== null) lines.push(paint.dim(`  asked about: ${pathText(owner_lifecycle, null)}`));
  return lines.map((line) => `      ${line}`);
}

function pathText(states: readonly string[], lostIn: string | null): string {
  const lost = lostIn === null ? -1 : states.indexOf(lostIn);
  return states.map((state, index) => (index === lost ? `[${state}]` : state)).join(" → ");
}

function markOf(passed: boolean, paint: Paint): string {
  return passed ? paint.good("✓") : paint.bad("✗");
}
