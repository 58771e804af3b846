import type { JsonValue } from "../protocol/json.ts";

/** The same value, with everything in it frozen. */
export function frozen<Value extends JsonValue>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
