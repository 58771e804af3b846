import { FAILURES, type FailureCode } from "./failures.ts";
import { problemText, type Problem } from "./problem.ts";

/** Units: UTF-16 units of what a failure adds to its sentence. */
const LONGEST_DETAIL = 400;

/** What a failure may add to its catalogue row. */
export interface FailureDetail {
  /** Where in the input, as a JSON pointer or a place of the caller's own. Never a path of the file system. */
  readonly at?: string;
  /** What exactly is wrong there; never the input itself beyond a name. */
  readonly detail?: string;
  /** Everything that is wrong, where that can be more than one thing; told in place of `detail`. */
  readonly problems?: readonly Problem[];
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
  /** Everything that is wrong, each with its remedy; empty where `detail` says it. */
  readonly problems: readonly Problem[];

  constructor(code: FailureCode, given: FailureDetail = {}) {
    const problems = (given.problems ?? []).map(problemOnOneLine);
    const detail = problems.length > 0 ? problems.map(problemText).join("; ") : lineOrNull(given.detail);
    const at = lineOrNull(given.at);
    super(
      sentenceOf(code, detail, problems.length > 0 ? null : at),
      given.cause === undefined ? undefined : { cause: given.cause },
    );
    this.code = code;
    this.at = at;
    this.detail = detail;
    this.problems = problems;
  }

  /** What to do about it. */
  get remedy(): string {
    return FAILURES[this.code].remedy;
  }

  /** As `String()` gives it. Shape: `CallgateError [CODE]: message`, one line. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** What is printed with `--json`, or logged: no stack, no cause. */
  toJSON(): { code: FailureCode; message: string; at: string | null; remedy: string; problems?: readonly Problem[] } {
    const { code, message, at, remedy, problems } = this;
    return { code, message, at, remedy, ...(problems.length > 0 ? { problems } : {}) };
  }
}

function sentenceOf(code: FailureCode, detail: string | null, at: string | null): string {
  let sentence: string = FAILURES[code].sentence;
  if (detail !== null) sentence += `: ${detail}`;
  if (at !== null) sentence += ` (at ${at === "" ? "the root" : at})`;
  return sentence;
}

function problemOnOneLine({ at, problem, remedy }: Problem): Problem {
  return { at: onOneLine(at), problem: onOneLine(problem), remedy: onOneLine(remedy) };
}

function lineOrNull(text: string | undefined): string | null {
  return text === undefined ? null : onOneLine(text);
}

/** Names of members come from the input: one with a line break or a terminal's escape must not write a line of its own. */
function onOneLine(text: string): string {
  const short = text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text;
  return short.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
