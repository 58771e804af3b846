import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { below, validationError, type ValidationError, type ValidationRule } from "./validation-error.ts";

/** What is expected of one value: adds an error for each way in which the value at that place is not so. */
export type Expectation = (value: JsonValue, at: string, errors: ValidationError[]) => void;

/** Expects nothing: the value is looked at elsewhere. */
export const anything: Expectation = () => undefined;

/** Expects one constant. */
export function exactly(constant: string | number | boolean | null, rule: ValidationRule = "wrong_value"): Expectation {
  return meets((value) => value === constant, rule);
}

/** Expects one of some texts. */
export function oneOf(texts: readonly string[]): Expectation {
  const known: readonly unknown[] = texts;
  return meets((value) => known.includes(value), "wrong_value");
}

/** Expects what a predicate says. */
export function meets(predicate: (value: JsonValue) => boolean, rule: ValidationRule): Expectation {
  return (value, at, errors) => {
    if (!predicate(value)) errors.push(validationError(at, rule));
  };
}

/** Expects an object with exactly these members; their names are plain words, which no pointer has to escape. */
export function members(expected: Readonly<Record<string, Expectation>>): Expectation {
  return (value, at, errors) => {
    if (!isObject(value)) {
      errors.push(validationError(at, "wrong_type"));
      return;
    }
    for (const [name, expectation] of Object.entries(expected)) {
      const member = memberOf(value, name);
      if (member === undefined) errors.push(validationError(`${at}/${name}`, "member_missing"));
      else expectation(member, `${at}/${name}`, errors);
    }
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(expected, name)) errors.push(validationError(below(at, name), "member_extra"));
    }
  };
}

/** Expects an object with exactly these members, each of them exactly its constant. */
export function sameMembers(
  constants: Readonly<Record<string, string | number | null>>,
  rule: ValidationRule,
): Expectation {
  return members(
    Object.fromEntries(Object.entries(constants).map(([name, constant]) => [name, exactly(constant, rule)])),
  );
}

/** Whether a value is as expected; adds the errors otherwise. */
export function holds(expectation: Expectation, value: JsonValue, at: string, errors: ValidationError[]): boolean {
  const before = errors.length;
  expectation(value, at, errors);
  return errors.length === before;
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of an object; undefined where the value is no object or has no such member. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
