import { tokensOf } from "../../src/json/pointer.ts";

/** Values by JSON pointer; `undefined` takes a member away. */
export type Edits = Readonly<Record<string, unknown>>;

/** A document with values put in their places; the one that is given is changed. */
export function edited(document: object, edits: Edits): object {
  const root = { document };
  for (const [pointer, value] of Object.entries(edits)) {
    const tokens = ["document", ...(tokensOf(pointer) ?? [])];
    const parent = reach(root, tokens.slice(0, -1));
    const name = tokens.at(-1) ?? "";
    if (typeof parent !== "object" || parent === null) throw new Error(`${pointer} leads nowhere`);
    if (value === undefined) Reflect.deleteProperty(parent, name);
    else Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return root.document;
}

/** The value at a JSON pointer of a document. */
export function valueIn(document: object, pointer: string): unknown {
  return reach(document, tokensOf(pointer) ?? []);
}

function reach(from: unknown, tokens: readonly string[]): unknown {
  let value = from;
  for (const token of tokens) value = (value as Readonly<Record<string, unknown>>)[token];
  return value;
}
