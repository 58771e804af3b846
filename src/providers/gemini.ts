import type { AcceptedResult } from "../packages/inspect.ts";
import type { TextBlock } from "./text-block.ts";

/** The part of a next request to the Interactions API that answers one call. Source: contract, section 8. */
export interface FunctionResultTurn {
  /** The response that proposed the call. */
  readonly previous_interaction_id: string;
  readonly input: readonly [
    {
      readonly type: "function_result";
      readonly name: string;
      readonly call_id: string;
      readonly result: readonly [TextBlock];
    },
  ];
}

/** A result as Gemini takes it back. */
export function toFunctionResultTurn({ call, text }: AcceptedResult): FunctionResultTurn {
  const { response_id, name, call_id } = call;
  return {
    previous_interaction_id: response_id,
    input: [{ type: "function_result", name, call_id, result: [{ type: "text", text }] }],
  };
}
