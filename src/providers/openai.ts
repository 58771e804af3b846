import type { AcceptedResult } from "../packages/inspect.ts";

/** An input item of the Responses API. It has no member for errors: the text says it. Source: contract, section 8. */
export interface FunctionCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  /** The canonical JSON text of the model result. */
  readonly output: string;
}

/** A result as OpenAI takes it back. */
export function toFunctionCallOutput({ call, text }: AcceptedResult): FunctionCallOutput {
  return { type: "function_call_output", call_id: call.call_id, output: text };
}
