import { canonicalize } from "../json/canonical.ts";
import { callBindingSha256, requestSha256, resultSha256 } from "../json/digests.ts";
import { unregisteredContract, type Principal } from "../protocol/call.ts";
import type { CanonicalText, JsonValue } from "../protocol/json.ts";
import type { RegistryView, ToolView } from "../protocol/registry-view.ts";
import { claimOf, isPossible, type Claim } from "./claim.ts";
import { anything, holds, memberOf, members } from "./expectation.ts";
import { expectedAudit, expectedDownstream, expectedError, expectedSuccess, isDownstream } from "./expected-package.ts";
import type { TrustedCall } from "./trusted-call.ts";
import { below, validationError, type ValidationError } from "./validation-error.ts";

/** A valid result. */
export interface AcceptedResult {
  readonly call: TrustedCall;
  readonly succeeded: boolean;
  /** The whole model result. */
  readonly text: CanonicalText;
}

const PACKAGE = members({ model_result: anything, protected_audit: anything });

/**
 * Recomputes what a package must be from the trusted principal, call and registry, and adds an error wherever it is
 * something else. Null if it is.
 * @param copy the package as plain data of the hashed domain
 */
export function inspectPackage(
  registry: RegistryView,
  trusted: { readonly principal: Principal; readonly call: TrustedCall },
  copy: JsonValue,
  at: string,
  errors: ValidationError[],
): AcceptedResult | null {
  const { principal, call } = trusted;
  const before = errors.length;
  const modelResult = memberOf(copy, "model_result");
  const audit = memberOf(copy, "protected_audit");
  if (!holds(PACKAGE, copy, at, errors) || modelResult === undefined || audit === undefined) return null;

  const tool = registry.find(call.name);
  const claim = claimOf(modelResult);
  inspectModelResult(claim, call, tool, modelResult, below(at, "model_result"), errors);

  const contract = tool?.contract ?? unregisteredContract(call.name);
  const text = canonicalize(modelResult);
  const digests = {
    requestSha256: requestSha256(principal, contract, canonicalize(call.arguments, { depth: 1 })),
    resultSha256: resultSha256(text),
  };
  const claimed = memberOf(audit, "downstream");
  const callBinding = isDownstream(claimed)
    ? callBindingSha256({ principal, context: call, contract, ...digests, downstream: claimed })
    : null;
  const downstream = expectedDownstream(claim, tool);
  const expected = expectedAudit({ principal, call, contract, ...digests, callBindingSha256: callBinding, downstream });
  expected(audit, below(at, "protected_audit"), errors);
  return errors.length === before ? { call, succeeded: claim === "success", text } : null;
}

function inspectModelResult(
  claim: Claim | null,
  call: TrustedCall,
  tool: ToolView | null,
  modelResult: JsonValue,
  at: string,
  errors: ValidationError[],
): void {
  if (claim === null) errors.push(validationError(below(at, "error"), "differs_from_catalogue"));
  else if (!isPossible(claim, call, tool)) errors.push(validationError(at, "answer_impossible"));
  else if (claim !== "success") expectedError(claim)(modelResult, at, errors);
  else if (tool !== null) expectedSuccess(tool, call)(modelResult, at, errors);
}
