import { CallgateError } from "../errors/callgate-error.ts";
import { copyData } from "../json/copy.ts";
import type { ProviderName } from "../protocol/call.ts";
import type { JsonObject } from "../protocol/json.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import { toAnthropicTool, type AnthropicTool } from "./anthropic.ts";
import { toGeminiTool, type GeminiTool } from "./gemini.ts";
import type { OfferedTool } from "./offered-tool.ts";
import { toOpenAiTool, type OpenAiTool } from "./openai.ts";

/** What a registry says of its tools to those who offer them. */
export interface ToolList {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonObject }[];
}

/** A tool in a request, by provider. */
export interface ProviderTools {
  readonly openai: OpenAiTool;
  readonly anthropic: AnthropicTool;
  readonly google: GeminiTool;
}

const OFFERS: { readonly [Provider in ProviderName]: (tool: OfferedTool) => ProviderTools[Provider] } = {
  openai: toOpenAiTool,
  anthropic: toAnthropicTool,
  google: toGeminiTool,
};

/**
 * The `tools` of a request to a provider: each under a name that every provider takes, its input schema as the gate checks
 * it. A new copy each time. Errors: PROFILE_UNREGISTERED.
 */
export function toProviderTools<Provider extends ProviderName>(
  registry: ToolList,
  provider: Provider,
): ProviderTools[Provider][] {
  if (!Object.hasOwn(OFFERS, provider)) throw new CallgateError("PROFILE_UNREGISTERED", { at: "provider" });
  const offer = OFFERS[provider];
  return registry.tools.map(({ name, description, inputSchema }) => {
    const copy = copyData(inputSchema) as JsonObject;
    return offer({ name: providerToolName(name), description, inputSchema: { ...copy, type: "object" } });
  });
}
