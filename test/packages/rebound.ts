import { canonicalize } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import { unregisteredContract, type Call, type Principal } from "../../src/protocol/call.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";

/** Any JSON value, open to be changed. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A changeable deep copy. */
export function open(value: unknown): Json {
  return structuredClone(value) as Json;
}

/** What stands at a path inside JSON; throws where nothing does. */
export function at(value: Json, path: readonly string[]): Json {
  return path.reduce((parent, name) => {
    const child = Array.isArray(parent) ? parent[Number(name)] : objectOf(parent)[name];
    if (child === undefined) throw new TypeError(`nothing at ${name}`);
    return child;
  }, value);
}

/** The JSON object that a value is; throws where it is none. */
export function objectOf(value: Json): { [member: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return value;
}

/** Makes all digests of a changed package again, by the generic canonical form. Source: contract, section 6. */
export function rebind(changed: Json, { tenant_id, subject_id }: Principal, call: Call): Json {
  const audit = objectOf(at(changed, ["protected_audit"]));
  const contract = objectOf(open(SAMPLE_REGISTRY.find(call.name)?.contract ?? unregisteredContract(call.name)));
  const { name: tool, arguments: args, ...context } = call;
  const { input_schema_revision, output_schema_revision, effect_revision } = contract;
  const revisions = { input_schema_revision, output_schema_revision, effect_revision };
  const request_sha256 = digest({ tenant_id, subject_id, tool, arguments: args, ...revisions });
  const result_sha256 = digest(at(changed, ["model_result"]));
  const digests = { request_sha256, result_sha256 };
  const { downstream } = audit;
  const call_binding_sha256 = digest({
    tenant_id,
    subject_id,
    ...context,
    tool_contract: contract,
    ...digests,
    downstream,
  });
  audit["binding"] = { ...digests, call_binding_sha256 };
  return changed;
}

function digest(value: unknown): string {
  return sha256(canonicalize(value));
}
