import { pointerOf } from "../json/pointer.ts";
import type { Problem } from "../errors/problem.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { admissionOf, type Part } from "./admission.ts";
import { isAnything, isSchemaObject } from "./keywords.ts";
import { isListed, listedFirst } from "./marks.ts";
import { requirementProblems, requirementsOf } from "./required-members.ts";
import { problemAt } from "./schema-problems.ts";
import { nodeOf, type Edge, type Node, type SchemaTree } from "./schema-tree.ts";
import { patternTest } from "./value-parts.ts";

/** A schema in which no object has a member beyond those that it names, at any depth; or why that cannot be had. */
export interface Closed {
  readonly schema: JsonObject;
  readonly problems: readonly Problem[];
}

const REST = ["additionalProperties", "unevaluatedProperties"] as const;
const DESCRIBE_ONCE = "describe it in one place, or let each place close its objects by `additionalProperties: false`";

/**
 * Closes every object of a schema that its author left open. It is done only where it refuses nothing but members that
 * are named nowhere, and lets in nothing that was refused before; elsewhere it is a problem.
 */
export function closeObjects(tree: SchemaTree): Closed {
  const admission = admissionOf(tree);
  const toClose = new Set<JsonObject>();
  const seen = new Set<JsonObject>();
  const problems: Problem[] = [];
  /** Schemas that a reference lends to a value about which more is said. */
  const lent: { readonly to: Node; readonly target: JsonObject }[] = [];

  const { schema } = tree.root;
  if (schema["type"] !== "object") {
    problems.push(problemAt(["type"], "it is not the schema of an object", 'let `type` be "object"'));
  }
  for (const keyword of REST) {
    const rest = schema[keyword];
    if (rest === undefined || rest === false || isAnything(rest)) continue;
    problems.push(problemAt([keyword], "it describes members without naming them", "name each in `properties`"));
  }
  // What is said of members makes no sense of anything else.
  if (problems.length === 0) visit(tree.root);
  for (const { to, target } of lent) {
    if (!toClose.has(target)) continue;
    const remedy = "put what is referred to into `$defs`, or close it by `additionalProperties: false`";
    problems.push(problemAt(to.path, "it names more members than the part of the schema that it refers to", remedy));
  }
  for (const asked of askedOf(tree)) {
    if (!toClose.has(asked.schema)) continue;
    const remedy = "put what both need into `$defs`, or close it by `additionalProperties: false`";
    problems.push(problemAt(asked.path, "a condition asks by this part of the schema, which is still open", remedy));
  }
  return { schema: problems.length === 0 ? withClosed(schema, toClose) : schema, problems };

  /** Looks at a schema that stands where a value stands. */
  function visit(node: Node): void {
    if (seen.has(node.schema)) return;
    seen.add(node.schema);
    const isObject = admission.mayBe(node.schema, "object");
    const isArray = admission.mayBe(node.schema, "array");
    if (!isObject && !isArray) return;
    const parts = admission.partsOf(node);
    if (parts.some(({ isCertain, schema: part }) => isCertain && isListed(part))) return;
    if (isAnything(node.schema)) {
      problems.push(problemAt(node.path, "it lets in any value", "say what it may be: give it a `type`"));
      return;
    }
    if (isObject) close(node, parts);
    if (isArray && !admission.describesElements(node)) {
      problems.push(problemAt(node.path, "it says nothing of some elements of an array", "describe them by `items`"));
    }
    lookAtChoices(parts);
    lookAtMembers(parts);
    for (const part of parts) {
      for (const edge of tree.edgesOf(part)) if (edge.subject === "part") visitPart(edge);
    }
  }

  function visitPart(edge: Edge): void {
    const next = nodeOf(edge);
    const isRest = isOfRest(edge);
    if (next !== null && !(isRest && isAnything(next.schema))) visit(next);
    else if (edge.schema === true && !isRest) {
      problems.push(problemAt(edge.path, "it lets in any value", "say what it may be: give it a `type`"));
    }
  }

  function close(node: Node, parts: readonly Part[]): void {
    const open = parts.flatMap((part) =>
      REST.filter((keyword) => part.schema[keyword] !== undefined && isAnything(part.schema[keyword] ?? false)).map(
        (keyword) => [...part.path, keyword],
      ),
    );
    for (const place of open) {
      const remedy = "let it be false and name each member, or describe the values of a map";
      problems.push(problemAt(place, "it lets in members that nothing describes", remedy));
    }
    if (open.length === 0 && !admission.isClosed(node)) toClose.add(node.schema);
    for (const found of requirementProblems(admission, parts)) {
      // Two values may be judged by the schema that asks.
      if (!problems.some(({ at, problem }) => at === found.at && problem === found.problem)) problems.push(found);
    }
    for (const part of parts.filter(({ isReferred }) => isReferred)) {
      const own = new Set(admission.partsOf(part).map((ownPart) => ownPart.schema));
      const saysMore = parts.some((other) => !own.has(other.schema) && namesOf(other).length > 0);
      if (saysMore) lent.push({ to: node, target: part.schema });
    }
  }

  /** Closing an object within an alternative must not turn two that fit into exactly one. */
  function lookAtChoices(parts: readonly Part[]): void {
    for (const part of parts) {
      const choice = tree.edgesOf(part).flatMap((edge) => (edge.keyword === "oneOf" ? (nodeOf(edge) ?? []) : []));
      const isFree = choice.every((one, index) =>
        choice.slice(index + 1).every((other) => admission.areDisjoint(one, other)),
      );
      if (isFree || choice.every((one) => partsAreClosed(one))) continue;
      const remedy = "use `anyOf`, or give the alternatives a required member with a `const` of its own";
      problems.push(problemAt([...part.path, "oneOf"], "its alternatives cannot be told apart once closed", remedy));
    }
  }

  function partsAreClosed(node: Node): boolean {
    return admission
      .partsOf(node)
      .flatMap((part) => tree.edgesOf(part))
      .every((edge) => {
        const next = edge.subject === "part" ? nodeOf(edge) : null;
        return next === null || admission.isClosedThroughout(next);
      });
  }

  /** One member of an object, described twice, would have to keep to both descriptions, each closed without the other. */
  function lookAtMembers(parts: readonly Part[]): void {
    const descriptions: readonly Description[] = parts.flatMap((part) =>
      tree.edgesOf(part).flatMap((edge) => (edge.subject === "part" ? [{ part, edge, node: nodeOf(edge) }] : [])),
    );
    const named = new Set(descriptions.flatMap(({ edge }) => (edge.keyword === "properties" ? [edge.key] : [])));
    const isMap = descriptions.some(({ edge }) => edge.keyword !== "properties" && edge.schema !== false);
    for (const part of parts) {
      const question = part.schema["if"];
      if (question === undefined || !isSchemaObject(question)) continue;
      const asked = admission.partsOf({ schema: question, path: [...part.path, "if"] });
      for (const asking of asked) {
        const names = [...namesOf(asking), ...requirementsOf(asking).map(({ name }) => name)];
        const strays = names.filter((name) => !named.has(name) && !isMap);
        if (strays.length === 0 && REST.every((keyword) => asking.schema[keyword] === undefined)) continue;
        problems.push(
          problemAt(asking.path, "it asks about members that nothing describes", "describe them beside the `if`"),
        );
      }
    }
    const doubled = new Set<string>();
    descriptions.forEach((one, index) => {
      for (const other of descriptions.slice(index + 1)) {
        if (one.node === null || other.node === null || one.node.schema === other.node.schema) continue;
        if (!meet(one, other) || areAlternatives(one.part, other.part)) continue;
        const bothMayHold = (["object", "array"] as const).some((type) =>
          [one, other].every(({ node }) => node !== null && admission.mayBe(node.schema, type)),
        );
        if (!bothMayHold || [one.node, other.node].every((node) => admission.isClosedThroughout(node))) continue;
        doubled.add(pointerOf(other.edge.path));
      }
    });
    for (const at of doubled)
      problems.push({ at, problem: "it describes what is described elsewhere", remedy: DESCRIBE_ONCE });
  }
}

/** What describes a member or an element: the schema that holds the description, and the description. */
interface Description {
  readonly part: Part;
  readonly edge: Edge;
  readonly node: Node | null;
}

/** Whether two descriptions can be about one and the same member or element. */
function meet(one: Description, other: Description): boolean {
  const [left, right] = [one.edge, other.edge];
  if (isOfMembers(left) !== isOfMembers(right)) return false;
  if (left.keyword === right.keyword && ["properties", "prefixItems"].includes(left.keyword)) {
    return left.key === right.key;
  }
  if (one.part.schema !== other.part.schema) return true;
  // In one schema only names and patterns can be about the same; all else is about the rest.
  if ([left, right].some((edge) => isOfRest(edge) || !isOfMembers(edge))) return false;
  const [name, pattern] = left.keyword === "properties" ? [left.key, right.key] : [right.key, left.key];
  if (left.keyword === right.keyword) return true;
  return patternTest(String(pattern))(String(name));
}

function isOfMembers({ keyword }: Edge): boolean {
  return keyword === "properties" || keyword === "patternProperties" || isRestOfMembers(keyword);
}

function isOfRest({ keyword }: Edge): boolean {
  return isRestOfMembers(keyword) || keyword === "unevaluatedItems";
}

function isRestOfMembers(keyword: string): boolean {
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

/** Every schema that is part of a condition, references followed: closed, it would give another answer. */
function askedOf(tree: SchemaTree): readonly Node[] {
  const found = new Map<JsonObject, Node>();
  const collect = (node: Node): void => {
    if (found.has(node.schema)) return;
    found.set(node.schema, node);
    for (const edge of tree.edgesOf(node)) {
      const next = edge.subject === "definition" ? null : nodeOf(edge);
      if (next !== null) collect(next);
    }
  };
  for (const node of tree.nodes) {
    for (const edge of tree.edgesOf(node)) {
      const next = edge.subject.startsWith("question") ? nodeOf(edge) : null;
      if (next !== null) collect(next);
    }
  }
  return [...found.values()];
}

function areAlternatives(one: Part, other: Part): boolean {
  return one.ways.some(({ of, way }) => other.ways.some((also) => also.of === of && also.way !== way));
}

function namesOf({ schema }: Node): readonly string[] {
  return ["properties", "patternProperties"].flatMap((keyword) => {
    const named = schema[keyword];
    return isSchemaObject(named) ? Object.keys(named) : [];
  });
}

function withClosed(schema: JsonObject, toClose: ReadonlySet<JsonObject>): JsonObject {
  const copy: Record<string, JsonValue> = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, valueWithClosed(value, toClose)]),
  );
  // The order says nothing of which values fit, only of how soon it is known which do not.
  if (isSchemaObject(copy["properties"])) copy["properties"] = listedFirst(copy["properties"]);
  if (!toClose.has(schema)) return copy;
  const isAlone = !["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "$ref"].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
  return { ...copy, [isAlone ? "additionalProperties" : "unevaluatedProperties"]: false };
}

function valueWithClosed(value: JsonValue, toClose: ReadonlySet<JsonObject>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => valueWithClosed(item, toClose));
  return isSchemaObject(value) ? withClosed(value, toClose) : value;
}
