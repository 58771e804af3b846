import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { CallgateError } from "../errors/callgate-error.ts";
import type { Problem } from "../errors/problem.ts";
import type { JsonObject } from "../protocol/json.ts";
import { addLinearFormats } from "./formats.ts";
import { linearPattern } from "./linear-pattern.ts";

/** A compiled schema: a total question. The verdict is taken at once; Ajv's shared error list is never read later. */
export type SchemaCheck = (value: unknown) => boolean;

/** How Ajv takes schemas and values here. */
export const AJV_OPTIONS: Options = {
  strict: true,
  strictRequired: false,
  strictTypes: false,
  strictTuples: false,
  allErrors: false,
  ownProperties: true,
  logger: false,
};

/**
 * Ajv keeps the members that a branch has named in an object and looks them up plainly, so that a member called
 * `constructor` passes as named: every object inherits one.
 */
export const lookUpOwnMembers = (code: string): string =>
  code.replaceAll(/!(props\d+)\[(key\d+)\]/g, "!Object.hasOwn($1, $2)");

/** Judges schemas. Compiling the meta-schema takes ten times as long as a schema of a tool, so it is done once. */
let metaSchema: Ajv2020 | null = null;

/**
 * Compiles a JSON Schema of draft 2020-12. Nothing is coerced, no default is filled in, only own members count.
 * Errors: SCHEMA_INVALID for a schema that does not compile, uses an unknown keyword or format, or has a pattern without
 * a linear form.
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  try {
    if (metaSchemaOf().validateSchema(schema, true) !== true)
      throw new TypeError("an asynchronous meta-schema is not usable");
    // One for each schema, or two could not have the same `$id`.
    const ajv = new Ajv2020({
      ...AJV_OPTIONS,
      validateSchema: false,
      code: { regExp: linearPattern, process: lookUpOwnMembers },
    });
    addLinearFormats(ajv);
    const validate: ValidateFunction = ajv.compile(schema);
    if ("$async" in validate) throw new TypeError("an asynchronous schema is not usable");
    return (value) => {
      try {
        return validate(value);
      } catch {
        // A recursive schema can overflow the stack on a deep value; that value does not fit.
        return false;
      }
    };
  } catch (error) {
    throw new CallgateError("SCHEMA_INVALID", { detail: firstLine(error), cause: error });
  }
}

/** What the meta-schema says against a schema. Shape: places are JSON pointers from the schema. */
export function metaSchemaProblems(schema: JsonObject): readonly Problem[] {
  const judge = metaSchemaOf();
  if (judge.validateSchema(schema) === true) return [];
  const told = new Map<string, string>();
  for (const { instancePath, message } of judge.errors ?? []) {
    // The first thing said of a place says it; the rest are its consequences.
    if (!told.has(instancePath)) told.set(instancePath, `it ${message ?? "is not what JSON Schema takes"}`);
  }
  const remedy = "write it as JSON Schema 2020-12 has it";
  return Array.from(told, ([at, problem]) => ({ at, problem, remedy }));
}

function metaSchemaOf(): Ajv2020 {
  metaSchema ??= new Ajv2020({ ...AJV_OPTIONS, allErrors: true });
  return metaSchema;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
