import type { AcceptedResult } from "../packages/inspect.ts";
import type { CallDialect } from "./dialect.ts";
import type { OfferedSchema, OfferedTool } from "./offered-tool.ts";
import type { TextBlock } from "./text-block.ts";

/** A tool in a request to the Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: OfferedSchema;
}

/** A content block of the Messages API that proposes a call. */
export interface AnthropicCall {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  /** An object; or the JSON text that the pieces of a stream give together. */
  readonly input: unknown;
}

/** The message of the Messages API that a call came in. */
export interface AnthropicResponse {
  readonly id: string;
  readonly stop_reason: string | null;
}

/** A content block of the user message that follows in the Messages API. Source: contract, section 8. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: [TextBlock];
  /** Whether the call did anything but succeed; an unknown outcome is an error too. */
  readonly is_error: boolean;
}

/** How a call of Anthropic is written. Any other reason to stop may have cut it. */
export const ANTHROPIC_CALLS: CallDialect = {
  type: "tool_use",
  idMember: "id",
  argumentsMember: "input",
  endMember: "stop_reason",
  ends: ["tool_use"],
  ownEndMember: null,
};

/** A tool as Anthropic is offered it. */
export function toAnthropicTool({ name, description, inputSchema }: OfferedTool): AnthropicTool {
  return { name, description, input_schema: inputSchema };
}

/** A result as Anthropic takes it back. */
export function toToolResultBlock({ call, succeeded, text }: AcceptedResult): ToolResultBlock {
  return { type: "tool_result", tool_use_id: call.call_id, content: [{ type: "text", text }], is_error: !succeeded };
}
