import { canonicalize } from "../json/canonical.ts";
import type { CanonicalText } from "../protocol/json.ts";

/**
 * The canonical text of a schema. Libraries keep notes of their own in members that are not enumerable or have symbols
 * for names; they are not part of the schema. A member without a value is refused: it looks like a rule.
 * Errors: as `canonicalize`.
 */
export function schemaText(schema: unknown): CanonicalText {
  return canonicalize(withoutNotes(schema, new Map()));
}

function withoutNotes(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copied = known.get(value);
  if (copied !== undefined) return copied;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    known.set(value, items);
    for (const item of value) items.push(withoutNotes(item, known));
    return items;
  }
  // An instance of a class is no schema; said by who writes it.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const members: Record<string, unknown> = {};
  known.set(value, members);
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(members, name, {
      value: withoutNotes(member, known),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return members;
}
