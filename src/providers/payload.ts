import { CallgateError } from "../errors/callgate-error.ts";
import type { AcceptedResult } from "../packages/inspect.ts";
import { inspectResult, type GivenResult } from "../packages/validate.ts";
import type { Call, Principal, ProviderName } from "../protocol/call.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import type { ResultPackage } from "../protocol/result.ts";
import { toToolResultBlock, type ToolResultBlock } from "./anthropic.ts";
import { toFunctionResultTurn, type FunctionResultTurn } from "./gemini.ts";
import { toFunctionCallOutput, type FunctionCallOutput } from "./openai.ts";

/** What goes back to a provider, by provider. */
export interface ProviderPayloads {
  readonly openai: FunctionCallOutput;
  readonly anthropic: ToolResultBlock;
  readonly google: FunctionResultTurn;
}

/** What goes back to a provider. */
export type ProviderPayload = ProviderPayloads[ProviderName];

/** A package that this gate gave, with the call that it answers. */
export interface AnsweredCall<Provider extends ProviderName = ProviderName> {
  readonly principal: Principal;
  /** Shape: flat: `{ ...proposal, ...executionContext }` of the request that was dispatched. */
  readonly call: Call & { readonly provider: Provider };
  readonly package: ResultPackage;
}

const ERRORS_TOLD = 3;

/** How each registered provider takes a result back. */
const ADAPTERS: {
  readonly [Provider in ProviderName]: (result: AcceptedResult, calledName: string) => ProviderPayloads[Provider];
} = {
  openai: toFunctionCallOutput,
  anthropic: toToolResultBlock,
  google: toFunctionResultTurn,
};

/**
 * What goes back to the provider of a call: the whole model result, and nothing of the audit.
 * Errors: PROFILE_UNREGISTERED, or PACKAGE_INVALID with the first few of the errors that `validateResult` finds.
 */
export function toProviderPayload<Provider extends ProviderName>(
  registry: RegistryView,
  given: AnsweredCall<Provider>,
): ProviderPayloads[Provider];
/** As above, for data from anywhere: everything about it is checked, its types included. */
export function toProviderPayload(registry: RegistryView, given: GivenResult): ProviderPayload;
export function toProviderPayload(registry: RegistryView, given: GivenResult): ProviderPayload {
  const { errors, accepted } = inspectResult(registry, given);
  if (accepted !== null) {
    const { provider, name } = accepted.call;
    // A registered tool was called by the name under which it is offered; what nobody registered, by the name it came with.
    return ADAPTERS[provider](accepted, registry.find(name) === null ? name : providerToolName(name));
  }
  const unregistered = errors.find(({ rule }) => rule === "profile_unregistered");
  if (unregistered !== undefined) throw new CallgateError("PROFILE_UNREGISTERED", { at: unregistered.at });
  const first = errors.slice(0, ERRORS_TOLD).map(({ at, message }) => `${message} (${at})`);
  throw new CallgateError("PACKAGE_INVALID", { detail: first.join("; ") });
}
