/** Codes by which a tool says that it has not begun. */
export const NOT_STARTED_BY_TOOL = ["RATE_LIMIT", "TOOL_ERROR", "TIMEOUT_BEFORE_EXECUTE"] as const;

/** A code by which a tool says that it has not begun. */
export type NotStartedByTool = (typeof NOT_STARTED_BY_TOOL)[number];

/** The code by which something thrown says that nothing has begun, or null: anything else says nothing. Never throws. */
export function notStartedCode(thrown: unknown): NotStartedByTool | null {
  try {
    if (!(thrown instanceof NotStarted)) return null;
    // Read once: the next look could find something else.
    const given: string = thrown.code;
    return NOT_STARTED_BY_TOOL.find((code) => code === given) ?? null;
  } catch {
    return null;
  }
}

/**
 * Thrown by a tool that knows that nothing was done. It is the only way to say so: any other exception of a write leaves
 * its outcome unknown. Throw it only before the first byte went downstream.
 */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  readonly code: NotStartedByTool;

  constructor(code: NotStartedByTool, options?: ErrorOptions) {
    super(`the tool has not begun: ${code}`, options);
    this.code = code;
  }
}
