import { CallgateError } from "../../src/errors/callgate-error.ts";

/** The failure that an action ends in. Anything else it throws, and no failure at all, is thrown. */
export function failureOf(action: () => unknown): CallgateError {
  try {
    action();
  } catch (error) {
    if (error instanceof CallgateError) return error;
    throw error;
  }
  throw new TypeError("nothing failed");
}
