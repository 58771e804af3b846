import type { JsonValue } from "../protocol/json.ts";
import { setMember } from "./parse.ts";

/**
 * A copy of plain data that shares nothing with it. Not by way of `JSON.parse`: V8's gives some members the name of another
 * one (see ARCHITECTURE, decisions). Shape: members in the order of canonical form, and 0 for -0. Only for what canonical form accepted.
 */
export function copyData(value: JsonValue): JsonValue {
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return copyList(value);
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(value).toSorted()) setMember(copy, name, copyData(value[name] ?? null));
  return copy;
}

/** By index: `map` would be that of the realm that the list comes from. */
function copyList(list: readonly JsonValue[]): JsonValue[] {
  const copy: JsonValue[] = [];
  for (let index = 0; index < list.length; index += 1) copy.push(copyData(list[index] ?? null));
  return copy;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
