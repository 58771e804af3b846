/** One thing that is wrong with what a host hands over, where it stands, and how to mend it. */
export interface Problem {
  /** A member, and a JSON pointer into it where it is deep. Never a path of the file system. */
  readonly at: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A problem as part of a sentence. */
export function problemText({ at, problem, remedy }: Problem): string {
  return `${problem} (at ${at}): ${remedy}`;
}
