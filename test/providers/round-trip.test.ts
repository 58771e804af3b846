import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Gate } from "../../src/dispatcher/gate.ts";
import type { ProviderName } from "../../src/protocol/call.ts";
import { toProviderTools } from "../../src/providers/offer.ts";
import { toProviderPayload, type ProviderPayloads } from "../../src/providers/payload.ts";
import { readProviderCall, type ProviderCall } from "../../src/providers/provider-call.ts";
import { EventStream, modelServer, type ModelServer } from "./model-server.ts";
import { ADA, openShop } from "./shop.ts";

let gate: Gate;
let server: ModelServer | null = null;

beforeEach(() => {
  gate = openShop();
});

afterEach(async () => {
  await gate.close();
  await server?.close();
  server = null;
});

/** Dispatches what came in, and gives what goes back. */
async function answer<Provider extends ProviderName>({
  proposal,
  ...from
}: ProviderCall<Provider>): Promise<ProviderPayloads[Provider]> {
  const executionContext = { ...from, operation_id: "op_1", idempotency_key: null };
  const given = await gate.dispatch({ principal: ADA, proposal, executionContext });
  return toProviderPayload(gate.registry, {
    principal: ADA,
    call: { ...proposal, ...executionContext },
    package: given,
  });
}

/** What a model is told, in short: code and data. */
function told(text: unknown): unknown {
  const { error, data } = JSON.parse(String(text)) as { error: { code: string } | null; data: unknown };
  return error?.code ?? data;
}

const ANSWERS = [{ order: "ORDER-7" }, "INVALID_ARGUMENTS", "UNKNOWN_TOOL", { open: true }];

describe("a real client", () => {
  test("of OpenAI sends the tools, and a result for each call", async () => {
    const call = (call_id: string, name: string, args: string) => ({
      ...{ type: "function_call", id: `fc_${call_id}`, call_id, name, arguments: args, status: "completed" },
    });
    const output = [
      { type: "reasoning", id: "rs_1", summary: [] },
      call("call_1", "orders_get", '{"order":"ORDER-7"}'),
      call("call_2", "orders_get", '{"order":"ORD'),
      call("call_3", "orders_delete", "{}"),
      call("call_4", "shop_open_", ""),
    ];
    server = await modelServer([
      { id: "resp_1", object: "response", status: "completed", output },
      { id: "resp_2", object: "response", status: "completed", output: [] },
    ]);
    const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 });

    const tools = toProviderTools(gate.registry, "openai");
    const response = await client.responses.create({ model: "m", input: "Look.", tools });
    const calls = response.output.filter((item) => item.type === "function_call");
    const input = await Promise.all(
      calls.map((item) => answer(readProviderCall(gate.registry, "openai", { call: item, response }))),
    );
    await client.responses.create({ model: "m", input, tools, previous_response_id: response.id });

    const [first, second] = server.requests;
    expect(first).toMatchObject({ path: "POST /v1/responses", body: { tools } });
    expect(tools.map(({ name }) => name)).toEqual(["orders_get", "shop_open_"]);
    expect(second?.body).toEqual({ model: "m", tools, previous_response_id: "resp_1", input });
    expect(input.map((item) => [item.type, item.call_id, told(item.output)])).toEqual(
      ANSWERS.map((said, index) => ["function_call_output", `call_${index + 1}`, said]),
    );
  });

  test("of Anthropic sends the tools, and a result for each call", async () => {
    const call = (id: string, name: string, input: unknown) => ({
      ...{ type: "tool_use", id, name, input, caller: { type: "direct" } },
    });
    const content = [
      { type: "text", text: "I look." },
      call("call_1", "orders_get", { order: "ORDER-7" }),
      call("call_2", "orders_get", { order: 7 }),
      call("call_3", "orders_delete", {}),
      call("call_4", "shop_open_", {}),
    ];
    const message = { type: "message", role: "assistant", model: "m", usage: {}, stop_sequence: null };
    server = await modelServer([
      { ...message, id: "msg_1", content, stop_reason: "tool_use" },
      { ...message, id: "msg_2", content: [{ type: "text", text: "Seen." }], stop_reason: "end_turn" },
    ]);
    const client = new Anthropic({ apiKey: "none", baseURL: server.url, maxRetries: 0 });

    const tools = toProviderTools(gate.registry, "anthropic");
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Look." }];
    const response = await client.messages.create({ model: "m", max_tokens: 9, messages, tools });
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results = await Promise.all(
      calls.map((block) => answer(readProviderCall(gate.registry, "anthropic", { call: block, response }))),
    );
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    await client.messages.create({ model: "m", max_tokens: 9, messages, tools });

    const [first, second] = server.requests;
    expect(first).toMatchObject({ path: "POST /v1/messages", body: { tools } });
    expect(tools.map(({ name }) => name)).toEqual(["orders_get", "shop_open_"]);
    expect(second?.body["messages"]).toEqual([
      { role: "user", content: "Look." },
      { role: "assistant", content },
      { role: "user", content: results },
    ]);
    expect(
      results.map((block) => [block.type, block.tool_use_id, block.is_error, told(block.content[0].text)]),
    ).toEqual(ANSWERS.map((said, index) => ["tool_result", `call_${index + 1}`, typeof said === "string", said]));
  });

  test("of Gemini sends the tools, and a result for each call", async () => {
    const call = (id: string, name: string, args: unknown) => ({ type: "function_call", id, name, arguments: args });
    const steps = [
      { type: "thought", signature: "c2lnbmVk" },
      call("call_1", "orders_get", { order: "ORDER-7" }),
      call("call_2", "orders_get", { order: 7 }),
      call("call_3", "orders_delete", {}),
      call("call_4", "shop_open_", {}),
    ];
    server = await modelServer([
      { id: "v1_first", status: "requires_action", steps },
      { id: "v1_second", status: "completed", steps: [] },
    ]);
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } });

    const tools = toProviderTools(gate.registry, "google");
    const response = await client.interactions.create({ model: "m", input: "Look.", tools });
    const calls = response.steps.filter((step) => step.type === "function_call");
    const turns = await Promise.all(
      calls.map((step) => answer(readProviderCall(gate.registry, "google", { call: step, response }))),
    );
    const input = turns.flatMap((turn) => turn.input);
    await client.interactions.create({ model: "m", tools, previous_interaction_id: response.id, input });

    const [first, second] = server.requests;
    expect(first).toMatchObject({ path: "POST /v1/interactions", body: { tools } });
    expect(tools.map(({ name }) => name)).toEqual(["orders_get", "shop_open_"]);
    expect(second?.body).toEqual({ model: "m", tools, previous_interaction_id: "v1_first", input });
    expect(turns.map((turn) => turn.previous_interaction_id)).toEqual(ANSWERS.map(() => "v1_first"));
    expect(input.map((step) => [step.type, step.call_id, told(step.result[0].text)])).toEqual(
      ANSWERS.map((said, index) => ["function_result", `call_${index + 1}`, said]),
    );
    // By the names that it called, not by those of the registry.
    expect(input.map((step) => step.name)).toEqual(calls.map((step) => step.name));
  });
});

describe("a real client that streams", () => {
  const opening = { type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage: {} };
  const messageOf = (pieces: readonly string[], stop_reason: string) =>
    new EventStream(
      { type: "message_start", message: { ...opening, id: "msg_1" } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "call_1", name: "shop_open_", input: {} },
      },
      ...pieces.map((partial_json) => ({
        ...{ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason }, usage: {} },
      { type: "message_stop" },
    );

  async function streamedByAnthropic(stream: EventStream) {
    server = await modelServer([stream]);
    const client = new Anthropic({ apiKey: "none", baseURL: server.url, maxRetries: 0 });
    const response = await client.messages
      .stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Look." }] })
      .finalMessage();
    const [call] = response.content.filter((block) => block.type === "tool_use");
    if (call === undefined) throw new Error("no call came in");
    return { input: call.input, read: () => readProviderCall(gate.registry, "anthropic", { call, response }) };
  }

  test.each([
    ["no piece", []],
    ["an empty piece", [""]],
    ["pieces", ["{", "}"]],
  ])("from Anthropic gives a whole call of %s", async (_what, pieces) => {
    const { read } = await streamedByAnthropic(messageOf(pieces, "tool_use"));
    expect(read()).toMatchObject({ proposal: { name: "shop:open?", arguments: {} }, response_id: "msg_1" });
  });

  // The SDK mends what it has: a text that was cut becomes a smaller object.
  test("from Anthropic gives no call of a message that was cut", async () => {
    const { input, read } = await streamedByAnthropic(messageOf(['{"order":"ORDER-7","note":"wh'], "max_tokens"));
    expect(input).toEqual({ order: "ORDER-7" });
    expect(read).toThrow(expect.objectContaining({ code: "PROVIDER_RESPONSE_INCOMPLETE" }));
  });

  const item = (args: string, status: string) => ({
    ...{ type: "function_call", id: "fc_1", call_id: "call_1", name: "orders_get", arguments: args, status },
  });
  const response = { id: "resp_1", object: "response" };

  async function streamedByOpenAi(stream: EventStream) {
    server = await modelServer([stream]);
    const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 });
    const ended = await client.responses.stream({ model: "m", input: "Look." }).finalResponse();
    const [call] = ended.output.filter((output) => output.type === "function_call");
    if (call === undefined) throw new Error("no call came in");
    return () => readProviderCall(gate.registry, "openai", { call, response: ended });
  }

  const eventsOf = (pieces: readonly string[], status: string): EventStream => {
    const whole = item(pieces.join(""), status);
    return new EventStream(
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: item("", "in_progress") },
      ...pieces.map((delta) => ({
        ...{ type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta },
      })),
      { type: "response.output_item.done", output_index: 0, item: whole },
      { type: `response.${status}`, response: { ...response, status, output: [whole] } },
    );
  };

  test("from OpenAI gives a whole call", async () => {
    const read = await streamedByOpenAi(eventsOf(['{"order":', '"ORDER-7"}'], "completed"));
    expect(read().proposal).toEqual({ name: "orders.get", arguments: { order: "ORDER-7" } });
  });

  test("from OpenAI gives no call of a response that was cut", async () => {
    const read = await streamedByOpenAi(eventsOf(['{"order":', '"ORDER-7"}'], "incomplete"));
    expect(read).toThrow(expect.objectContaining({ code: "PROVIDER_RESPONSE_INCOMPLETE" }));
  });
});
