import { canonicalize } from "../json/canonical.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { isAnything, isList, isSchemaObject } from "./keywords.ts";
import { nodeOf, type Edge, type Node, type SchemaTree } from "./schema-tree.ts";

/** A type of JSON values; an integer is a number. */
export type ValueType = "object" | "array" | "string" | "number" | "boolean" | "null";

const TYPES: readonly ValueType[] = ["object", "array", "string", "number", "boolean", "null"];

/** A schema that judges a value, seen from the one that stands where the value stands. */
export interface Part extends Node {
  /** Whether it judges always, and not only in one of several ways. */
  readonly isCertain: boolean;
  /** The ways in which it judges: the keyword that has the alternatives, and which of them it is. */
  readonly ways: readonly { readonly of: string; readonly way: number | string }[];
  /** Whether a `$ref` led here. */
  readonly isReferred: boolean;
}

/** Answers about a schema that may be told more widely than they are, never more narrowly. */
export interface Admission {
  /** Whether values of a type can fit. */
  mayBe(schema: JsonValue, type: ValueType): boolean;
  /** Every schema that judges the same value, the one given first. */
  partsOf(node: Node): readonly Part[];
  /** Whether no object can have a member that the schema does not name or describe. */
  isClosed(node: Node): boolean;
  /** Whether every element of an array is described. */
  describesElements(node: Node): boolean;
  /** Whether no object in it, at whatever depth, needs to be closed. */
  isClosedThroughout(node: Node): boolean;
  /** Whether no value can fit both. */
  areDisjoint(left: Node, right: Node): boolean;
}

/** Looks at what the schemas of a tree let in. References must not go round in circles for one value. */
export function admissionOf(tree: SchemaTree): Admission {
  const admission: Admission = {
    mayBe: (schema, type) => mayBe(schema, type),
    partsOf: (node) => partsOf(node, { isCertain: true, ways: [], isReferred: false }),
    isClosed,
    describesElements,
    isClosedThroughout: (node) => isClosedThroughout(node, new Set()),
    areDisjoint,
  };
  return admission;

  function groups(node: Node): { readonly all: readonly Edge[]; readonly choices: readonly (readonly Edge[])[] } {
    const edges = tree.edgesOf(node);
    const of = (keyword: string): readonly Edge[] => edges.filter((edge) => edge.keyword === keyword);
    return {
      all: [...of("allOf"), ...of("$ref")],
      choices: [of("anyOf"), of("oneOf")].filter((choice) => choice.length > 0),
    };
  }

  function mayBe(schema: JsonValue | null, type: ValueType): boolean {
    // A reference to nowhere is told elsewhere; nothing follows from it.
    if (schema === null || !isSchemaObject(schema)) return schema === true;
    const types = ownTypes(schema);
    if (types !== null && !types.has(type)) return false;
    const { all, choices } = groups({ schema, path: [] });
    const admits = (edge: Edge): boolean => mayBe(edge.schema, type);
    return all.every(admits) && choices.every((choice) => choice.some(admits));
  }

  function partsOf(node: Node, from: Omit<Part, keyof Node>): readonly Part[] {
    const parts: Part[] = [{ ...node, ...from }];
    for (const edge of tree.edgesOf(node)) {
      const next = edge.subject === "itself" ? nodeOf(edge) : null;
      if (next === null) continue;
      const { keyword } = edge;
      const isChoice = keyword !== "allOf" && keyword !== "$ref";
      const way = keyword === "then" || keyword === "else" ? keyword : (edge.key ?? 0);
      // `then` and `else` exclude one another; members that bring a schema with them do not.
      const group = keyword === "then" || keyword === "else" ? "if" : keyword;
      const place = `${JSON.stringify(node.path)} ${group}`;
      const ways = isChoice && keyword !== "dependentSchemas" ? [...from.ways, { of: place, way }] : from.ways;
      parts.push(
        ...partsOf(next, {
          isCertain: from.isCertain && !isChoice,
          ways,
          isReferred: from.isReferred || keyword === "$ref",
        }),
      );
    }
    return parts;
  }

  /** Whether what holds of a schema by itself holds of a value that it judges, whichever way it does. */
  function holds(node: Node, type: ValueType, byItself: (schema: JsonObject) => boolean): boolean {
    if (!mayBe(node.schema, type)) return true;
    if (Object.hasOwn(node.schema, "const") || Object.hasOwn(node.schema, "enum") || byItself(node.schema)) return true;
    const { all, choices } = groups(node);
    const follows = (edge: Edge): boolean => {
      const next = nodeOf(edge);
      return next === null ? edge.schema === false : holds(next, type, byItself);
    };
    return all.some(follows) || choices.some((choice) => choice.every(follows));
  }

  function isClosed(node: Node): boolean {
    return holds(node, "object", ({ additionalProperties, unevaluatedProperties }) =>
      [additionalProperties, unevaluatedProperties].some((rest) => rest !== undefined && !isAnything(rest)),
    );
  }

  function describesElements(node: Node): boolean {
    return holds(
      node,
      "array",
      ({ items, unevaluatedItems, contains, maxItems }) =>
        maxItems === 0 ||
        (items !== undefined && !isAnything(items)) ||
        // What `contains` has looked at counts as described, and is not.
        (unevaluatedItems !== undefined && !isAnything(unevaluatedItems) && contains === undefined),
    );
  }

  function isClosedThroughout(node: Node, seen: Set<JsonObject>): boolean {
    if (seen.has(node.schema)) return true;
    seen.add(node.schema);
    if (!isClosed(node) || !describesElements(node)) return false;
    return admission.partsOf(node).every((part) =>
      tree.edgesOf(part).every((edge) => {
        const next = edge.subject === "part" ? nodeOf(edge) : null;
        return next === null || isClosedThroughout(next, seen);
      }),
    );
  }

  function areDisjoint(left: Node, right: Node): boolean {
    if (!TYPES.some((type) => mayBe(left.schema, type) && mayBe(right.schema, type))) return true;
    if (TYPES.some((type) => type !== "object" && mayBe(left.schema, type) && mayBe(right.schema, type))) return false;
    const marks = marksOf(right);
    return [...marksOf(left)].some(([name, values]) => marks.get(name)?.isDisjointFrom(values) === true);
  }

  /** Members that an object must have, and whose few values are known. */
  function marksOf(node: Node): ReadonlyMap<string, ReadonlySet<string>> {
    const certain = admission.partsOf(node).filter((part) => part.isCertain);
    const required = new Set(certain.flatMap(({ schema }) => (isList(schema["required"]) ? schema["required"] : [])));
    const marks = new Map<string, ReadonlySet<string>>();
    for (const edge of certain.flatMap((part) => tree.edgesOf(part))) {
      const { keyword, key, schema } = edge;
      if (keyword !== "properties" || !required.has(key) || schema === null || !isSchemaObject(schema)) continue;
      const { const: only, enum: list } = schema;
      const values = only !== undefined ? [only] : isList(list) ? list : null;
      if (values !== null) marks.set(String(key), new Set(values.map((value) => canonicalize(value))));
    }
    return marks;
  }
}

/** The types that a schema's own `type`, `const` and `enum` let in; null where they say nothing of it. */
function ownTypes(schema: JsonObject): ReadonlySet<string> | null {
  const { type, enum: list, const: only } = schema;
  const allowed: ReadonlySet<string>[] = [];
  if (typeof type === "string") allowed.push(new Set([normalType(type)]));
  if (isList(type)) allowed.push(new Set(type.map((name) => (typeof name === "string" ? normalType(name) : ""))));
  if (only !== undefined) allowed.push(new Set([typeOf(only)]));
  if (isList(list)) allowed.push(new Set(list.map(typeOf)));
  return allowed.length === 0 ? null : allowed.reduce((types, more) => types.intersection(more));
}

function normalType(name: string): string {
  return name === "integer" ? "number" : name;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
