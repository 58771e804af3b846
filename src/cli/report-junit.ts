import type { StepReport } from "../scenarios/report.ts";
import { failedStepCount, failureLines, type FileReport, type RunReport } from "./report-parts.ts";
import { visible } from "./text.ts";

/**
 * The report as JUnit XML: a suite a file, a test case a step. No times: the clock of a scenario stands still.
 * Source: github.com/testmoapp/junitxml, what readers of the format have in common.
 */
export function reportJunit({ files }: RunReport): string {
  const cases = files.flatMap(({ report }) => report.cases);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "callgate", ...countsOf(cases) })}>`,
    ...files.flatMap(suiteLines),
    "</testsuites>",
    "",
  ];
  return lines.join("\n");
}

function suiteLines({ file, report }: FileReport): readonly string[] {
  return [
    `  <testsuite${attributes({ name: file, ...countsOf(report.cases) })}>`,
    ...report.cases.flatMap(({ id, steps }) => steps.flatMap((step) => stepLines(step, id, file))),
    "  </testsuite>",
  ];
}

function stepLines(step: StepReport, caseId: string, file: string): readonly string[] {
  const { step_id, failure, actual_code } = step;
  const named = { classname: caseId, name: step_id, file };
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

function countsOf(cases: FileReport["report"]["cases"]): Readonly<Record<string, number>> {
  const tests = cases.reduce((count, { steps }) => count + steps.length, 0);
  return { tests, failures: failedStepCount(cases), errors: 0, skipped: 0 };
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
