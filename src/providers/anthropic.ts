import type { AcceptedResult } from "../packages/inspect.ts";
import type { TextBlock } from "./text-block.ts";

/** A content block of the user message that follows in the Messages API. Source: contract, section 8. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: readonly [TextBlock];
  /** Whether the call did anything but succeed; an unknown outcome is an error too. */
  readonly is_error: boolean;
}

/** A result as Anthropic takes it back. */
export function toToolResultBlock({ call, succeeded, text }: AcceptedResult): ToolResultBlock {
  return { type: "tool_result", tool_use_id: call.call_id, content: [{ type: "text", text }], is_error: !succeeded };
}
