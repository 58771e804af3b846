/**
 * What a terminal would obey instead of showing: control characters of both sets, line separators, and marks that turn
 * the direction of the text.
 */
const COMMANDING = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text on one line of a terminal, whatever is in it: what a terminal would obey is written as an escape. */
export function visible(text: string): string {
  return text.replace(COMMANDING, escapeOf);
}

/** Pretty JSON that is safe to show on a terminal. Shape: ends with a line end. */
export function jsonText(value: unknown): string {
  // Outside strings the only such character is the line end that was asked for.
  return `${JSON.stringify(value, null, 2).replace(COMMANDING, (mark) => (mark === "\n" ? mark : escapeOf(mark)))}\n`;
}

/** JSON on one line, safe to show on a terminal. */
export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}

function escapeOf(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
