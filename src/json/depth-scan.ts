const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/**
 * Offset of the first container that is nested deeper than a limit, or null. Does not recurse, so that no text can
 * overflow it; looks at brackets and strings only, so that it is exact for every beginning of a text that a parser accepts.
 */
export function offsetBelowDepth(text: string, limit: number): number | null {
  let depth = 0;
  let inString = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (inString) {
      if (unit === BACKSLASH) offset += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) {
      inString = true;
    } else if (unit === BRACKET_OPEN || unit === BRACE_OPEN) {
      depth += 1;
      if (depth > limit) return offset;
    } else if (unit === BRACKET_CLOSE || unit === BRACE_CLOSE) {
      depth -= 1;
    }
  }
  return null;
}
