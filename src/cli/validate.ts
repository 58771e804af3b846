import { CallgateError } from "../errors/callgate-error.ts";
import { validateResultSet } from "../packages/validate-set.ts";
import { validateResult } from "../packages/validate.ts";
import type { ValidationError } from "../packages/validation-error.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import { toProviderPayload, type ProviderPayload } from "../providers/payload.ts";
import { readAuditInput, type AuditEntry } from "./audit-input.ts";
import type { AuditCommand } from "./digest.ts";
import { gatePartsOf } from "./gate-file.ts";
import { print } from "./output.ts";
import { jsonText, visible } from "./text.ts";

/** What is said of one package, or of one set. */
interface Verdict {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
  /** What goes back to the provider: of a valid single package only. */
  readonly payload: ProviderPayload | null;
}

/** Says of every package, or set of packages, in a file whether it is valid. Shape: 0 when all are, else 1. */
export async function validate(name: string, { json, gate }: AuditCommand): Promise<number> {
  const { entries } = await readAuditInput(name);
  const { registry } = await gatePartsOf(gate);
  const questions = entries.map((entry) => questionOf(entry, registry));
  const verdicts = questions.map((ask) => ask());
  await print(json ? jsonText(verdicts) : verdicts.map(verdictText).join(""));
  return verdicts.every(({ valid }) => valid) ? 0 : 1;
}

/** What is asked of an entry. Members beside those of its form are not looked at. */
function questionOf({ value, at }: AuditEntry, registry: RegistryView): () => Verdict {
  const isSingle = hasAll(value, ["principal", "call", "package"]);
  const isSet = hasAll(value, ["principal", "calls", "packages"]);
  if (isSingle === isSet) {
    const detail = "either principal, call and package or principal, calls and packages are expected";
    throw new CallgateError("AUDIT_INPUT_INVALID", { at, detail });
  }
  const { principal, call, package: given, calls, packages } = value;
  if (isSet) return () => verdictOf(validateResultSet(registry, { principal, calls, packages }), () => null);
  const single = { principal, call, package: given };
  return () => verdictOf(validateResult(registry, single), () => toProviderPayload(registry, single));
}

function verdictOf(errors: readonly ValidationError[], payload: () => ProviderPayload | null): Verdict {
  const valid = errors.length === 0;
  return { valid, errors, payload: valid ? payload() : null };
}

function hasAll(value: object, members: readonly string[]): boolean {
  return members.every((member) => Object.hasOwn(value, member));
}

function verdictText({ valid, errors, payload }: Verdict, index: number): string {
  const lines = errors.map(({ at, message }) => `   ${visible(`${message} (${at})`)}\n`);
  const text = `${index + 1}: ${valid ? "valid" : "not valid"}\n${lines.join("")}`;
  return payload === null ? text : text + jsonText(payload);
}
