import type { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule, { type FormatName, type FormatsPlugin } from "ajv-formats";
import { RE2JS } from "re2js";

// Under NodeNext the package is typed as a namespace, while its default export is what is called.
const addFormats = addFormatsModule as unknown as FormatsPlugin;

/** Formats whose check takes time linear in the text, as it is. Source: measured, see the test. */
const LINEAR_ALREADY = [
  ...["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "json-pointer"],
  "uri-template",
] as const satisfies readonly FormatName[];

/** Formats whose check is quadratic in the regular expressions of the language, and linear here. */
const MADE_LINEAR = ["uri", "uri-reference"] as const satisfies readonly FormatName[];

/** Every format that a schema may name. */
export const FORMATS: readonly string[] = [...LINEAR_ALREADY, ...MADE_LINEAR].toSorted();

const SCHEME = /^[a-z][a-z0-9+\-.]*:/i;

/** Compiled when the first text is looked at: it takes longer than a schema. */
let uriReference: RE2JS | null = null;

function isUriReference(text: string): boolean {
  if (uriReference === null) {
    const native = addFormats.get("uri-reference");
    if (!(native instanceof RegExp)) throw new TypeError("the format uri-reference is no regular expression any more");
    uriReference = RE2JS.compile(native.source, RE2JS.CASE_INSENSITIVE);
  }
  return uriReference.matcher(text).find();
}

/** Teaches Ajv the formats, each judged in linear time. */
export function addLinearFormats(ajv: Ajv2020): void {
  addFormats(ajv, [...LINEAR_ALREADY]);
  ajv.addFormat("uri-reference", { type: "string", validate: isUriReference });
  ajv.addFormat("uri", { type: "string", validate: (text: string) => SCHEME.test(text) && isUriReference(text) });
}
