/** A JSON value that lives in memory only as plain data: no class instances, no functions, no `undefined`. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object: own enumerable string-keyed data members only. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Where a value stands inside a JSON text: member names and array indices from the root outwards. */
export type JsonPath = readonly (string | number)[];

declare const canonical: unique symbol;

/**
 * RFC 8785 text of one value of the hashed domain; its UTF-8 bytes are what is hashed.
 * Made only by `json/canonical.ts`.
 */
export type CanonicalText = string & { readonly [canonical]: true };
