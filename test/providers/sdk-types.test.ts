import type Anthropic from "@anthropic-ai/sdk";
import type { Interactions } from "@google/genai";
import type OpenAI from "openai";
import { expect, test } from "vitest";
import type { Gate } from "../../src/dispatcher/gate.ts";
import type { ExecutionContext } from "../../src/protocol/call.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { toProviderTools } from "../../src/providers/offer.ts";
import { toProviderPayload } from "../../src/providers/payload.ts";
import { readProviderCall } from "../../src/providers/provider-call.ts";
import { ADA } from "./shop.ts";

const OWN = { operation_id: "op_1", idempotency_key: null };

/** The compiler is the test: what an SDK gives is taken, and what is given is what it takes. */
function openAi({ registry }: Gate, response: OpenAI.Responses.Response, answer: ResultPackage): unknown {
  const input = response.output
    .filter((item) => item.type === "function_call")
    .map((call) => {
      const { proposal, ...from } = readProviderCall(registry, "openai", { call, response });
      const executionContext = { ...from, ...OWN } satisfies ExecutionContext;
      return toProviderPayload(registry, {
        principal: ADA,
        call: { ...proposal, ...executionContext },
        package: answer,
      });
    });
  const tools = toProviderTools(registry, "openai");
  const first: OpenAI.Responses.FunctionTool | undefined = tools[0];
  const item: OpenAI.Responses.ResponseInputItem.FunctionCallOutput | undefined = input[0];
  // @ts-expect-error -- it is a call of OpenAI
  const other: Anthropic.ToolResultBlockParam | undefined = input[0];
  const next: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model: "m", tools, input };
  return [first, item, other, next];
}

/** As above. */
function anthropic({ registry }: Gate, response: Anthropic.Message, answer: ResultPackage): unknown {
  const content = response.content
    .filter((block) => block.type === "tool_use")
    .map((call) => {
      const { proposal, ...from } = readProviderCall(registry, "anthropic", { call, response });
      const executionContext = { ...from, ...OWN } satisfies ExecutionContext;
      return toProviderPayload(registry, {
        principal: ADA,
        call: { ...proposal, ...executionContext },
        package: answer,
      });
    });
  const tools = toProviderTools(registry, "anthropic");
  const first: Anthropic.Tool | undefined = tools[0];
  const block: Anthropic.ToolResultBlockParam | undefined = content[0];
  const next: Anthropic.MessageCreateParamsNonStreaming = {
    model: "m",
    max_tokens: 1,
    tools,
    messages: [
      { role: "assistant", content: response.content },
      { role: "user", content },
    ],
  };
  return [first, block, next];
}

/** As above. */
function gemini({ registry }: Gate, response: Interactions.Interaction, answer: ResultPackage): unknown {
  const turns = (response.steps ?? [])
    .filter((step) => step.type === "function_call")
    .map((call) => {
      const { proposal, ...from } = readProviderCall(registry, "google", { call, response });
      const executionContext = { ...from, ...OWN } satisfies ExecutionContext;
      return toProviderPayload(registry, {
        principal: ADA,
        call: { ...proposal, ...executionContext },
        package: answer,
      });
    });
  const tools = toProviderTools(registry, "google");
  const first: Interactions.Function | undefined = tools[0];
  const step: Interactions.FunctionResultStep | undefined = turns[0]?.input[0];
  const next: Interactions.CreateModelInteractionParamsNonStreaming = {
    model: "m",
    tools,
    previous_interaction_id: response.id,
    input: turns.flatMap(({ input }) => input),
  };
  return [first, step, next];
}

/** What is not as an SDK gives it does not compile. */
function wrong(
  { registry }: Gate,
  response: OpenAI.Responses.Response,
  call: OpenAI.Responses.ResponseFunctionToolCall,
): unknown {
  return [
    // @ts-expect-error -- the whole response, so that it can be seen whether it was cut
    readProviderCall(registry, "openai", { call, response: response.id }),
    // @ts-expect-error -- a call of OpenAI is none of Anthropic
    readProviderCall(registry, "anthropic", { call, response }),
    // @ts-expect-error -- there is no such provider
    toProviderTools(registry, "mistral"),
  ];
}

test("the types of the SDKs and ours fit each other", () => {
  // It is checked by compiling; what it does when run is not the question.
  expect([openAi, anthropic, gemini, wrong]).toHaveLength(4);
});
