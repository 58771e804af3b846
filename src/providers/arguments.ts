import { CallgateError } from "../errors/callgate-error.ts";
import { copyJson } from "../json/canonical.ts";
import { readJson } from "../json/read.ts";
import type { JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";

/** An empty text is what some send for no arguments. */
const NO_ARGUMENTS = "{}";

/**
 * The arguments that a model proposed, from the JSON text or the value that its provider's SDK gives. What cannot be read
 * stays the text that it is, or becomes null: no object, so that the gate refuses it and the model is told. Never throws.
 */
export function readArguments(given: unknown): JsonValue {
  if (typeof given !== "string") return hashable(() => given) ?? null;
  const read = () => readJson(given === "" ? NO_ARGUMENTS : given, { maxBytes: LIMITS.argumentsTextBytes }).value;
  return hashable(read) ?? hashable(() => given) ?? null;
}

/** A copy of what can be hashed as arguments; null where it cannot be read, or is too much. */
function hashable(read: () => unknown): JsonValue {
  try {
    return copyJson(read(), { depth: 1 }).value;
  } catch (error) {
    if (error instanceof CallgateError) return null;
    throw error;
  }
}
