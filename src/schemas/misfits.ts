import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Problem } from "../errors/problem.ts";
import type { JsonObject } from "../protocol/json.ts";
import { AJV_OPTIONS, lookUpOwnMembers } from "./compile.ts";
import { addLinearFormats } from "./formats.ts";
import { linearPattern } from "./linear-pattern.ts";
import { costsOf, nestedCost } from "./nested-cost.ts";
import { schemaTree } from "./schema-tree.ts";

const MOST_TOLD = 20;
const REMEDY = "give what the schema asks for there";

/** Kept as long as the schema is: compiling takes a hundred times as long as asking. */
const explainers = new WeakMap<JsonObject, ValidateFunction>();

/**
 * Why a value does not fit a schema that was found usable; empty where it does. Slower than its check, which decides: this
 * is for whoever has to mend it. Never throws.
 * Shape: at most 20, and of a schema that would be gone through too often for more, the first; places are JSON pointers into
 * the value. Names of members are told, values never.
 */
export function misfits(schema: JsonObject, value: unknown): readonly Problem[] {
  try {
    const explain = explainerOf(schema);
    if (explain(value)) return [];
    // Taken at once: Ajv writes the next errors into the same list.
    return (explain.errors ?? []).slice(0, MOST_TOLD).map(problemOf);
  } catch {
    return [{ at: "", problem: "it nests too deep to be looked at", remedy: "give less" }];
  }
}

function explainerOf(schema: JsonObject): ValidateFunction {
  const known = explainers.get(schema);
  if (known !== undefined) return known;
  const tree = schemaTree(schema);
  const ajv = new Ajv2020({
    ...AJV_OPTIONS,
    allErrors: nestedCost(tree, costsOf(tree), "for all misfits") === null,
    validateSchema: false,
    code: { regExp: linearPattern, process: lookUpOwnMembers },
  });
  addLinearFormats(ajv);
  const explain = ajv.compile(schema);
  explainers.set(schema, explain);
  return explain;
}

function problemOf({ instancePath, keyword, params, message = "does not fit" }: ErrorObject): Problem {
  const { additionalProperty, unevaluatedProperty, allowedValues } = params as Readonly<Record<string, unknown>>;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === "string") {
    const problem = `there is no member \`${extra.slice(0, 80)}\``;
    return { at: instancePath, problem, remedy: "leave it out, or name it in the schema" };
  }
  const among = keyword === "enum" && Array.isArray(allowedValues) ? `: ${JSON.stringify(allowedValues)}` : "";
  return { at: instancePath, problem: `it ${message}${among.slice(0, 200)}`, remedy: REMEDY };
}
