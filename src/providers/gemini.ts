import type { AcceptedResult } from "../packages/inspect.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { CallDialect } from "./dialect.ts";
import type { OfferedTool } from "./offered-tool.ts";
import type { TextBlock } from "./text-block.ts";

/** A tool in a request to the Interactions API. */
export interface GeminiTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A step of the Interactions API that proposes a call. */
export interface GeminiCall {
  readonly type: "function_call";
  readonly id: string;
  readonly name: string;
  /** An object; or the JSON text that the pieces of a stream give together. */
  readonly arguments: unknown;
}

/** The interaction that a call came in. */
export interface GeminiResponse {
  readonly id: string;
  readonly status: string;
}

/** The part of a next request to the Interactions API that answers one call. Source: contract, section 8. */
export interface FunctionResultTurn {
  /** The response that proposed the call. */
  readonly previous_interaction_id: string;
  readonly input: [
    {
      readonly type: "function_result";
      readonly name: string;
      readonly call_id: string;
      readonly result: [TextBlock];
    },
  ];
}

/** How a call of Gemini is written. An interaction waits for its results, or was complete with them. */
export const GEMINI_CALLS: CallDialect = {
  type: "function_call",
  idMember: "id",
  argumentsMember: "arguments",
  endMember: "status",
  ends: ["requires_action", "completed"],
  ownEndMember: null,
};

/** A tool as Gemini is offered it. */
export function toGeminiTool({ name, description, inputSchema }: OfferedTool): GeminiTool {
  return { type: "function", name, description, parameters: inputSchema };
}

/** A result as Gemini takes it back, by the name under which it was offered the tool. */
export function toFunctionResultTurn({ call, text }: AcceptedResult, name: string): FunctionResultTurn {
  const { response_id, call_id } = call;
  return {
    previous_interaction_id: response_id,
    input: [{ type: "function_result", name, call_id, result: [{ type: "text", text }] }],
  };
}
