/**
 * Codes by which a tool says that it has not begun: RATE_LIMIT, try again later; TIMEOUT_BEFORE_EXECUTE, it could not begin in
 * time; TOOL_ERROR, it declined or could not begin, and a person has to look.
 */
export const NOT_STARTED_BY_TOOL = ["RATE_LIMIT", "TOOL_ERROR", "TIMEOUT_BEFORE_EXECUTE"] as const;

/** A code by which a tool says that it has not begun. */
export type NotStartedByTool = (typeof NOT_STARTED_BY_TOOL)[number];

/** The code by which something thrown says that nothing has begun, or null: anything else says nothing. Never throws. */
export function notStartedCode(thrown: unknown): NotStartedByTool | null {
  try {
    if (!(thrown instanceof NotStarted)) return null;
    // Read once: the next look could find something else.
    const given: string = thrown.code;
    return codeOf(given);
  } catch {
    return null;
  }
}

/**
 * Thrown by a tool that knows that nothing was done: before the first byte went downstream, or because the service itself
 * said that it did nothing. It is the only way to say so: any other exception of a write leaves its outcome unknown. A model
 * is told the code's sentence and no more, and nobody is passed the `cause`.
 * Errors: a TypeError for another code. Inside `execute` it is an exception like any other, so a write whose author was wrong
 * here stays unknown instead of being called undone.
 */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  readonly code: NotStartedByTool;

  constructor(code: NotStartedByTool, options?: ErrorOptions) {
    const known = codeOf(code);
    if (known === null) {
      throw new TypeError(`NotStarted takes a code, ${NOT_STARTED_BY_TOOL.join(", ")}, and no message`);
    }
    super(`the tool has not begun: ${known}`, options);
    this.code = known;
  }
}

function codeOf(given: string): NotStartedByTool | null {
  return NOT_STARTED_BY_TOOL.find((code) => code === given) ?? null;
}
