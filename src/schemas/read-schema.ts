import { CallgateError } from "../errors/callgate-error.ts";
import type { Problem } from "../errors/problem.ts";
import { frozen } from "../json/frozen.ts";
import { parseKept } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { closeObjects } from "./closed.ts";
import { compileSchema, metaSchemaProblems, type SchemaCheck } from "./compile.ts";
import { isSchemaObject } from "./keywords.ts";
import { misfits } from "./misfits.ts";
import { costProblems, problemAt, schemaProblems } from "./schema-problems.ts";
import { schemaText } from "./schema-text.ts";
import { schemaTree, type SchemaTree } from "./schema-tree.ts";
import { readStandardSchema } from "./standard-schema.ts";

/** A schema that was found usable. */
export interface UsableSchema {
  /** JSON Schema 2020-12 with every object closed. */
  readonly schema: JsonObject;
  /** Whether a value fits it, and passes its library where it is one's. */
  readonly check: SchemaCheck;
  /** Why a value does not fit; empty where it does. For whoever has to mend it: `check` decides. */
  readonly explain: (value: JsonValue) => readonly Problem[];
}

/** A schema, or everything that is wrong with it. Shape: places are JSON pointers from the schema. */
export type SchemaReading =
  | { readonly usable: UsableSchema; readonly problems: readonly [] }
  | { readonly usable: null; readonly problems: readonly Problem[] };

const NO_SCHEMA: Problem = {
  at: "",
  problem: "it is no schema",
  remedy: "give JSON Schema 2020-12, or a Standard Schema",
};

const LIBRARY_REFUSES: Problem = {
  at: "",
  problem: "the `validate` of its library refuses it, changes it, or gives a promise",
  remedy: "ask the library what it says of the value; let it check only, at once",
};

/** Reads the schema of an object: JSON Schema 2020-12, or a schema of a library that gives it. Never throws. */
export function readSchema(given: unknown): SchemaReading {
  try {
    const standard = readStandardSchema(given);
    if (standard !== null && "problem" in standard) return refused([standard]);
    if (typeof given !== "object" && standard === null) return refused([NO_SCHEMA]);
    const text = schemaText(standard === null ? given : standard.jsonSchema);
    const reading = readText(text, standard !== null);
    if (standard === null || reading.usable === null) return reading;
    const { schema, check, explain } = reading.usable;
    const usable: UsableSchema = {
      schema,
      check: (value) => check(value) && standard.passes(value),
      explain: (value) => (check(value) && !standard.passes(value) ? [LIBRARY_REFUSES] : explain(value)),
    };
    return { usable, problems: [] };
  } catch (error) {
    const failure = error instanceof CallgateError ? error : null;
    const problem = failure?.message.replace(/ \(at [^)]*\)$/, "") ?? "it cannot be read";
    return refused([{ at: failure?.at ?? "", problem, remedy: failure?.remedy ?? "give plain data" }]);
  }
}

/**
 * Compiling takes longer than anything else at registration, and scenarios open a world a case: what was found out about
 * the last few texts is kept.
 */
const kept = new Map<string, SchemaReading>();
const KEPT_READINGS = 256;

function readText(text: string, isLibrarys: boolean): SchemaReading {
  const key = `${isLibrarys ? "library" : "plain"} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const written = parseKept(text);
  const reading = isSchemaObject(written) ? readWritten(written, isLibrarys) : refused([NO_SCHEMA]);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_READINGS && oldest !== undefined) kept.delete(oldest);
  kept.set(key, reading);
  return reading;
}

function readWritten(written: JsonObject, isLibrarys: boolean): SchemaReading {
  const tree = schemaTree(written);
  const costs = costProblems(tree);
  // What goes round in circles cannot be followed.
  const closed = costs.length > 0 ? null : closeObjects(tree);
  const problems = [
    ...schemaProblems(tree),
    ...costs,
    ...(closed?.problems ?? []),
    ...(isLibrarys ? defaultProblems(tree) : []),
  ];
  const places = new Set(problems.map(({ at }) => at));
  // Which dialect it says it is in has been looked at.
  const { $schema: _dialect, ...undeclared } = written;
  problems.push(...metaSchemaProblems(undeclared).filter(({ at }) => !places.has(at)));
  if (problems.length > 0 || closed === null) return refused(problems);
  // Two tools may be given one schema; neither may change the other's.
  const schema = frozen(closed.schema);
  const usable = { schema, check: compileSchema(schema), explain: (value: JsonValue) => misfits(schema, value) };
  return { usable, problems: [] };
}

/** In JSON Schema a default is a remark; a library fills it in. */
function defaultProblems(tree: SchemaTree): readonly Problem[] {
  const remedy = "leave the default out, and fill it in inside `execute`";
  return tree.nodes
    .filter(({ schema }) => Object.hasOwn(schema, "default"))
    .map(({ path }) => problemAt([...path, "default"], "its library changes values: it fills in a default", remedy));
}

function refused(problems: readonly Problem[]): SchemaReading {
  return { usable: null, problems };
}
