import { canonicalize } from "../json/canonical.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { isList, isSchemaObject } from "./keywords.ts";
import { schemaTree, nodeOf, type Node } from "./schema-tree.ts";

/** What a value needs at least. */
export interface Size {
  /** Units: bytes of its canonical form. */
  readonly bytes: number;
  /** Containers that hold one another; a flat object has depth 1. */
  readonly depth: number;
}

const LEAST: Size = { bytes: 1, depth: 0 };

/** A lower bound of every value that fits a schema: none is smaller, and perhaps none is as small. */
export function smallestSize(schema: JsonObject): Size {
  const tree = schemaTree(schema);
  const open = new Set<JsonObject>();
  // References can lead to one schema in more ways than anybody waits for.
  const known = new Map<JsonObject, Size>();

  return sizeOf(tree.root);

  function sizeOf(node: Node): Size {
    const before = known.get(node.schema);
    if (before !== undefined) return before;
    // A member that needs itself has no end; what it needs at least is all that is asked.
    if (open.has(node.schema)) return LEAST;
    open.add(node.schema);
    const sizes = [ownSize(node)];
    const choices = new Map<string, Size[]>();
    for (const edge of tree.edgesOf(node)) {
      if (edge.keyword === "allOf" || edge.keyword === "$ref") sizes.push(sizeAt(nodeOf(edge)));
      if (edge.keyword === "anyOf" || edge.keyword === "oneOf") {
        choices.set(edge.keyword, [...(choices.get(edge.keyword) ?? []), sizeAt(nodeOf(edge))]);
      }
    }
    for (const choice of choices.values()) sizes.push(choice.reduce(smaller));
    open.delete(node.schema);
    const size = sizes.reduce(larger);
    known.set(node.schema, size);
    return size;
  }

  function sizeAt(node: Node | null): Size {
    return node === null ? LEAST : sizeOf(node);
  }

  function ownSize(node: Node): Size {
    const { const: only, enum: list, type } = node.schema;
    if (only !== undefined) return exactSize(only);
    if (isList(list) && list.length > 0) return list.map(exactSize).reduce(smaller);
    if (type === "object") return objectSize(node);
    if (type === "array") return arraySize(node);
    const { minLength } = node.schema;
    return type === "string" ? { bytes: 2 + (typeof minLength === "number" ? minLength : 0), depth: 0 } : LEAST;
  }

  function objectSize(node: Node): Size {
    const { required, properties } = node.schema;
    const named = isSchemaObject(properties) ? properties : {};
    const names = isList(required) ? new Set(required.filter((name) => typeof name === "string")) : new Set<string>();
    let [bytes, depth] = [2 + Math.max(0, names.size - 1), 0];
    for (const name of names) {
      const held = Object.hasOwn(named, name) ? named[name] : undefined;
      const size = isSchemaObject(held) ? sizeOf({ schema: held, path: [] }) : LEAST;
      bytes += Buffer.byteLength(canonicalize(name)) + 1 + size.bytes;
      depth = Math.max(depth, size.depth);
    }
    return { bytes, depth: depth + 1 };
  }

  function arraySize(node: Node): Size {
    const { minItems, items } = node.schema;
    const count = typeof minItems === "number" ? minItems : 0;
    const size = count > 0 && isSchemaObject(items) ? sizeOf({ schema: items, path: [] }) : LEAST;
    return { bytes: 2 + Math.max(0, count * (LEAST.bytes + 1) - 1), depth: (count > 0 ? size.depth : 0) + 1 };
  }
}

function exactSize(value: JsonValue): Size {
  return { bytes: Buffer.byteLength(canonicalize(value)), depth: depthOf(value) };
}

function depthOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value as JsonObject).map(depthOf));
}

function smaller(one: Size, other: Size): Size {
  return { bytes: Math.min(one.bytes, other.bytes), depth: Math.min(one.depth, other.depth) };
}

function larger(one: Size, other: Size): Size {
  return { bytes: Math.max(one.bytes, other.bytes), depth: Math.max(one.depth, other.depth) };
}
