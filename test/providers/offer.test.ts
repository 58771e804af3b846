import { afterAll, describe, expect, test } from "vitest";
import { PROFILES, type ProviderName } from "../../src/protocol/call.ts";
import { toProviderTools } from "../../src/providers/offer.ts";
import { openShop } from "./shop.ts";

const gate = openShop();
const { registry } = gate;

afterAll(() => gate.close());

const ORDER_SCHEMA = {
  additionalProperties: false,
  properties: { order: { maxLength: 64, minLength: 1, type: "string" } },
  required: ["order"],
  type: "object",
};
const OPEN_SCHEMA = { additionalProperties: false, properties: {}, type: "object" };
const LOOK = { name: "orders_get", description: "Look an order up." };
const OPEN = { name: "shop_open_", description: "Whether the shop is open." };

describe("tools as they are offered", () => {
  test.each<[ProviderName, readonly unknown[]]>([
    [
      "openai",
      [
        { type: "function", ...LOOK, parameters: ORDER_SCHEMA, strict: false },
        { type: "function", ...OPEN, parameters: OPEN_SCHEMA, strict: false },
      ],
    ],
    [
      "anthropic",
      [
        { ...LOOK, input_schema: ORDER_SCHEMA },
        { ...OPEN, input_schema: OPEN_SCHEMA },
      ],
    ],
    [
      "google",
      [
        { type: "function", ...LOOK, parameters: ORDER_SCHEMA },
        { type: "function", ...OPEN, parameters: OPEN_SCHEMA },
      ],
    ],
  ])("to %s", (provider, expected) => {
    expect(toProviderTools(registry, provider)).toEqual(expected);
  });

  test.each(PROFILES)("to $provider are copies: what is done to them changes nothing", ({ provider }) => {
    const before = JSON.stringify(registry.tools);
    const [first] = toProviderTools(registry, provider);
    const schema = first !== undefined && "input_schema" in first ? first.input_schema : first?.parameters;
    Object.assign(schema?.["properties"] ?? {}, { approved: { type: "boolean" } });
    expect(JSON.stringify(first)).toContain("approved");
    expect(JSON.stringify(registry.tools)).toBe(before);
    expect(JSON.stringify(toProviderTools(registry, provider))).not.toContain("approved");
  });

  test.each(["mistral", "toString", "__proto__", ""])("to no provider %j", (provider) => {
    const offer = () => toProviderTools(registry, provider as ProviderName);
    expect(offer).toThrow(expect.objectContaining({ code: "PROFILE_UNREGISTERED" }));
  });
});
