import type { AcceptedResult } from "../packages/inspect.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { CallDialect } from "./dialect.ts";
import type { OfferedTool } from "./offered-tool.ts";

/** A tool in a request to the Responses API. */
export interface OpenAiTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** OpenAI's strict mode takes few schemas, and adds nothing: the gate checks arguments itself. */
  readonly strict: false;
}

/** An output item of the Responses API that proposes a call. */
export interface OpenAiCall {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  /** A JSON text. */
  readonly arguments: string;
  readonly status?: string | null | undefined;
}

/** The response of the Responses API that a call came in. */
export interface OpenAiResponse {
  readonly id: string;
  readonly status?: string | undefined;
}

/** An input item of the Responses API. It has no member for errors: the text says it. Source: contract, section 8. */
export interface FunctionCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  /** The canonical JSON text of the model result. */
  readonly output: string;
}

/** How a call of OpenAI is written. */
export const OPENAI_CALLS: CallDialect = {
  type: "function_call",
  idMember: "call_id",
  argumentsMember: "arguments",
  endMember: "status",
  ends: ["completed"],
  ownEndMember: "status",
};

/** A tool as OpenAI is offered it. */
export function toOpenAiTool({ name, description, inputSchema }: OfferedTool): OpenAiTool {
  return { type: "function", name, description, parameters: inputSchema, strict: false };
}

/** A result as OpenAI takes it back. */
export function toFunctionCallOutput({ call, text }: AcceptedResult): FunctionCallOutput {
  return { type: "function_call_output", call_id: call.call_id, output: text };
}
