import type { JsonObject } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { earlyMembers } from "./marks.ts";
import { nodeOf, type Edge, type Node, type SchemaTree } from "./schema-tree.ts";
import { describedParts, type ValuePart } from "./value-parts.ts";

/** Where the judgements of one value come to be too many. */
export interface NestedCost {
  /** Several ways part here that come together again at one part of the value. */
  readonly node: Node;
  /** How deep the value that is judged stands below the root. */
  readonly depth: number;
  /** How many subschemas judge it. */
  readonly judgements: number;
}

/** Whether judging ends at the first thing that does not fit, or looks for all of them and so is told nothing apart. */
export type Manner = "until the first misfit" | "for all misfits";

/** How many subschemas judge a value that a node judges, references followed; infinitely many where they go in a circle. */
export type CostOf = (node: Node) => number;

/** Keywords of which each holds a choice, and what the choice is called: `then` and `else` are one. */
const CHOICES: ReadonlyMap<string, string> = new Map([
  ["anyOf", "anyOf"],
  ["oneOf", "oneOf"],
  ["then", "if"],
  ["else", "if"],
]);

/**
 * Finds the least depth at which more than `LIMITS.schemasPerValue` subschemas could judge one value; null where there is
 * none, so that judging takes time linear in the size of the value. A schema judges a value once for each way that leads to
 * it: two alternatives that describe one member, and refer back for it, double the ways at each level, a thousand million
 * of them at the deepest that JSON may nest. Alternatives that an early mark tells apart are not both gone into. The count
 * is never too low; it is too high where patterns overlap by their look only, or the rest is described beside alternatives.
 * References must not go round in circles for one value.
 */
export function nestedCost(tree: SchemaTree, costOf: CostOf, manner: Manner): NestedCost | null {
  // Without references there are no more ways than subschemas, and their text is bounded.
  if (!tree.nodes.some(({ schema }) => Object.hasOwn(schema, "$ref"))) return null;
  const isToldApart = manner === "until the first misfit";
  const describedBy = remembered((node) => describedParts(tree.edgesOf(node)));
  const partsOf = remembered((node) =>
    partsToldApart(judging(tree, node).flatMap((other) => describedBy(other).parts)),
  );
  const earlyOf = remembered((node) => earlyMembers(tree, node));
  const apart = judgingApart();
  const counts = new Map<JsonObject, number[]>();
  for (let depth = 1; depth <= LIMITS.hashedDepth; depth += 1) {
    const judgements = most(tree.root, depth);
    if (judgements > LIMITS.schemasPerValue) return { node: crossing(tree.root, depth), depth, judgements };
    // Each depth follows from the one before: where nothing has changed, nothing will.
    if (apart.every((node) => most(node, depth) === most(node, depth - 1))) return null;
  }
  return null;

  /** The root, and every schema that judges a part of a value on its own. */
  function judgingApart(): readonly Node[] {
    const found = new Map([[tree.root.schema, tree.root]]);
    for (const node of found.values()) {
      for (const next of targetsOf(node, partsOf(node))) {
        if (!found.has(next.schema)) found.set(next.schema, next);
      }
    }
    return [...found.values()];
  }

  function targetsOf(node: Node, parts: readonly ValuePart[]): readonly Node[] {
    const targets: Node[] = [];
    for (const described of judging(tree, node).map(describedBy)) {
      for (const part of parts) described.mostAbout(part, (next) => targets.push(next));
    }
    return targets;
  }

  /** The most subschemas by which one value is judged, so many levels below a value that the node judges. */
  function most(node: Node, levels: number): number {
    if (levels === 0) return costOf(node);
    const [only, ...others] = tree.edgesOf(node);
    const referred = only?.keyword === "$ref" && others.length === 0 ? nodeOf(only) : null;
    // Whoever only refers says of parts what is referred to, and many may refer to the same.
    if (referred !== null) return most(referred, levels);
    const known = counts.get(node.schema) ?? [];
    counts.set(node.schema, known);
    return (known[levels] ??= Math.max(0, ...partsOf(node).map((part) => mostAlong(node, part, levels))));
  }

  function mostAlong(node: Node, part: ValuePart, levels: number): number {
    let sum = describedBy(node).mostAbout(part, (next) => most(next, levels - 1));
    const choices = new Map<string, Alternative[]>();
    for (const edge of tree.edgesOf(node)) {
      const next = judgesItself(edge) ? nodeOf(edge) : null;
      if (next === null) continue;
      const count = mostAlong(next, part, levels);
      const choice = CHOICES.get(edge.keyword);
      if (choice === undefined) sum += count;
      else if (count > 0) choices.set(choice, [...(choices.get(choice) ?? []), { count, node: next }]);
    }
    for (const [choice, alternatives] of choices) {
      if (choice === "if") sum += Math.max(...alternatives.map(({ count }) => count));
      // Only an object has members to be told apart by.
      else if (!isToldApart || part.of !== "member") sum += total(alternatives);
      else sum += mostToldApart(alternatives, part.name);
    }
    return sum;
  }

  /** What alternatives add up to for a member, but those that another member tells from one another before it is judged. */
  function mostToldApart(alternatives: readonly Alternative[], name: string | null): number {
    const all = total(alternatives);
    if (alternatives.length < 2) return all;
    const early = alternatives.map((alternative) => ({ ...alternative, ...earlyOf(alternative.node) }));
    const isJudgedAnyway = (names: ReadonlySet<string>): boolean => name !== null && names.has(name);
    const sums = Array.from(new Set(early.flatMap(({ marks }) => [...marks.keys()])), (mark) => {
      const byValue = new Map<string, number>();
      let sum = 0;
      for (const { marks, names, count } of early) {
        const listed = isJudgedAnyway(names) ? undefined : marks.get(mark);
        if (listed === undefined) sum += count;
        for (const value of listed ?? []) byValue.set(value, (byValue.get(value) ?? 0) + count);
      }
      return sum + Math.max(0, ...byValue.values());
    });
    return Math.min(all, ...sums);
  }

  /** The first node on the way to the value that is judged most of which no single part is judged as often by itself. */
  function crossing(node: Node, levels: number): Node {
    const judgements = most(node, levels);
    const part = partsOf(node).find((one) => mostAlong(node, one, levels) === judgements);
    if (part === undefined) return node;
    const target = targetsOf(node, [part]).find((next) => most(next, levels - 1) === judgements);
    if (target !== undefined && levels > 1) return crossing(target, levels - 1);
    return judging(tree, node).findLast((other) => mostAlong(other, part, levels) === judgements) ?? node;
  }
}

/** Counts what judges one and the same value. */
export function costsOf(tree: SchemaTree): CostOf {
  const costs = new Map<JsonObject, number>();
  const costOf: CostOf = (node) => {
    const known = costs.get(node.schema);
    if (known !== undefined) return known;
    // Stands there while the node is being looked at: who meets it then has gone round in a circle.
    costs.set(node.schema, Number.POSITIVE_INFINITY);
    let cost = 1;
    for (const edge of tree.edgesOf(node)) {
      const next = judgesItself(edge) ? nodeOf(edge) : null;
      if (next !== null) cost += costOf(next);
    }
    costs.set(node.schema, cost);
    return cost;
  };
  return costOf;
}

interface Alternative {
  readonly node: Node;
  readonly count: number;
}

function total(alternatives: readonly Alternative[]): number {
  return alternatives.reduce((sum, { count }) => sum + count, 0);
}

function partsToldApart(parts: readonly ValuePart[]): readonly ValuePart[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

/** Every schema that judges the same value, the node itself first. */
function judging(tree: SchemaTree, node: Node): readonly Node[] {
  const found = new Map([[node.schema, node]]);
  // What is found is gone through as well.
  for (const one of found.values()) {
    for (const edge of tree.edgesOf(one)) {
      const next = judgesItself(edge) ? nodeOf(edge) : null;
      if (next !== null && !found.has(next.schema)) found.set(next.schema, next);
    }
  }
  return [...found.values()];
}

/** Whether a schema judges the same value as the one that holds it. */
function judgesItself({ subject }: Edge): boolean {
  return subject === "itself" || subject === "question";
}

function remembered<Result>(work: (node: Node) => Result): (node: Node) => Result {
  const results = new Map<JsonObject, Result>();
  return (node) => {
    const known = results.get(node.schema);
    if (known !== undefined) return known;
    const result = work(node);
    results.set(node.schema, result);
    return result;
  };
}
