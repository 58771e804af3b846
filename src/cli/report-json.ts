import { reportOf, type RunReport } from "./report-parts.ts";
import { jsonText } from "./text.ts";

/** The report as one JSON object, over all files. */
export function reportJson({ files }: RunReport): string {
  const cases = files.flatMap(({ file, report }) => report.cases.map(({ id, ...rest }) => ({ id, file, ...rest })));
  return jsonText(reportOf(cases));
}
