import type { JsonObject, JsonPath, JsonValue } from "../protocol/json.ts";

/**
 * What a subschema is about: the value itself; a part of it (a member or an element); a question about either, whose
 * answer describes nothing; or nothing until it is referred to.
 */
export type Subject = "itself" | "part" | "question" | "question of part" | "definition";

interface SubschemaKeyword {
  readonly form: "schema" | "list" | "map";
  readonly subject: Subject;
}

/** Keywords that hold subschemas. Source: JSON Schema 2020-12, section 10. */
const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaKeyword> = new Map([
  ["allOf", { form: "list", subject: "itself" }],
  ["anyOf", { form: "list", subject: "itself" }],
  ["oneOf", { form: "list", subject: "itself" }],
  ["then", { form: "schema", subject: "itself" }],
  ["else", { form: "schema", subject: "itself" }],
  ["dependentSchemas", { form: "map", subject: "itself" }],
  ["if", { form: "schema", subject: "question" }],
  ["not", { form: "schema", subject: "question" }],
  ["properties", { form: "map", subject: "part" }],
  ["patternProperties", { form: "map", subject: "part" }],
  ["additionalProperties", { form: "schema", subject: "part" }],
  ["unevaluatedProperties", { form: "schema", subject: "part" }],
  ["prefixItems", { form: "list", subject: "part" }],
  ["items", { form: "schema", subject: "part" }],
  ["unevaluatedItems", { form: "schema", subject: "part" }],
  ["contains", { form: "schema", subject: "question of part" }],
  ["propertyNames", { form: "schema", subject: "question of part" }],
  ["$defs", { form: "map", subject: "definition" }],
]);

const ANNOTATIONS = [
  ...["title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "$comment"],
  ...["contentEncoding", "contentMediaType"],
];
const ASSERTIONS = [
  ...["type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "format", "maxItems", "minItems", "uniqueItems", "maxContains"],
  ...["minContains", "maxProperties", "minProperties", "required", "dependentRequired", "$ref"],
];
/** What may stand at the root only: it says what the document is. */
const AT_THE_ROOT = ["$schema", "$id"];

const IS_ANNOTATION: ReadonlySet<string> = new Set([...ANNOTATIONS, ...AT_THE_ROOT, "$defs"]);
const EVERYWHERE: ReadonlySet<string> = new Set([...ANNOTATIONS, ...ASSERTIONS, ...SUBSCHEMA_KEYWORDS.keys()]);

/** Keywords that people write and that are not taken, with what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  definitions: "call it `$defs`",
  dependencies: "use `dependentRequired` or `dependentSchemas`",
  additionalItems: "use `prefixItems` for the first elements and `items` for the rest",
  nullable: 'add "null" to `type`',
  discriminator: "take it out; give each alternative a member with a `const` of its own",
  example: "call it `examples`, and give a list",
  $anchor: "refer by a JSON pointer, as `#/$defs/name`",
  $dynamicAnchor: "refer by a JSON pointer, as `#/$defs/name`",
  $dynamicRef: "refer by `$ref`",
  $recursiveRef: "refer by `$ref`",
  $async: "take it out: a schema is judged at once",
  $schema: "put it at the root, or take it out",
  $id: "put it at the root, or take it out",
};

/** A subschema and where it stands in the schema that holds it. */
export interface Subschema {
  readonly keyword: string;
  readonly path: JsonPath;
  readonly schema: JsonValue;
  readonly subject: Subject;
}

/** The subschemas that a schema holds, one level down. What has not the form of its keyword holds none. */
export function subschemasOf(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const known = SUBSCHEMA_KEYWORDS.get(keyword);
    if (known === undefined) continue;
    const { form, subject } = known;
    if (form === "schema") found.push({ keyword, path: [keyword], schema: value, subject });
    else if (form === "list" && isList(value)) {
      value.forEach((item, index) => found.push({ keyword, path: [keyword, index], schema: item, subject }));
    } else if (form === "map" && isSchemaObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        found.push({ keyword, path: [keyword, name], schema: item, subject });
      }
    }
  }
  return found;
}

/** What to do about a keyword that is not taken; null for one that is. */
export function remedyOfKeyword(keyword: string, isRoot: boolean): string | null {
  if (EVERYWHERE.has(keyword) || (isRoot && AT_THE_ROOT.includes(keyword))) return null;
  return (Object.hasOwn(INSTEAD, keyword) ? INSTEAD[keyword] : undefined) ?? "mend its spelling, or take it out";
}

/** Whether a schema lets in every value there is. */
export function isAnything(schema: JsonValue): boolean {
  if (!isSchemaObject(schema)) return schema === true;
  return Object.keys(schema).every((keyword) => IS_ANNOTATION.has(keyword));
}

/** Whether a value is a schema with keywords. */
export function isSchemaObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
