import { copyJson } from "../json/canonical.ts";
import type { CopiedAnswer } from "../protocol/answer.ts";

/**
 * Copies what came back from a tool into plain data before anything looks at it. What cannot be copied (a getter, a
 * proxy, a cycle, a class instance, something too big) becomes an answer without a value, which no contract accepts.
 */
export function copyAnswer(raw: unknown): CopiedAnswer {
  try {
    return { value: copyJson(raw).value };
  } catch {
    return { value: null };
  }
}
