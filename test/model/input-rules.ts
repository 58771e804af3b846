import { isToolName, LAST_SECOND, PROFILE_ROWS, REASONS, type ToolName } from "./sample-facts.ts";
import type { DispatchStep, QueryStep } from "./steps.ts";

/** First and last code points of each run of white space. Source: contract, section 2. */
const WHITE_SPACE = [
  [0x09, 0x0d],
  [0x1c, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
] as const;

const isSpace = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return WHITE_SPACE.some(([first, last]) => first <= code && code <= last);
};

const isBlank = (text: string): boolean => Array.from(text).every(isSpace);

const lengthOf = (text: string): number => Array.from(text).length;

/** Arguments of a valid call of a sample tool. */
export interface SampleArguments {
  readonly order_ref: string;
  readonly reason?: string;
}

/** Whether a value is an identifier. Source: contract, section 2. */
export function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && lengthOf(value) <= 255 && !isBlank(value);
}

/** Whether the host itself is at fault, so that nobody is answered. Source: contract, section 3, step 1. */
export function isHostError(step: DispatchStep | QueryStep): boolean {
  const { principal, proposal, context, now } = step;
  const profile = [context.provider, context.api_family, context.adapter_revision];
  const identifiers = [
    proposal.name,
    principal.tenant_id,
    principal.subject_id,
    ...principal.roles,
    context.response_id,
    context.call_id,
    context.operation_id,
    context.idempotency_key ?? "none",
  ];
  return (
    !identifiers.every(isIdentifier) ||
    principal.roles.length > 32 ||
    !ascending(principal.roles) ||
    !PROFILE_ROWS.some((row) => row.every((member, index) => member === profile[index])) ||
    !isHashable(proposal.arguments, 1) ||
    !Number.isInteger(now) ||
    now < 0 ||
    now > LAST_SECOND ||
    (step.kind === "query" && (step.statusRef === null || step.expectedRequest === null))
  );
}

function ascending(roles: readonly string[]): boolean {
  return roles.every((role, index) => index === 0 || compareByCodePoint(roles[index - 1] ?? "", role) < 0);
}

function compareByCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, "utf8"), Buffer.from(right, "utf8"));
}

function isHashable(value: unknown, level: number): boolean {
  if (level > 32) return false;
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.isWellFormed() && lengthOf(value) <= 65_536;
  if (typeof value !== "object") return false;
  const entries = Object.entries(value);
  return (
    entries.length <= 1_024 && entries.every(([name, member]) => isHashable(name, 1) && isHashable(member, level + 1))
  );
}

/** The tool and its arguments, or the refusal of steps 2 and 3 of section 3. */
export function readInput(
  proposal: DispatchStep["proposal"],
): { readonly tool: ToolName; readonly input: SampleArguments } | "UNKNOWN_TOOL" | "INVALID_ARGUMENTS" {
  if (!isToolName(proposal.name)) return "UNKNOWN_TOOL";
  const given = proposal.arguments;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return "INVALID_ARGUMENTS";
  const members = new Map<string, unknown>(Object.entries(given));
  const orderRef = members.get("order_ref");
  if (typeof orderRef !== "string" || isBlank(orderRef) || lengthOf(orderRef) > 64) {
    return "INVALID_ARGUMENTS";
  }
  if (proposal.name === "get_order") {
    return members.size === 1 ? { tool: proposal.name, input: { order_ref: orderRef } } : "INVALID_ARGUMENTS";
  }
  const reason = members.get("reason");
  if (members.size !== 2 || typeof reason !== "string" || !REASONS.includes(reason)) return "INVALID_ARGUMENTS";
  return { tool: proposal.name, input: { order_ref: orderRef, reason } };
}
