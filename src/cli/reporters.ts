import { CallgateError } from "../errors/callgate-error.ts";
import { replaceFile } from "../host/replace-file.ts";
import { print } from "./output.ts";
import { reportGithub } from "./report-github.ts";
import { reportJson } from "./report-json.ts";
import { reportJunit } from "./report-junit.ts";
import type { ReporterName } from "./report-names.ts";
import type { ReportStyle, RunReport } from "./report-parts.ts";
import { reportText } from "./report-text.ts";

/** What a command is told about its report. */
export interface ReportingOptions {
  /** JSON on the standard output, whatever goes into a file. */
  readonly json: boolean;
  readonly reporters: readonly ReporterName[];
  readonly outputFile?: string | undefined;
}

/** Which report goes where. */
export interface ReportingPlan {
  readonly onOutput: readonly ReporterName[];
  readonly inFile: { readonly reporter: ReporterName; readonly path: string } | null;
}

const RENDERERS: Readonly<Record<ReporterName, (run: RunReport, style: ReportStyle) => string>> = {
  pretty: reportText,
  json: reportJson,
  junit: reportJunit,
  github: reportGithub,
};

/** Reports that are one document: nothing else can stand beside them. */
const DOCUMENTS: ReadonlySet<ReporterName> = new Set(["json", "junit"]);

/**
 * Decides where each report goes: one into the file, the others to the standard output; to that the one for people where
 * no other goes there.
 * Errors: USAGE where two documents would be mixed, or the file would stay empty.
 */
export function reportingPlan({ json, reporters, outputFile }: ReportingOptions): ReportingPlan {
  const forFile = outputFile === undefined ? null : reporterForFile(reporters);
  const asked = new Set<ReporterName>(json ? ["json"] : []);
  for (const reporter of reporters) if (reporter !== forFile) asked.add(reporter);
  const onOutput: readonly ReporterName[] = asked.size === 0 ? ["pretty"] : [...asked];
  const document = onOutput.find((reporter) => DOCUMENTS.has(reporter));
  if (document !== undefined && onOutput.length > 1) {
    throw usage(`nothing else goes where ${document} goes; --output-file takes one of json and junit`);
  }
  if (outputFile === undefined || forFile === null) return { onOutput, inFile: null };
  return { onOutput, inFile: { reporter: forFile, path: outputFile } };
}

/** Delivers the reports of a run. Errors: OUTPUT_FAILED; FILE_UNWRITABLE, after the rest was printed. */
export async function deliver({ onOutput, inFile }: ReportingPlan, run: RunReport, useColor: boolean): Promise<void> {
  const style = { useColor, isAlone: onOutput.length === 1 };
  await print(onOutput.map((reporter) => RENDERERS[reporter](run, style)).join(""));
  if (inFile === null) return;
  await replaceFile(inFile.path, RENDERERS[inFile.reporter](run, { useColor: false, isAlone: true }));
}

/** The one document among them, else the one that is not for people. */
function reporterForFile(reporters: readonly ReporterName[]): ReporterName {
  const [first, second] = new Set(reporters.filter((reporter) => DOCUMENTS.has(reporter)));
  if (second !== undefined) throw usage("--output-file takes one of json and junit");
  const reporter = first ?? reporters.find((name) => name !== "pretty");
  if (reporter === undefined) throw usage("--output-file goes with --reporter json, junit or github");
  return reporter;
}

function usage(detail: string): CallgateError {
  return new CallgateError("USAGE", { detail });
}
