import { FAILURES, type FailureCode } from "./failures.ts";

/** Units: UTF-16 units of what a failure adds to its sentence. */
const LONGEST_DETAIL = 400;

/** What a failure may add to its catalogue row. */
export interface FailureDetail {
  /** Where in the input, as a JSON pointer or a place of the caller's own. Never a path of the file system. */
  readonly at?: string;
  /** What exactly is wrong there; never the input itself beyond a name. */
  readonly detail?: string;
  /** The error below; for the host's own log, never printed. */
  readonly cause?: unknown;
}

/**
 * A failure: thrown to the host, never shown to a model.
 * Shape: `code` names a row of the catalogue, `message` is one line.
 */
export class CallgateError extends Error {
  override readonly name = "CallgateError";
  readonly code: FailureCode;
  readonly at: string | null;
  readonly detail: string | null;

  constructor(code: FailureCode, detail: FailureDetail = {}) {
    super(sentenceOf(code, detail), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.at = detail.at === undefined ? null : onOneLine(detail.at);
    this.detail = detail.detail === undefined ? null : onOneLine(detail.detail);
  }

  /** What to do about it. */
  get remedy(): string {
    return FAILURES[this.code].remedy;
  }

  /** What is printed with `--json`, or logged: no stack, no cause. */
  toJSON(): { code: FailureCode; message: string; at: string | null; remedy: string } {
    return { code: this.code, message: this.message, at: this.at, remedy: this.remedy };
  }
}

function sentenceOf(code: FailureCode, { at, detail }: FailureDetail): string {
  let sentence: string = FAILURES[code].sentence;
  if (detail !== undefined) sentence += `: ${onOneLine(detail)}`;
  if (at !== undefined) sentence += ` (at ${at === "" ? "the root" : onOneLine(at)})`;
  return sentence;
}

/** Names of members come from the input: one with a line break or a terminal's escape must not write a line of its own. */
function onOneLine(text: string): string {
  const short = text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text;
  return short.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
