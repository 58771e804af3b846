import type { JsonValue } from "./json.ts";

/**
 * What came back from a tool, copied into plain data before anything looks at it.
 * Shape: `value` is null when what came back could not be copied (a getter, a proxy, a cycle, too big, …).
 */
export interface CopiedAnswer {
  readonly value: JsonValue;
}
