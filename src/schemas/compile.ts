import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { CallgateError } from "../errors/callgate-error.ts";
import type { JsonObject } from "../protocol/json.ts";
import { linearPattern } from "./linear-pattern.ts";

// Under NodeNext the package is typed as a namespace, while its default export is what is called.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020;

/** A compiled schema: a total question. The verdict is taken at once; Ajv's shared error list is never read later. */
export type SchemaCheck = (value: unknown) => boolean;

/** Whose schema it is: one of ours may use the native regular expressions, any other one runs in linear time. */
export type SchemaAuthor = "own" | "foreign";

const STRICT: Options = {
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
const lookUpOwnMembers = (code: string): string =>
  code.replaceAll(/!(props\d+)\[(key\d+)\]/g, "!Object.hasOwn($1, $2)");

/** Judges schemas. Compiling the meta-schema takes ten times as long as a schema of a tool, so it is done once. */
let metaSchema: Ajv2020 | null = null;

/**
 * Compiles a JSON Schema of draft 2020-12. Nothing is coerced, no default is filled in, only own members count.
 * Errors: SCHEMA_INVALID for a schema that does not compile, uses an unknown keyword or format, or has a pattern without
 * a linear form.
 */
export function compileSchema(schema: JsonObject, author: SchemaAuthor = "foreign"): SchemaCheck {
  try {
    metaSchema ??= new Ajv2020(STRICT);
    if (metaSchema.validateSchema(schema, true) !== true)
      throw new TypeError("an asynchronous meta-schema is not usable");
    // One for each schema, or two could not have the same `$id`.
    const ajv = new Ajv2020({
      ...STRICT,
      validateSchema: false,
      code: author === "foreign" ? { regExp: linearPattern, process: lookUpOwnMembers } : { process: lookUpOwnMembers },
    });
    addFormats(ajv);
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

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
