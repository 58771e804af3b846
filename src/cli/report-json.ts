import { reportOf } from "../scenarios/report.ts";
import type { RunReport } from "./report-parts.ts";
import { jsonText } from "./text.ts";

/** The report as one JSON object, over all files. Without times, which no two runs have in common. */
export function reportJson({ files }: RunReport): string {
  const cases = files.flatMap(({ file, cases: ran }) =>
    ran.map(({ report: { id, ...rest } }) => ({ id, file, ...rest })),
  );
  return jsonText(reportOf(cases));
}
