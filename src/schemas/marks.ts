import { canonicalize } from "../json/canonical.ts";
import type { JsonObject } from "../protocol/json.ts";
import { isList, isSchemaObject } from "./keywords.ts";
import { nodeOf, type Edge, type Node, type SchemaTree } from "./schema-tree.ts";

/** What of an object is judged before its other members. */
export interface EarlyMembers {
  /** Members that are compared with listed values. */
  readonly names: ReadonlySet<string>;
  /** Those that the object must have. Shape: by name, the canonical texts of the values. */
  readonly marks: ReadonlyMap<string, ReadonlySet<string>>;
}

const NONE: EarlyMembers = { names: new Set(), marks: new Map() };

/** Whether a schema lists the values that it lets in. */
export function isListed(schema: JsonObject): boolean {
  return Object.hasOwn(schema, "const") || Object.hasOwn(schema, "enum");
}

/**
 * The members of `properties`, those with listed values first. Ajv takes members in their order and stops at the first
 * that does not fit, so that an alternative which is not meant is left before anything deep in the value was looked at.
 */
export function listedFirst(properties: JsonObject): JsonObject {
  const members = Object.entries(properties);
  const isFirst = ([, schema]: (typeof members)[number]): boolean => isSchemaObject(schema) && isListed(schema);
  return Object.fromEntries([...members.filter(isFirst), ...members.filter((member) => !isFirst(member))]);
}

/** Finds the members that are judged before all else, once `properties` are in the order of `listedFirst`. */
export function earlyMembers(tree: SchemaTree, node: Node): EarlyMembers {
  const edges = tree.edgesOf(node);
  // What is referred to is asked before all else.
  const reference = edges.find(({ keyword }) => keyword === "$ref");
  const referred = reference === undefined ? null : nodeOf(reference);
  if (referred !== null) return earlyMembers(tree, referred);
  const { properties, required } = node.schema;
  if (edges.some(isAskedBefore) || !isSchemaObject(properties)) return NONE;
  const names = new Set<string>();
  const marks = new Map<string, ReadonlySet<string>>();
  for (const [name, member] of Object.entries(listedFirst(properties))) {
    // A name that is an index stands first whatever it holds.
    if (!isSchemaObject(member) || !isListed(member)) break;
    const { const: only, enum: list } = member;
    const values = only !== undefined ? [only] : isList(list) ? list : [];
    names.add(name);
    if (isList(required) && required.includes(name))
      marks.set(name, new Set(values.map((value) => canonicalize(value))));
  }
  return { names, marks };
}

/** What Ajv asks before it comes to `properties`, and what can lead deeper. Source: the order of its `RULES`. */
function isAskedBefore(edge: Edge): boolean {
  const { keyword, subject } = edge;
  if (keyword === "additionalProperties") return nodeOf(edge) !== null;
  return (subject === "itself" || subject === "question") && keyword !== "dependentSchemas";
}
