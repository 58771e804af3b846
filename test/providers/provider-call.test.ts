import { afterAll, describe, expect, test } from "vitest";
import { PROFILES, type ProviderName } from "../../src/protocol/call.ts";
import { readProviderCall, type ProviderCalls } from "../../src/providers/provider-call.ts";
import { ADA, openShop } from "./shop.ts";

const gate = openShop();

afterAll(() => gate.close());

type Members = Readonly<Record<string, unknown>>;

/** A whole call of each provider, with members of the call or of its response changed. */
const GIVEN: Readonly<Record<ProviderName, (call?: Members, response?: Members) => unknown>> = {
  openai: (call, response) => ({
    call: {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "orders_get",
      arguments: '{"order":"ORDER-7"}',
      status: "completed",
      ...call,
    },
    response: { id: "resp_1", status: "completed", output: [], ...response },
  }),
  anthropic: (call, response) => ({
    call: {
      type: "tool_use",
      id: "call_1",
      name: "orders_get",
      input: { order: "ORDER-7" },
      caller: { type: "direct" },
      ...call,
    },
    response: { id: "resp_1", type: "message", stop_reason: "tool_use", ...response },
  }),
  google: (call, response) => ({
    call: { type: "function_call", id: "call_1", name: "orders_get", arguments: { order: "ORDER-7" }, ...call },
    response: { id: "resp_1", status: "requires_action", ...response },
  }),
};
const ARGUMENTS = { openai: "arguments", anthropic: "input", google: "arguments" } as const;
const CALL_ID = { openai: "call_id", anthropic: "id", google: "id" } as const;

/** What is read; typed as a host without types would have it. */
function read(provider: ProviderName, given: unknown) {
  return readProviderCall(gate.registry, provider, given as ProviderCalls[ProviderName]);
}

/** What the gate answers to a call that was read. */
async function answerTo({ proposal, ...context }: ReturnType<typeof read>) {
  const executionContext = { ...context, operation_id: "op_1", idempotency_key: null };
  const { model_result } = await gate.dispatch({ principal: ADA, proposal, executionContext });
  return model_result.error?.code ?? "OK";
}

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
};

describe.each(PROFILES)("a call of $provider", ({ provider, api_family, adapter_revision }) => {
  const given = GIVEN[provider];
  const withArguments = (value: unknown) => read(provider, given({ [ARGUMENTS[provider]]: value }));

  test("is read whole, under the registered name", async () => {
    const call = read(provider, given());
    expect(call).toEqual({
      proposal: { name: "orders.get", arguments: { order: "ORDER-7" } },
      ...{ provider, api_family, adapter_revision, response_id: "resp_1", call_id: "call_1" },
    });
    expect(await answerTo(call)).toBe("OK");
  });

  test("is read from a text as from a value", () => {
    expect(withArguments('{"order":"ORDER-7"}')).toEqual(withArguments({ order: "ORDER-7" }));
  });

  test("shares nothing with what it was read from", () => {
    const input = { order: "ORDER-7" };
    const call = withArguments(input);
    input.order = "ORDER-8";
    expect(call.proposal.arguments).toEqual({ order: "ORDER-7" });
  });

  test.each([
    ["orders.get", "orders.get"],
    ["shop_open_", "shop:open?"],
    ["orders_delete", "orders_delete"],
    ["Orders_get", "Orders_get"],
    ["toString", "toString"],
  ])("of %j is one of %j", (name, registered) => {
    expect(read(provider, given({ name })).proposal.name).toBe(registered);
  });

  test("of a name that nobody offered is told so", async () => {
    expect(await answerTo(read(provider, given({ name: "orders_delete" })))).toBe("UNKNOWN_TOOL");
  });

  test("with an empty text has no arguments", async () => {
    const call = read(provider, given({ name: "shop_open_", [ARGUMENTS[provider]]: "", [CALL_ID[provider]]: "empty" }));
    expect(call.proposal).toEqual({ name: "shop:open?", arguments: {} });
    expect(await answerTo(call)).toBe("OK");
  });

  test.each<[string, unknown, unknown]>([
    ["a text that is cut", '{"order":"ORD', '{"order":"ORD'],
    ["two texts in one", '{"order":"A"}{"order":"B"}', '{"order":"A"}{"order":"B"}'],
    ["a text with a comma too many", '{"order":"A",}', '{"order":"A",}'],
    ["a text with a member twice", '{"order":"A","order":"B"}', '{"order":"A","order":"B"}'],
    ["a text with a number that no double holds", '{"order":9007199254740993}', '{"order":9007199254740993}'],
    ["a text with half of a surrogate pair", '{"order":"\\ud800"}', '{"order":"\\ud800"}'],
    ["a text that itself has half of a pair", '{"order":"\ud800"}', null],
    ["a text that is too long to be kept", `{"order":"${"x".repeat(70_000)}"}`, null],
    ["a text over its limit", `${" ".repeat(1_048_576)}{"order":"ORDER-7"}`, null],
    ["a text that nests too deep", `${"[".repeat(40)}${"]".repeat(40)}`, `${"[".repeat(40)}${"]".repeat(40)}`],
    ["white space", " ", " "],
    ["the text of a list", "[1]", [1]],
    ["the text of a text", '"{}"', "{}"],
    ["the text of nothing", "null", "null"],
    ["nothing", null, null],
    ["a list", [{ order: "A" }], [{ order: "A" }]],
    ["a number", 7, 7],
    ["a value that is too long", { order: "x".repeat(70_000) }, null],
    ["a value that nests too deep", JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`), null],
    ["a value with too many members", { order: Array.from({ length: 1_025 }, () => 0) }, null],
    ["a value that is no data", { order: new Date(0) }, null],
    ["a value with a getter", Object.defineProperty({}, "order", { get: () => "A", enumerable: true }), null],
  ])("with %s as arguments is refused, and the model is told", async (_what, value, kept) => {
    const call = withArguments(value);
    expect(call.proposal.arguments).toEqual(kept);
    expect(await answerTo(call)).toBe("INVALID_ARGUMENTS");
  });

  test("has names of members as they were written, whatever was read before", () => {
    // V8's own parser gives the second member the name of the one before it.
    withArguments('{"x":1,"\\\\":2}');
    expect(withArguments('{"x":1,"\\n":2}').proposal.arguments).toEqual({ x: 1, "\n": 2 });
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "PROVIDER_CALL_INVALID"],
    ["a call by itself", (given() as { call: unknown }).call, "PROVIDER_CALL_INVALID"],
    ["no response", { ...(given() as object), response: undefined }, "PROVIDER_CALL_INVALID"],
    ["the id in place of the response", { ...(given() as object), response: "resp_1" }, "PROVIDER_CALL_INVALID"],
    ["another type", given({ type: "message" }), "PROVIDER_CALL_INVALID"],
    ["no id", given({ [CALL_ID[provider]]: undefined }), "PROVIDER_CALL_INVALID"],
    ["a blank id", given({ [CALL_ID[provider]]: " " }), "PROVIDER_CALL_INVALID"],
    ["an id that is too long", given({ [CALL_ID[provider]]: "c".repeat(256) }), "PROVIDER_CALL_INVALID"],
    ["no name", given({ name: undefined }), "PROVIDER_CALL_INVALID"],
    ["a name that is none", given({ name: 7 }), "PROVIDER_CALL_INVALID"],
    ["no arguments at all", given({ [ARGUMENTS[provider]]: undefined }), "PROVIDER_CALL_INVALID"],
    ["a response without an id", given({}, { id: undefined }), "PROVIDER_CALL_INVALID"],
    [
      "a response that does not say how it ended",
      given({}, { status: null, stop_reason: null }),
      "PROVIDER_RESPONSE_INCOMPLETE",
    ],
    [
      "a response that has not ended",
      given({}, { status: "in_progress", stop_reason: undefined }),
      "PROVIDER_RESPONSE_INCOMPLETE",
    ],
    [
      "a response that was cut",
      given({}, { status: "incomplete", stop_reason: "max_tokens" }),
      "PROVIDER_RESPONSE_INCOMPLETE",
    ],
    ["a response that failed", given({}, { status: "failed", stop_reason: "refusal" }), "PROVIDER_RESPONSE_INCOMPLETE"],
    [
      "what throws when it is read",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("sk-live-1");
          },
        },
      ),
      "PROVIDER_CALL_INVALID",
    ],
  ])("is not read from %s", (_what, value, code) => {
    expect(codeOf(() => read(provider, value))).toBe(code);
  });
});

describe("a call of OpenAI", () => {
  test.each(["in_progress", "incomplete", "", 7])("that says %j of itself is not read", (status) => {
    expect(codeOf(() => read("openai", GIVEN.openai({ status, arguments: "" })))).toBe("PROVIDER_RESPONSE_INCOMPLETE");
  });

  test.each([undefined, null, "completed"])("that says %j of itself is read", (status) => {
    expect(read("openai", GIVEN.openai({ status })).call_id).toBe("call_1");
  });
});

// What OpenAI sends has all that Gemini would send: only the types tell them apart.
test.each<[ProviderName, ProviderName]>([
  ["openai", "anthropic"],
  ["openai", "google"],
  ["anthropic", "openai"],
  ["anthropic", "google"],
  ["google", "anthropic"],
])("what is read as a call of %s is not one of %s", (provider, other) => {
  expect(codeOf(() => read(provider, GIVEN[other]()))).toMatch(/^PROVIDER_(CALL_INVALID|RESPONSE_INCOMPLETE)$/);
});

test.each(["mistral", "toString", undefined])("a call of %j is not read", (provider) => {
  const reading = () => read(provider as ProviderName, GIVEN.openai());
  expect(codeOf(reading)).toBe("PROFILE_UNREGISTERED");
});

test("a failure says where, and nothing of what was given", () => {
  expect(() => read("openai", GIVEN.openai({ call_id: "sk-live-1".repeat(40) }))).toThrow(
    "that is not a tool call as the provider's SDK gives it: it is no identifier (at call.call_id)",
  );
  expect(() => read("anthropic", GIVEN.anthropic({}, { stop_reason: "max_tokens" }))).toThrow(
    "its calls may be cut too: it is not `tool_use` (at response.stop_reason)",
  );
});
