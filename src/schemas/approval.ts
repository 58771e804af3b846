import { copyJson } from "../json/canonical.ts";
import type { Approval } from "../protocol/approval.ts";
import type { JsonValue } from "../protocol/json.ts";

type Shape = Readonly<Record<keyof Approval, (value: JsonValue) => boolean>>;

const isText = (value: JsonValue): boolean => typeof value === "string";

const SHAPE: Shape = {
  approval_id: isText,
  operation_id: isText,
  call_id: isText,
  provider: isText,
  api_family: isText,
  adapter_revision: isText,
  idempotency_key: (value) => value === null || isText(value),
  tool_name: isText,
  subject_id: isText,
  schema_version: isText,
  approval_revision: isText,
  approval_digest: isText,
  expires_at: (value) => typeof value === "number",
  approver_id: isText,
};
const MEMBERS = Object.entries(SHAPE);

/**
 * An independent copy of an approval value, or null for anything that has not exactly the shape of one: malformed is
 * never an exception and never a yes. Whether it is valid is policy's question.
 */
export function readApproval(given: unknown): Approval | null {
  let value: JsonValue;
  try {
    ({ value } = copyJson(given));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const members = value as Readonly<Record<string, JsonValue>>;
  if (Object.keys(members).length !== MEMBERS.length) return null;
  for (const [member, fits] of MEMBERS) {
    const held = Object.hasOwn(members, member) ? members[member] : undefined;
    if (held === undefined || !fits(held)) return null;
  }
  return members as unknown as Approval;
}
