import { isObject } from "./expectation.ts";
import type { CopiedAnswer } from "../protocol/answer.ts";
import type { BoundCall } from "../protocol/bound-call.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { OutcomeRecord } from "../protocol/result.ts";
import { isUtcSecond } from "./utc-second.ts";
import { isNonBlank } from "../protocol/identifier.ts";

/** What a tool answers, once its shape is known. */
export interface ToolAnswer {
  readonly output: JsonObject;
  readonly producerRevision: string;
  readonly resourceRevision: string | null;
  readonly observedAt: string;
  readonly requestId: string | null;
  readonly receiptId: string | null;
}

/** The members of an answer. */
export const ANSWER_MEMBERS = [
  "output",
  "producerRevision",
  "resourceRevision",
  "observedAt",
  "requestId",
  "receiptId",
] as const;

/**
 * The answer of a tool, or null if what came back has not the shape of one. Extra members are not the shape.
 * @param extra members allowed beside the six: a receipt also carries `binding`
 */
export function readAnswer(copied: CopiedAnswer, extra: readonly string[] = []): ToolAnswer | null {
  const value = copied.value;
  if (!isObject(value)) return null;
  for (const member of extra) if (!Object.hasOwn(value, member)) return null;
  if (Object.keys(value).length !== ANSWER_MEMBERS.length + extra.length) return null;
  const { output, producerRevision, resourceRevision, observedAt, requestId, receiptId } = value as Record<
    (typeof ANSWER_MEMBERS)[number],
    JsonValue
  >;
  if (!isObject(output) || typeof producerRevision !== "string" || !isUtcSecond(observedAt)) return null;
  if (!isNullOrNonBlank(resourceRevision) || !isNullOrNonBlank(requestId) || !isNullOrNonBlank(receiptId)) return null;
  return { output, producerRevision, resourceRevision, observedAt, requestId, receiptId };
}

/**
 * The record that an accepted answer leaves behind.
 * Errors: throws on an answer that no guard accepted, which is a bug.
 */
export function recordOf(copied: CopiedAnswer, bound: BoundCall, extra: readonly string[] = []): OutcomeRecord {
  const answer = readAnswer(copied, extra);
  if (answer === null || bound.sourceLabel === null) throw new TypeError("an answer was kept that no guard accepted");
  return {
    data: answer.output,
    source_label: bound.sourceLabel,
    producer_revision: answer.producerRevision,
    resource_revision: answer.resourceRevision,
    observed_at: answer.observedAt,
    request_id: answer.requestId,
    receipt_id: answer.receiptId,
  };
}

function isNullOrNonBlank(value: JsonValue): value is string | null {
  return value === null || isNonBlank(value);
}
