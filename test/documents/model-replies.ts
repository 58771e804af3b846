import type { ProviderName } from "../../src/protocol/call.ts";

const ARGUMENTS = { customer: "CUSTOMER-7", euros: 20 };
const SAID = "The voucher is VOUCHER-1.";
const MESSAGE = { type: "message", role: "assistant", model: "m", usage: {}, stop_sequence: null };

/** What a model says to a request for a voucher, and after it was answered. */
export const REPLIES: Readonly<Record<ProviderName, readonly unknown[]>> = {
  openai: [
    {
      id: "resp_1",
      object: "response",
      status: "completed",
      output: [
        {
          type: "function_call",
          id: "fc_1",
          call_id: "call_1",
          name: "issue_voucher",
          arguments: JSON.stringify(ARGUMENTS),
          status: "completed",
        },
      ],
    },
    {
      id: "resp_2",
      object: "response",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: SAID, annotations: [] }],
        },
      ],
    },
  ],
  anthropic: [
    {
      ...MESSAGE,
      id: "msg_1",
      content: [
        { type: "tool_use", id: "call_1", name: "issue_voucher", input: ARGUMENTS, caller: { type: "direct" } },
      ],
      stop_reason: "tool_use",
    },
    { ...MESSAGE, id: "msg_2", content: [{ type: "text", text: SAID }], stop_reason: "end_turn" },
  ],
  google: [
    {
      id: "v1_first",
      status: "requires_action",
      steps: [{ type: "function_call", id: "call_1", name: "issue_voucher", arguments: ARGUMENTS }],
    },
    {
      id: "v1_second",
      status: "completed",
      steps: [{ type: "model_output", content: [{ type: "text", text: SAID }] }],
    },
  ],
};
