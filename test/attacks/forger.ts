import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { ResultPackage } from "../../src/index.ts";
import { callOf, PAYER, type CallSketch } from "./payments.ts";

/** Something open to be changed. */
export type Loose = Record<string, unknown>;

/** The object at a path; throws where there is none. */
export function objectAt(root: unknown, ...path: readonly string[]): Loose {
  const found = path.reduce((parent: unknown, name) => (parent as Loose)[name], root);
  if (typeof found !== "object" || found === null) throw new TypeError(`no object at ${path.join("/")}`);
  return found as Loose;
}

/** A package as somebody changed it who cannot hash. */
export function altered(given: ResultPackage, change: (copy: Loose) => void): Loose {
  const copy = structuredClone(given) as unknown as Loose;
  change(copy);
  return copy;
}

/** A package as somebody changed it who knows every digest of the contract (section 6) and makes them all again. */
export function forged(given: ResultPackage, sketch: CallSketch, change: (copy: Loose) => void): Loose {
  const copy = altered(given, change);
  const { tenant_id, subject_id } = sketch.by ?? PAYER;
  const { name: tool, arguments: args, ...context } = callOf(sketch);
  const contract = objectAt(copy, "protected_audit", "tool_contract");
  const { input_schema_revision, output_schema_revision, effect_revision } = contract;
  const revisions = { input_schema_revision, output_schema_revision, effect_revision };
  const request_sha256 = digest({ tenant_id, subject_id, tool, arguments: args, ...revisions });
  const digests = { request_sha256, result_sha256: digest(copy["model_result"]) };
  const downstream = objectAt(copy, "protected_audit", "downstream");
  const bound = { tenant_id, subject_id, ...context, tool_contract: contract, ...digests, downstream };
  objectAt(copy, "protected_audit")["binding"] = { ...digests, call_binding_sha256: digest(bound) };
  return copy;
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(canonicalize(value) ?? "")
    .digest("hex");
}
