import { types } from "node:util";
import { CallgateError } from "../errors/callgate-error.ts";
import { copyJson } from "../json/canonical.ts";
import type { JsonValue } from "../protocol/json.ts";
import { below, ENOUGH_ERRORS, validationError, type ValidationError } from "./validation-error.ts";

/** The level of a package: its two members, one below it, are the roots of what is hashed. */
export const ABOVE_ROOT = -1;

/**
 * A plain copy of an own data member, or undefined with an error added. Never throws.
 * @param depth level of the member below its hashed root; a package stands one above its two roots
 */
export function copyMember(
  given: unknown,
  name: string | number,
  parent: string,
  errors: ValidationError[],
  depth: number,
): JsonValue | undefined {
  const at = below(parent, name);
  const found = ownMember(given, name);
  if (found === null) {
    errors.push(validationError(at, "member_missing"));
    return undefined;
  }
  try {
    return copyJson(found.value, { depth }).value;
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    errors.push(validationError(`${at}${error.at ?? ""}`, "not_data"));
    return undefined;
  }
}

/** The list in an own data member of something nobody trusts; null, with an error added, where there is none. */
export function listIn(given: unknown, name: string, errors: ValidationError[]): readonly unknown[] | null {
  const found = ownMember(given, name);
  if (found !== null && !types.isProxy(found.value) && Array.isArray(found.value)) {
    const list: readonly unknown[] = found.value;
    return list;
  }
  errors.push(validationError(below("", name), found === null ? "member_missing" : "wrong_type"));
  return null;
}

/**
 * Copies of the items of a list, with their places; an error is added instead for an item that is no plain data.
 * Ends at the first gap, and when there are errors enough: it never takes longer than what is really there.
 */
export function* copiesIn(
  list: readonly unknown[],
  parent: string,
  errors: ValidationError[],
  depth: number,
): Generator<{ readonly at: string; readonly copy: JsonValue }> {
  for (let index = 0; index < list.length && errors.length < ENOUGH_ERRORS; index += 1) {
    const at = below(parent, index);
    if (ownMember(list, index) === null) {
      errors.push(validationError(at, "not_data"));
      return;
    }
    const copy = copyMember(list, index, parent, errors, depth);
    if (copy !== undefined) yield { at, copy };
  }
}

/**
 * An own member of something nobody trusts; null where there is none. Never throws, and calls no getter and no trap: the
 * value of an accessor is undefined, which is no data.
 */
function ownMember(given: unknown, name: string | number): { readonly value: unknown } | null {
  if (typeof given !== "object" || given === null || types.isProxy(given)) return null;
  const descriptor = Object.getOwnPropertyDescriptor(given, name);
  return descriptor === undefined ? null : { value: descriptor.value };
}
