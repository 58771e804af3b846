import { failureLines, summaryOf, type ReportStyle, type RunReport } from "./report-parts.ts";
import { visible } from "./text.ts";

/**
 * The report as workflow commands of GitHub Actions, which shows them where the step stands in its file; and a summary,
 * unless another report beside it has that.
 * Source: docs.github.com, workflow commands; escapes as in actions/toolkit, packages/core/src/command.ts.
 */
export function reportGithub(run: RunReport, { isAlone }: Pick<ReportStyle, "isAlone">): string {
  const lines = run.files.flatMap(({ file, cases }) =>
    cases.flatMap(({ report: { id, steps } }) =>
      steps.flatMap((step) => {
        if (step.failure === null) return [];
        const properties = { file, line: step.failure.place.line, title: `${id}, ${step.step_id}` };
        return [`::error ${propertiesText(properties)}::${escaped(failureLines(step).join("\n"))}`];
      }),
    ),
  );
  const { totals, verdict } = summaryOf(run);
  return [...lines, ...(isAlone ? [`${totals}: ${verdict}`] : []), ""].join("\n");
}

function propertiesText(properties: Readonly<Record<string, string | number>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escapedProperty(visible(String(value)))}`)
    .join(",");
}

/** Of control characters only the line ends between reasons are left. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
