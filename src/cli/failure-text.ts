import { CallgateError } from "../errors/callgate-error.ts";
import { jsonLine } from "./text.ts";

/**
 * What is said of a failure. Shape: one line, `callgate: CODE: message. What to do.`, or one JSON object on one line.
 * Neither has a stack, or anything of an error that is not one of ours.
 */
export function failureText(error: unknown, asJson: boolean): string {
  const failure = error instanceof CallgateError ? error : new CallgateError("INTERNAL");
  if (asJson) return `${jsonLine(failure)}\n`;
  const { code, message, remedy } = failure;
  return `callgate: ${code}: ${message}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.\n`;
}
