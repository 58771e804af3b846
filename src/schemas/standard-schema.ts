import type { Problem } from "../errors/problem.ts";
import { canonicalize, copyJson } from "../json/canonical.ts";
import { parseKept, setMember } from "../json/parse.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { SchemaCheck } from "./compile.ts";
import { schemaText } from "./schema-text.ts";

/** A schema of any library that gives its JSON Schema. Source: https://standardschema.dev/json-schema */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** The library's own say. */
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: {
      /** What values look like before the library changed them. */
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      /** What values look like after that. */
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

/** What a library's schema gives: its JSON Schema, and its own say. */
export interface StandardReading {
  readonly jsonSchema: unknown;
  /** Whether its own `validate` lets a value pass as it is. */
  readonly passes: SchemaCheck;
}

const TARGET = { target: "draft-2020-12" } as const;

/** Reads a library's schema: null for what is none, else what it gives, or what is wrong with it. */
export function readStandardSchema(given: unknown): StandardReading | Problem | null {
  if ((typeof given !== "object" && typeof given !== "function") || given === null) return null;
  const standard: unknown = (given as Readonly<Record<string, unknown>>)["~standard"];
  if (standard === undefined) return null;
  if (!isStandard(standard)) {
    return problemOf("it is in no version of Standard Schema that is known", "use a library of Standard Schema 1");
  }
  const { jsonSchema } = standard;
  if (!isConverter(jsonSchema)) {
    const remedy =
      "use a version of its library that gives `~standard.jsonSchema`; wrap a schema of valibot by `toStandardJsonSchema`";
    return problemOf("it does not give its JSON Schema", remedy);
  }
  let input: unknown;
  let output: unknown;
  try {
    [input, output] = [jsonSchema.input(TARGET), jsonSchema.output(TARGET)];
  } catch (error) {
    const said = error instanceof Error ? error.message.split("\n", 1).join("").slice(0, 160) : "it threw";
    return problemOf(`its library has no JSON Schema for it (${said})`, "use only what JSON Schema can say");
  }
  if (!areEqual(input, output)) {
    const remedy = "describe the value as it is sent; leave out defaults, and transform inside `execute`";
    return problemOf("it changes values: what it gives differs from what it takes", remedy);
  }
  // Of both, the output is written more exactly: it says which objects are closed.
  return { jsonSchema: output, passes: (value) => passes(standard, value) };
}

/** A change of the value, a promise, a throw: each is a no. */
function passes(standard: Standard, value: unknown): boolean {
  try {
    // A copy of its own, so that it cannot change what others are handed.
    const { value: copy, canonical: before } = copyJson(value);
    const result = standard.validate(copy);
    if (result instanceof Promise) {
      result.catch(() => undefined);
      return false;
    }
    if (typeof result !== "object" && typeof result !== "function") return false;
    if (result === null || !("value" in result)) return false;
    if ("issues" in result && Boolean(result.issues)) return false;
    return canonicalize(result.value) === before;
  } catch {
    return false;
  }
}

interface Standard {
  readonly validate: (value: JsonValue) => unknown;
  readonly jsonSchema?: unknown;
}

function isStandard(value: unknown): value is Standard {
  return isRecord(value) && value["version"] === 1 && typeof value["validate"] === "function";
}

function isConverter(value: unknown): value is StandardSchema["~standard"]["jsonSchema"] {
  return isRecord(value) && typeof value["input"] === "function" && typeof value["output"] === "function";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

/** A schema without its words that an object is closed. */
function opened(schema: JsonValue): JsonValue {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(opened);
  const open: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name !== "additionalProperties" || value !== false) setMember(open, name, opened(value));
  }
  return open;
}

/** Whether two schemas say the same of a value that fits: libraries close objects in one of them only. */
function areEqual(input: unknown, output: unknown): boolean {
  const text = (schema: unknown): string => {
    return canonicalize(opened(parseKept(schemaText(schema))));
  };
  try {
    return text(input) === text(output);
  } catch {
    // What cannot be read is told by who reads it.
    return true;
  }
}

function problemOf(problem: string, remedy: string): Problem {
  return { at: "", problem, remedy };
}
