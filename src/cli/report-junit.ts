import type { RanCase, StepReport } from "../scenarios/report.ts";
import { failedStepCount, failureLines, type FileReport, type RunReport } from "./report-parts.ts";
import { visible } from "./text.ts";

/**
 * The report as JUnit XML: a suite a file, a test case a step. Times are real ones, in seconds, those of a suite with its
 * worlds included: the clock of a scenario stands still.
 * Source: github.com/testmoapp/junitxml, what readers of the format have in common.
 */
export function reportJunit({ files }: RunReport): string {
  const cases = files.flatMap((file) => file.cases);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "callgate", ...totalsOf(cases) })}>`,
    ...files.flatMap(suiteLines),
    "</testsuites>",
    "",
  ];
  return lines.join("\n");
}

function suiteLines({ file, cases }: FileReport): readonly string[] {
  return [
    `  <testsuite${attributes({ name: file, ...totalsOf(cases) })}>`,
    ...cases.flatMap(({ report, stepElapsedMs }) =>
      report.steps.flatMap((step, index) => stepLines(step, stepElapsedMs[index] ?? 0, report.id, file)),
    ),
    "  </testsuite>",
  ];
}

function stepLines(step: StepReport, elapsedMs: number, caseId: string, file: string): readonly string[] {
  const { step_id, failure, actual_code } = step;
  const named = { classname: caseId, name: step_id, file, time: secondsText(elapsedMs) };
  if (failure === null) return [`    <testcase${attributes(named)}/>`];
  const { line } = failure.place;
  const reasons = failureLines(step);
  const body = [...reasons, `at ${visible(file)}:${line}`].map(escaped).join("\n");
  return [
    `    <testcase${attributes({ ...named, line })}>`,
    `      <failure${attributes({ message: reasons[0] ?? "", type: actual_code })}>${body}</failure>`,
    "    </testcase>",
  ];
}

function totalsOf(cases: readonly RanCase[]): Readonly<Record<string, string | number>> {
  const reports = cases.map(({ report }) => report);
  const tests = reports.reduce((count, { steps }) => count + steps.length, 0);
  const time = secondsText(cases.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0));
  return { tests, failures: failedStepCount(reports), errors: 0, skipped: 0, time };
}

function secondsText(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visible(String(value)))}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What XML 1.0 cannot say, not even by a reference. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark)
    .replace(NOT_XML, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
