import { CallgateError } from "../errors/callgate-error.ts";
import type { AcceptedResult } from "../packages/inspect.ts";
import { inspectResult, type GivenResult } from "../packages/validate.ts";
import type { ProviderName } from "../protocol/call.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import { toToolResultBlock, type ToolResultBlock } from "./anthropic.ts";
import { toFunctionResultTurn, type FunctionResultTurn } from "./gemini.ts";
import { toFunctionCallOutput, type FunctionCallOutput } from "./openai.ts";

/** What goes back to a provider. */
export type ProviderPayload = FunctionCallOutput | ToolResultBlock | FunctionResultTurn;

const ERRORS_TOLD = 3;

/** How each registered provider takes a result back. */
const ADAPTERS: Readonly<Record<ProviderName, (result: AcceptedResult) => ProviderPayload>> = {
  openai: toFunctionCallOutput,
  anthropic: toToolResultBlock,
  google: toFunctionResultTurn,
};

/**
 * What goes back to the provider of a call: the whole model result, and nothing of the audit.
 * Errors: PROFILE_UNREGISTERED, or PACKAGE_INVALID with the first few of the errors that `validateResult` finds.
 */
export function toProviderPayload(registry: RegistryView, given: GivenResult): ProviderPayload {
  const { errors, accepted } = inspectResult(registry, given);
  if (accepted !== null) return ADAPTERS[accepted.call.provider](accepted);
  const unregistered = errors.find(({ rule }) => rule === "profile_unregistered");
  if (unregistered !== undefined) throw new CallgateError("PROFILE_UNREGISTERED", { at: unregistered.at });
  const first = errors.slice(0, ERRORS_TOLD).map(({ at, message }) => `${message} (${at})`);
  throw new CallgateError("PACKAGE_INVALID", { detail: first.join("; ") });
}
