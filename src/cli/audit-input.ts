import { CallgateError } from "../errors/callgate-error.ts";
import { namedFile, readFileWithin, readStandardInputWithin } from "../host/files.ts";
import { readJson } from "../json/read.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";

/** What an auditor's command was given. */
export interface AuditInput {
  /** Whether it stood in a list. */
  readonly isList: boolean;
  readonly entries: readonly AuditEntry[];
}

/** One object of the input. */
export interface AuditEntry {
  readonly value: JsonObject;
  /** JSON pointer of the object in the input. */
  readonly at: string;
}

/**
 * Reads one object, or a list of them, from a file or the standard input.
 * @param name of the file; `-` is the standard input
 * Errors: FILE_*; JSON_*; AUDIT_INPUT_INVALID.
 */
export async function readAuditInput(name: string): Promise<AuditInput> {
  const bytes =
    name === "-"
      ? await readStandardInputWithin(LIMITS.auditFileBytes)
      : await readFileWithin(namedFile(name), LIMITS.auditFileBytes);
  const { value } = readJson(bytes, { maxBytes: LIMITS.auditFileBytes });
  if (!isList(value)) return { isList: false, entries: [entryOf(value, "")] };
  return { isList: true, entries: value.map((item, index) => entryOf(item, `/${index}`)) };
}

function entryOf(value: JsonValue, at: string): AuditEntry {
  if (!isObject(value)) throw new CallgateError("AUDIT_INPUT_INVALID", { at, detail: "an object is expected" });
  return { value, at };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
