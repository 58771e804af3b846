import { CallgateError } from "../errors/callgate-error.ts";
import { jsonLine, visible } from "./text.ts";

const LONGEST_MESSAGE = 1_000;

/**
 * What is said of a failure. Shape: one line, `callgate: CODE: message. What to do.`, or one JSON object on one line.
 * Neither has a stack, or anything of an error that is not one of ours.
 */
export function failureText(error: unknown, asJson: boolean): string {
  const failure = error instanceof CallgateError ? error : new CallgateError("INTERNAL");
  if (asJson) return `${jsonLine(failure)}\n`;
  const { code, message, remedy } = failure;
  const told = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)} …` : message;
  return `callgate: ${code}: ${visible(told)}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.\n`;
}
