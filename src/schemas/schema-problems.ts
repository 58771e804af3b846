import { canonicalize } from "../json/canonical.ts";
import { pointerOf } from "../json/pointer.ts";
import type { Problem } from "../errors/problem.ts";
import type { JsonPath } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { FORMATS } from "./formats.ts";
import { isSchemaObject, remedyOfKeyword } from "./keywords.ts";
import { linearPattern } from "./linear-pattern.ts";
import { costsOf, nestedCost } from "./nested-cost.ts";
import type { Node, SchemaTree } from "./schema-tree.ts";

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** A problem at a place in a schema. */
export function problemAt(path: JsonPath, problem: string, remedy: string): Problem {
  return { at: pointerOf(path), problem, remedy };
}

/**
 * What a schema has that is not taken: keywords, references, patterns, formats, and its size.
 * Shape: places are JSON pointers from the schema.
 */
export function schemaProblems(tree: SchemaTree): readonly Problem[] {
  return [
    ...sizeProblems(tree.root),
    ...tree.nodes.flatMap((node) => [
      ...keywordProblems(node),
      ...referenceProblems(tree, node),
      ...patternProblems(node),
      ...formProblems(tree, node),
    ]),
  ];
}

function sizeProblems({ schema, path }: Node): Problem[] {
  const bytes = Buffer.byteLength(canonicalize(schema));
  if (bytes <= LIMITS.schemaBytes) return [];
  return [
    problemAt(path, `it has ${bytes} bytes`, `keep it to ${LIMITS.schemaBytes}; say what repeats once in \`$defs\``),
  ];
}

function keywordProblems({ schema, path }: Node): Problem[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const remedy = remedyOfKeyword(keyword, path.length === 0);
    if (remedy !== null) return [problemAt([...path, keyword], `the keyword \`${keyword}\` is not taken here`, remedy)];
    if (keyword !== "$schema" || (typeof value === "string" && DIALECT.test(value))) return [];
    return [problemAt([...path, keyword], "it is in another dialect", "write it in JSON Schema 2020-12")];
  });
}

function referenceProblems(tree: SchemaTree, node: Node): Problem[] {
  return tree
    .edgesOf(node)
    .filter(({ keyword, schema }) => keyword === "$ref" && schema === null)
    .map(() => {
      const place = [...node.path, "$ref"];
      const reference = node.schema["$ref"];
      return typeof reference === "string" && reference.startsWith("#")
        ? problemAt(place, "it refers to no subschema", "refer to one by its JSON pointer, as `#/$defs/name`")
        : problemAt(place, "it refers to something outside", "put that schema into `$defs`, and refer to it there");
    });
}

function patternProblems({ schema, path }: Node): Problem[] {
  const problems: Problem[] = [];
  const { pattern, patternProperties, format } = schema;
  const look = (source: string, place: JsonPath): void => {
    const reason = whyNotLinear(source);
    if (reason === null) return;
    const remedy = "write it without look-around, back references and the like, or check it in `precondition`";
    problems.push(problemAt(place, `the pattern has no linear-time form (${reason})`, remedy));
  };
  if (typeof pattern === "string") look(pattern, [...path, "pattern"]);
  if (isSchemaObject(patternProperties)) {
    for (const source of Object.keys(patternProperties)) look(source, [...path, "patternProperties", source]);
  }
  if (typeof format === "string" && !FORMATS.includes(format)) {
    const remedy = `use a \`pattern\`, or one of ${FORMATS.join(", ")}`;
    problems.push(problemAt([...path, "format"], "no linear-time check of that format is known", remedy));
  }
  return problems;
}

function whyNotLinear(source: string): string | null {
  try {
    linearPattern(source, "u");
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n", 1).join("").slice(0, 120) : "it does not compile";
  }
}

/** What would be passed over in silence because it has not the form of its keyword. */
function formProblems(tree: SchemaTree, node: Node): Problem[] {
  return tree
    .edgesOf(node)
    .filter(({ schema }) => schema !== null && typeof schema !== "boolean" && !isSchemaObject(schema))
    .map(({ path }) => problemAt(path, "it is no schema", "give an object of keywords, or true or false"));
}

/**
 * A value is judged by every schema that applies to it. References can make them endlessly many, or as many as nobody
 * waits for: for one and the same value, or for one deep in it.
 */
export function costProblems(tree: SchemaTree): readonly Problem[] {
  const costOf = costsOf(tree);
  // The first is enough: whoever refers to it has the same fault.
  const dear = tree.nodes.find((node) => costOf(node) > LIMITS.schemasPerValue);
  if (dear !== undefined) {
    const cost = costOf(dear);
    const isCircle = cost === Number.POSITIVE_INFINITY;
    const problem = isCircle ? "it refers to itself for one and the same value" : `${cost} subschemas judge one value`;
    const remedy = isCircle ? "let it refer to itself for a member or an element only" : "refer to fewer subschemas";
    return [problemAt(dear.path, problem, remedy)];
  }
  const nested = nestedCost(tree, costOf, "until the first misfit");
  if (nested === null) return [];
  const { node, depth, judgements } = nested;
  const problem =
    `several of its subschemas describe one and the same part of a value, and again within it: ` +
    `${judgements} of them would judge one value ${depth} levels deep`;
  const remedy =
    "describe a part once, or give each alternative a required member with a `const` of its own, not within `allOf` or a " +
    "further choice";
  return [problemAt(node.path, problem, remedy)];
}
