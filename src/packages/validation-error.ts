import { pointerOf } from "../json/pointer.ts";

/** What can be wrong with a package or a set of them, and the sentence that says so. */
export const VALIDATION_RULES = {
  not_data: "is not plain JSON data within the limits",
  wrong_type: "has the wrong type",
  member_missing: "is missing",
  member_extra: "does not belong here",
  wrong_value: "is not a value that the contract has here",
  malformed: "has not the form that the contract asks for",
  profile_unregistered: "is not of a registered profile of provider, API family and adapter revision",
  differs_from_call: "differs from the trusted principal and call",
  differs_from_registry: "differs from the registered tool",
  differs_from_catalogue: "is not the row of a code in the catalogue of errors",
  digest_mismatch: "is not the digest recomputed from principal, call, registry and package",
  output_contract: "breaks the output contract of the tool",
  answer_impossible: "is an answer that this call cannot have had",
  call_duplicate: "has the response_id and call_id of an earlier expected call",
  package_missing: "has no package",
  package_duplicate: "is a second package for one call",
  package_unknown: "belongs to none of the expected calls",
} as const;

/** Name of something that can be wrong; for programs. */
export type ValidationRule = keyof typeof VALIDATION_RULES;

/** One thing that is wrong with a package or a set of them. */
export interface ValidationError {
  /**
   * Where. Shape: a JSON pointer into what was given, in which a member name that is no plain word stands as `…`: such
   * names were chosen by whoever made the data.
   */
  readonly at: string;
  readonly rule: ValidationRule;
  /** For people: one sentence, without any value that was given. */
  readonly message: string;
}

/** A set is not looked at further than this: nobody reads more, and a small file must not be answered with gigabytes. */
export const ENOUGH_ERRORS = 1_000;

const PLAIN_WORD = /^[A-Za-z0-9_-]{1,64}$/;

/** The error that a rule is broken at a place. */
export function validationError(pointer: string, rule: ValidationRule): ValidationError {
  const tokens = pointer.split("/").slice(1);
  const words = tokens.map((token) => (PLAIN_WORD.test(token) ? token : "…"));
  return { at: pointerOf(words), rule, message: `\`${words.at(-1) ?? ""}\` ${VALIDATION_RULES[rule]}` };
}

/** The JSON pointer of a member or item one level below another. */
export function below(pointer: string, member: string | number): string {
  return pointer + pointerOf([member]);
}
