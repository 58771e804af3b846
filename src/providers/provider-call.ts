import { CallgateError } from "../errors/callgate-error.ts";
import { PROFILES, type Proposal, type ProviderName } from "../protocol/call.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import { ANTHROPIC_CALLS, type AnthropicCall, type AnthropicResponse } from "./anthropic.ts";
import { readArguments } from "./arguments.ts";
import type { CallDialect } from "./dialect.ts";
import { GEMINI_CALLS, type GeminiCall, type GeminiResponse } from "./gemini.ts";
import { OPENAI_CALLS, type OpenAiCall, type OpenAiResponse } from "./openai.ts";

/** A call as a provider's SDK gives it, and the response that it came in, by provider. */
export interface ProviderCalls {
  readonly openai: { readonly call: OpenAiCall; readonly response: OpenAiResponse };
  readonly anthropic: { readonly call: AnthropicCall; readonly response: AnthropicResponse };
  readonly google: { readonly call: GeminiCall; readonly response: GeminiResponse };
}

/** What came in: the model's proposal, and the five members of an execution context that the provider knows. */
export interface ProviderCall<Provider extends ProviderName = ProviderName> {
  readonly proposal: Proposal;
  readonly provider: Provider;
  readonly api_family: string;
  readonly adapter_revision: string;
  readonly response_id: string;
  readonly call_id: string;
}

/** What is asked of a registry to find the name of a tool by the one that it is offered under. */
export interface ToolNames {
  readonly tools: readonly { readonly name: string }[];
}

const DIALECTS: Readonly<Record<ProviderName, CallDialect>> = {
  openai: OPENAI_CALLS,
  anthropic: ANTHROPIC_CALLS,
  google: GEMINI_CALLS,
};

/**
 * Reads one tool call of a response that has ended. The name is the registered one of the tool that was offered under it; an
 * unknown name stays as it came. Arguments that cannot be read become a value that the gate refuses as INVALID_ARGUMENTS, so
 * that the model is told.
 * Errors: PROFILE_UNREGISTERED; PROVIDER_CALL_INVALID; PROVIDER_RESPONSE_INCOMPLETE where the response has not ended, or was
 * cut: no call of it may be dispatched.
 */
export function readProviderCall<Provider extends ProviderName>(
  registry: ToolNames,
  provider: Provider,
  given: ProviderCalls[Provider],
): ProviderCall<Provider> {
  const profile = PROFILES.find((known) => known.provider === provider);
  if (profile === undefined) throw new CallgateError("PROFILE_UNREGISTERED", { at: "provider" });
  const { api_family, adapter_revision } = profile;
  const { name, proposed, response_id, call_id } = readEnvelope(given, DIALECTS[provider]);
  const proposal = { name: registeredName(registry, name), arguments: readArguments(proposed) };
  return { proposal, provider, api_family, adapter_revision, response_id, call_id };
}

/** What stands around the arguments of a call. */
interface Envelope {
  readonly name: string;
  readonly proposed: unknown;
  readonly response_id: string;
  readonly call_id: string;
}

function readEnvelope(given: unknown, dialect: CallDialect): Envelope {
  try {
    const { call, response } = objectAt(given, "");
    const proposal = objectAt(call, "call");
    const turn = objectAt(response, "response");
    if (proposal["type"] !== dialect.type) {
      throw new CallgateError("PROVIDER_CALL_INVALID", { at: "call.type", detail: `it is not \`${dialect.type}\`` });
    }
    const response_id = identifierAt(turn, "response", "id");
    demandEnd(turn, "response", dialect.endMember, dialect.ends);
    if (dialect.ownEndMember !== null && proposal[dialect.ownEndMember] != null) {
      demandEnd(proposal, "call", dialect.ownEndMember, ["completed"]);
    }
    const proposed = proposal[dialect.argumentsMember];
    if (proposed === undefined) throw missing("call", dialect.argumentsMember);
    const call_id = identifierAt(proposal, "call", dialect.idMember);
    return { name: identifierAt(proposal, "call", "name"), proposed, response_id, call_id };
  } catch (error) {
    if (error instanceof CallgateError) throw error;
    throw new CallgateError("PROVIDER_CALL_INVALID", { detail: "it could not be read", cause: error });
  }
}

/** A call of a response that is still coming in, or was cut, can look like a smaller one. */
function demandEnd(of: Readonly<Record<string, unknown>>, at: string, member: string, ends: readonly string[]): void {
  const end = of[member];
  if (typeof end === "string" && ends.includes(end)) return;
  const wanted = ends.map((known) => `\`${known}\``).join(" or ");
  throw new CallgateError("PROVIDER_RESPONSE_INCOMPLETE", { at: `${at}.${member}`, detail: `it is not ${wanted}` });
}

function objectAt(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new CallgateError("PROVIDER_CALL_INVALID", { at, detail: "it is no object" });
}

function identifierAt(of: Readonly<Record<string, unknown>>, at: string, member: string): string {
  const value = of[member];
  if (isIdentifier(value)) return value;
  throw value === undefined
    ? missing(at, member)
    : new CallgateError("PROVIDER_CALL_INVALID", { at: `${at}.${member}`, detail: "it is no identifier" });
}

function missing(at: string, member: string): CallgateError {
  return new CallgateError("PROVIDER_CALL_INVALID", { at, detail: `\`${member}\` is missing` });
}

/** No two tools of a registry are offered by one name, so whatever is found is the one. */
function registeredName({ tools }: ToolNames, offered: string): string {
  return tools.find(({ name }) => providerToolName(name) === offered)?.name ?? offered;
}
