import { pointerOf, tokensOf } from "../json/pointer.ts";
import type { JsonObject, JsonPath, JsonValue } from "../protocol/json.ts";
import { isSchemaObject, subschemasOf, type Subject } from "./keywords.ts";

/** A schema with keywords, and where it stands. */
export interface Node {
  readonly path: JsonPath;
  readonly schema: JsonObject;
}

/** A schema that judges the same value as another one, or a part of that value. */
export interface Edge {
  /** Null at the end of a reference that leads nowhere. */
  readonly schema: JsonValue | null;
  readonly path: JsonPath;
  readonly keyword: string;
  /** The member or index by which the keyword holds it; null where it holds one only. */
  readonly key: string | number | null;
  readonly subject: Subject;
}

/** A schema as a whole: every subschema by its place, and what each holds or refers to. */
export interface SchemaTree {
  readonly root: Node;
  /** Every schema with keywords, the root first. */
  readonly nodes: readonly Node[];
  /** What a node holds, and what it refers to. */
  edgesOf(node: Node): readonly Edge[];
}

/** Reads a schema as a tree. Total: what is malformed in it has no edges. */
export function schemaTree(schema: JsonObject): SchemaTree {
  const root: Node = { path: [], schema };
  const nodes: Node[] = [];
  const places = new Map<string, JsonValue>();
  const held = new Map<JsonObject, readonly Edge[]>();
  const visit = (node: Node): void => {
    nodes.push(node);
    const edges: Edge[] = [];
    held.set(node.schema, edges);
    for (const { keyword, path, schema: subschema, subject } of subschemasOf(node.schema)) {
      const place = [...node.path, ...path];
      places.set(pointerOf(place), subschema);
      edges.push({ schema: subschema, path: place, keyword, key: path[1] ?? null, subject });
      if (isSchemaObject(subschema)) visit({ path: place, schema: subschema });
    }
  };
  places.set("", schema);
  visit(root);

  const withReferences = new Map<JsonObject, readonly Edge[]>();
  return {
    root,
    nodes,
    edgesOf: ({ schema: of }) => {
      const known = withReferences.get(of);
      if (known !== undefined) return known;
      const edges = [...(held.get(of) ?? [])];
      const reference = of["$ref"];
      if (typeof reference === "string") {
        const path = pathOfReference(reference);
        const target = path === null ? undefined : places.get(pointerOf(path));
        edges.push({ schema: target ?? null, path: path ?? [], keyword: "$ref", key: null, subject: "itself" });
      }
      withReferences.set(of, edges);
      return edges;
    },
  };
}

/** The node at the end of an edge; null where there is a mere yes or no, or nothing. */
export function nodeOf({ schema, path }: Edge): Node | null {
  return schema !== null && isSchemaObject(schema) ? { schema, path } : null;
}

function pathOfReference(reference: string): readonly string[] | null {
  if (!reference.startsWith("#")) return null;
  try {
    return tokensOf(decodeURIComponent(reference.slice(1)));
  } catch {
    return null;
  }
}
