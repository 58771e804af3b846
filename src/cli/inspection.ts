import type { Observer } from "../dispatcher/observer.ts";
import { createInspector } from "../drawing/inspector/inspector.ts";
import { DEFAULT_RELAY_URL } from "../drawing/inspector/relay-url.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { failureText } from "./failure-text.ts";
import { printError } from "./output.ts";

/** What a command is told about the Stately Inspector. */
export interface InspectionOptions {
  readonly inspect?: boolean | undefined;
  readonly inspectUrl?: string | undefined;
  readonly inspectFile?: string | undefined;
  readonly unsafeInspectRemote?: boolean | undefined;
}

/**
 * Does the work under the eyes of an inspector: each observer that it asks for shows one case, by its number, since an
 * id may well be one of the things that are not shown. What does not get to it is one line on the standard error output, and
 * changes nothing else.
 * Errors: USAGE for an option that would do nothing; INSPECT_URL_REFUSED, FILE_UNWRITABLE; what the work throws.
 */
export async function inspected<Result>(
  { inspect, inspectUrl, inspectFile, unsafeInspectRemote }: InspectionOptions,
  asJson: boolean,
  work: (newObserver: () => Observer) => Promise<Result>,
): Promise<Result> {
  if (unsafeInspectRemote === true && inspectUrl === undefined)
    throw new CallgateError("USAGE", { detail: "--unsafe-inspect-remote goes with --inspect-url" });
  const warnings: CallgateError[] = [];
  const inspector = createInspector({
    url: inspectUrl ?? (inspect === true ? DEFAULT_RELAY_URL : undefined),
    file: inspectFile,
    unsafeRemoteRelay: unsafeInspectRemote,
    onWarning: (warning) => {
      warnings.push(warning);
    },
  });
  let cases = 0;
  try {
    return await work(() => {
      cases += 1;
      return inspector.observerOf(`case ${cases}`);
    });
  } finally {
    await inspector.close();
    for (const warning of warnings) await printError(failureText(warning, asJson));
  }
}
