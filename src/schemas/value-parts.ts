import { linearPattern } from "./linear-pattern.ts";
import { nodeOf, type Edge, type Node } from "./schema-tree.ts";

/** A part of a value: a member or an element that a schema tells from the others, any other one, or the members' names. */
export type ValuePart =
  | { readonly of: "member"; readonly name: string | null }
  | { readonly of: "element"; readonly index: number | null }
  | { readonly of: "names" };

/** What one schema, by itself, says of the parts of a value. */
export interface DescribedParts {
  /** The parts that it tells from others. */
  readonly parts: readonly ValuePart[];
  /**
   * The most that the schemas add up to by which it judges a part. A member that it does not tell from others is taken to
   * fit all of its patterns, or none.
   */
  mostAbout(part: ValuePart, countOf: (next: Node) => number): number;
}

/** Reads from the edges of a schema what it says of parts. */
export function describedParts(edges: readonly Edge[]): DescribedParts {
  const held = (...keywords: readonly string[]): readonly Edge[] =>
    edges.filter(({ keyword }) => keywords.includes(keyword));
  const named = new Map(held("properties").map((edge) => [String(edge.key), nodeOf(edge)]));
  const byPattern = held("patternProperties").map((edge) => ({
    fits: patternTest(String(edge.key)),
    node: nodeOf(edge),
  }));
  const otherMembers = held("additionalProperties", "unevaluatedProperties").map(nodeOf);
  const first = held("prefixItems").map(nodeOf);
  const otherElements = held("items", "unevaluatedItems").map(nodeOf);
  const anyElement = held("contains").map(nodeOf);
  const names = held("propertyNames").map(nodeOf);

  const parts: ValuePart[] = Array.from(named.keys(), (name) => ({ of: "member", name }));
  if (byPattern.length + otherMembers.length > 0) parts.push({ of: "member", name: null });
  first.forEach((_node, index) => parts.push({ of: "element", index }));
  if (otherElements.length + anyElement.length > 0) parts.push({ of: "element", index: null });
  if (names.length > 0) parts.push({ of: "names" });

  return {
    parts,
    mostAbout: (part, countOf) => {
      const sum = (nodes: readonly (Node | null)[]): number =>
        nodes.reduce((total, node) => (node === null ? total : total + countOf(node)), 0);
      if (part.of === "names") return sum(names);
      if (part.of === "element") {
        const own = part.index === null ? undefined : first[part.index];
        return sum(own === undefined ? otherElements : [own]) + sum(anyElement);
      }
      const { name } = part;
      if (name === null) return Math.max(sum(byPattern.map(({ node }) => node)), sum(otherMembers));
      const own = named.get(name);
      const fitting = byPattern.filter(({ fits }) => fits(name)).map(({ node }) => node);
      if (own === undefined) return sum(fitting.length > 0 ? fitting : otherMembers);
      return sum([own, ...fitting]);
    },
  };
}

/** Whether names fit a pattern. One that is none, which is told elsewhere, is taken to fit all. */
export function patternTest(pattern: string): (name: string) => boolean {
  try {
    const compiled = linearPattern(pattern, "u");
    return (name) => compiled.test(name);
  } catch {
    return () => true;
  }
}
