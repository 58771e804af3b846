import { CallgateError } from "../errors/callgate-error.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";

/**
 * The schema of an object that has no member beyond those it names.
 * Errors: SCHEMA_INVALID when it is not the schema of an object, or lets in members that it does not name.
 */
export function closeSchema(schema: JsonValue): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new CallgateError("SCHEMA_INVALID", { detail: "a schema must be an object" });
  }
  const root = schema as JsonObject;
  if (root["type"] !== "object") {
    throw new CallgateError("SCHEMA_INVALID", { detail: '`type` must be "object"' });
  }
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (Object.hasOwn(root, keyword) && root[keyword] !== false) {
      throw new CallgateError("SCHEMA_INVALID", { detail: `\`${keyword}\` must be false or left out` });
    }
  }
  const isClosed = Object.hasOwn(root, "additionalProperties") || Object.hasOwn(root, "unevaluatedProperties");
  return isClosed ? root : { ...root, unevaluatedProperties: false };
}
