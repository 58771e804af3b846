import type { JsonObject, JsonPath } from "../protocol/json.ts";
import { nodeOf, schemaTree, type Node } from "./schema-tree.ts";

/** A member that a schema names, and where it does. */
export interface NamedMember {
  readonly name: string;
  readonly path: JsonPath;
}

/** Every member that a schema names for an object, at any depth. */
export function namedMembers(schema: JsonObject): readonly NamedMember[] {
  const tree = schemaTree(schema);
  return tree.nodes.flatMap((node) =>
    tree
      .edgesOf(node)
      .flatMap(({ keyword, key, path }) => (keyword === "properties" ? [{ name: String(key), path }] : [])),
  );
}

/** The names that a schema gives to members of the value itself, in whatever way it comes by them. */
export function ownMemberNames(schema: JsonObject): ReadonlySet<string> {
  const tree = schemaTree(schema);
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  const collect = (node: Node): void => {
    if (seen.has(node.schema)) return;
    seen.add(node.schema);
    for (const edge of tree.edgesOf(node)) {
      if (edge.keyword === "properties") names.add(String(edge.key));
      const next = edge.subject === "itself" ? nodeOf(edge) : null;
      if (next !== null) collect(next);
    }
  };
  collect(tree.root);
  return names;
}
