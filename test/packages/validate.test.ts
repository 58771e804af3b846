import { describe, expect, it } from "vitest";
import { REFUSAL_CODES, REFUSALS, type RefusalCode } from "../../src/errors/refusals.ts";
import { validateResult } from "../../src/packages/validate.ts";
import type { ValidationError } from "../../src/packages/validation-error.ts";
import { PROFILES, type Call } from "../../src/protocol/call.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { RegistryView } from "../../src/protocol/registry-view.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { at, objectOf, open, rebind, type Json } from "./rebound.ts";
import { boundCall, errorOf, PRINCIPAL, READ, REFUSED, successOf, WRITE } from "./sample-calls.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";
import { TAMPERED } from "./tampered.ts";

function validate(call: unknown, given: unknown, principal: unknown = PRINCIPAL): readonly ValidationError[] {
  return validateResult(SAMPLE_REGISTRY, { principal, call, package: given });
}

const UNREGISTERED: Call = { ...WRITE, name: "nobody" };
const NO_OBJECT: Call = { ...WRITE, arguments: [1] as never };

function told(errors: readonly ValidationError[]): readonly string[] {
  return errors.map((error) => `${error.at} ${error.rule}`);
}

describe("published packages", () => {
  it.each(TAMPERED.packages.map((item, index) => [index, item.how, item.valid, item] as const))(
    "%i, %s: %s",
    (_, _how, valid, { principal, call, package: given }) => {
      expect(validate(call, given, principal).length === 0).toBe(valid);
    },
  );
});

describe("own packages are valid", () => {
  it.each<readonly [string, Call, ResultPackage]>([
    ["a fresh read", READ, successOf(READ)],
    ["a read with a key", { ...READ, idempotency_key: "key-9" }, successOf({ ...READ, idempotency_key: "key-9" })],
    ["a fresh write", WRITE, successOf(WRITE)],
    ["a replayed write", WRITE, successOf(WRITE, "local_replay")],
    ["a reconciled write", WRITE, successOf(WRITE, "receipt_reconciled")],
    ...REFUSED.map(([code, call]) => [code, call, errorOf(call, code)] as const),
    ["a read that broke its contract", READ, errorOf(READ, "OUTPUT_CONTRACT_VIOLATION")],
    ["arguments that are no object", NO_OBJECT, errorOf(NO_OBJECT, "INVALID_ARGUMENTS")],
    ["an end before the name was looked up", UNREGISTERED, errorOf(UNREGISTERED, "TIMEOUT_BEFORE_EXECUTE")],
    ...PROFILES.map(
      (profile) => [profile.provider, { ...WRITE, ...profile }, successOf({ ...WRITE, ...profile })] as const,
    ),
  ])("%s", (_, call, given) => {
    expect(validate(call, given)).toEqual([]);
  });
});

describe("a package changed and bound again", () => {
  const RESULT = ["model_result"];
  const EXECUTION = ["model_result", "execution"];
  const PROVENANCE = ["model_result", "provenance"];
  const DOWNSTREAM = ["protected_audit", "downstream"];
  const AUDIT = ["protected_audit"];

  it.each<[readonly string[], string, Json | undefined, readonly string[]]>([
    [RESULT, "schema_version", "tool-model-result-v1", ["wrong_value"]],
    [RESULT, "status", "failed", ["wrong_value"]],
    [RESULT, "status", undefined, ["member_missing"]],
    [RESULT, "note", "", ["member_extra"]],
    [RESULT, "data", null, ["output_contract"]],
    [RESULT, "data", [], ["output_contract"]],
    [RESULT, "data", { draft_id: "DRAFT-0", order_ref: "ORDER-7", reason: "damaged" }, ["output_contract"]],
    [RESULT, "data", { draft_id: "DRAFT-1", order_ref: "ORDER-8", reason: "damaged" }, ["output_contract"]],
    [RESULT, "execution", "committed", ["wrong_type"]],
    [RESULT, "provenance", null, ["wrong_type"]],
    [EXECUTION, "outcome", "unknown", ["wrong_value"]],
    [EXECUTION, "delivery", "FRESH", ["wrong_value"]],
    [EXECUTION, "complete", false, ["wrong_value"]],
    [EXECUTION, "complete", 1, ["wrong_value"]],
    [EXECUTION, "truncated", true, ["wrong_value"]],
    [PROVENANCE, "source_label", "orders", ["differs_from_registry"]],
    [PROVENANCE, "producer_revision", "refunds-mock-v1", ["differs_from_registry"]],
    [PROVENANCE, "resource_revision", "\u2003", ["malformed"]],
    [PROVENANCE, "resource_revision", 3, ["malformed"]],
    [PROVENANCE, "resource_revision", null, []],
    [PROVENANCE, "resource_revision", "draft-1-r2", []],
    [PROVENANCE, "observed_at", "2026-02-30T00:00:00Z", ["malformed"]],
    [PROVENANCE, "observed_at", "2026-07-19T00:00:00+00:00", ["malformed"]],
    [PROVENANCE, "observed_at", "2026-07-19T00:00:01Z", []],
    [PROVENANCE, "trust", "trusted_control", ["wrong_value"]],
    [DOWNSTREAM, "request_id", "", ["malformed"]],
    [DOWNSTREAM, "request_id", null, []],
    [DOWNSTREAM, "receipt_id", " \t", ["malformed"]],
    [DOWNSTREAM, "receipt_id", "another", []],
    [DOWNSTREAM, "status_ref", "status_0", ["malformed"]],
    [DOWNSTREAM, "status_ref", `status_${"A".repeat(32)}`, ["malformed"]],
    [DOWNSTREAM, "status_ref", `status_${"a".repeat(32)}`, []],
    [DOWNSTREAM, "status_ref", null, []],
    [DOWNSTREAM, "note", null, ["member_extra"]],
    [AUDIT, "schema_version", "tool-audit-v1", ["wrong_value"]],
    [AUDIT, "visibility", "public", ["wrong_value"]],
    [AUDIT, "operation_id", "operation-2", ["differs_from_call"]],
    [AUDIT, "principal_ref", `sha256:${"0".repeat(64)}`, ["differs_from_call"]],
    [AUDIT, "downstream", null, ["wrong_type"]],
    [AUDIT, "redactions", ["data"], ["wrong_value"]],
    [AUDIT, "redactions", {}, ["wrong_value"]],
    [[...AUDIT, "provider_context"], "call_id", "call-9", ["differs_from_call"]],
    [[...AUDIT, "provider_context"], "idempotency_key", "key-1", ["member_extra"]],
    [[...AUDIT, "tool_contract"], "handler_revision", "refund-draft-handler-v3", ["differs_from_registry"]],
    [[...AUDIT, "tool_contract"], "name", "get_order", ["differs_from_registry"]],
  ])("%j, %s: %j", (path, member, value, rules) => {
    const changed = open(successOf(WRITE));
    const parent = objectOf(at(changed, path));
    if (value === undefined) delete parent[member];
    else parent[member] = value;
    const expected = rules.map((rule) => `/package/${[...path, member].join("/")} ${rule}`);
    expect(told(validate(WRITE, rebind(changed, PRINCIPAL, WRITE)))).toEqual(expected);
  });

  it.each(["request_sha256", "result_sha256", "call_binding_sha256"])("of which only %s is wrong", (digest) => {
    const changed = open(successOf(WRITE));
    objectOf(at(changed, ["protected_audit", "binding"]))[digest] = "0".repeat(64);
    expect(told(validate(WRITE, changed))).toEqual([`/package/protected_audit/binding/${digest} digest_mismatch`]);
  });

  it.each(["local_replay", "receipt_reconciled"] as const)("a read is never delivered as %s", (delivery) => {
    const error = "/package/model_result/execution/delivery wrong_value";
    expect(told(validate(READ, successOf(READ, delivery)))).toEqual([error]);
  });

  const CATALOGUE = "differs_from_catalogue";
  it.each<[RefusalCode, readonly string[], Json, string]>([
    ["NOT_FOUND", ["error", "category"], "contract", CATALOGUE],
    ["NOT_FOUND", ["error", "safe_message"], "ORDER-8 belongs to user-2.", CATALOGUE],
    ["NOT_FOUND", ["error", "recovery"], "correct_input", CATALOGUE],
    ["RATE_LIMIT", ["error", "retry_after_ms"], 0, CATALOGUE],
    ["NOT_FOUND", ["status"], "unknown", CATALOGUE],
    ["OUTCOME_UNKNOWN", ["status"], "failed", CATALOGUE],
    ["OUTCOME_UNKNOWN", ["execution", "outcome"], "not_started", CATALOGUE],
    ["OUTCOME_UNKNOWN", ["execution", "delivery"], "local_replay", "wrong_value"],
    ["NOT_FOUND", ["data"], {}, "wrong_value"],
    ["NOT_FOUND", ["provenance", "source_label"], "refunds", "wrong_value"],
    ["NOT_FOUND", ["provenance", "producer_revision"], "refunds-mock-v2", "wrong_value"],
    ["NOT_FOUND", ["provenance", "resource_revision"], "draft-1-r1", "wrong_value"],
    ["NOT_FOUND", ["provenance", "observed_at"], "0000-01-01T00:00:00Z", "malformed"],
    ["NOT_FOUND", ["provenance", "trust"], "untrusted_data", "wrong_value"],
  ])("%s with another %j", (code, path, value, rule) => {
    const changed = open(errorOf(WRITE, code));
    objectOf(at(changed, ["model_result", ...path.slice(0, -1)]))[path.at(-1) ?? ""] = value;
    const expected = `/package/model_result/${path.join("/")} ${rule}`;
    expect(told(validate(WRITE, rebind(changed, PRINCIPAL, WRITE)))).toEqual([expected]);
  });

  it.each<Json>([{}, { code: "NO_SUCH_CODE" }, { code: "toString" }, "NOT_FOUND", []])(
    "error %j is no row",
    (error) => {
      const changed = open(errorOf(WRITE, "NOT_FOUND"));
      objectOf(at(changed, ["model_result"]))["error"] = error;
      expect(told(validate(WRITE, rebind(changed, PRINCIPAL, WRITE)))).toEqual([
        `/package/model_result/error ${CATALOGUE}`,
      ]);
    },
  );
});

describe("the downstream members of an error", () => {
  it.each(REFUSAL_CODES)("%s", (code) => {
    const call = REFUSED.find(([known]) => known === code)?.[1] ?? WRITE;
    const carries = REFUSALS[code].outcome === "unknown";
    for (const [member, value] of [
      ["request_id", "r"],
      ["receipt_id", "r"],
      ["status_ref", `status_${"a".repeat(32)}`],
    ]) {
      const valid = member === "status_ref" && carries;
      expect(
        told(validate(call, withDownstream(errorOf(call, code), call, { [member ?? ""]: value ?? null }))),
      ).toEqual(valid ? [] : [`/package/protected_audit/downstream/${member} wrong_value`]);
    }
    expect(told(validate(call, withDownstream(errorOf(call, code), call, { status_ref: null })))).toEqual(
      carries ? ["/package/protected_audit/downstream/status_ref malformed"] : [],
    );
  });

  it("a read that broke its contract is nothing that could be asked about", () => {
    const changed = withDownstream(errorOf(READ, "OUTPUT_CONTRACT_VIOLATION"), READ, {
      status_ref: boundCall(WRITE).statusRef,
    });
    expect(told(validate(READ, changed))).toEqual(["/package/protected_audit/downstream/status_ref wrong_value"]);
  });
});

describe("an answer that the call cannot have had", () => {
  const misfit = { ...WRITE, arguments: { order_ref: "ORDER-7", reason: "bored" } };
  const keyless = { ...WRITE, idempotency_key: null };
  it.each<[string, Call, RefusalCode | "success"]>([
    ["success of an unregistered tool", UNREGISTERED, "success"],
    ["another error of an unregistered tool", UNREGISTERED, "NOT_FOUND"],
    ["INVALID_ARGUMENTS of an unregistered tool", UNREGISTERED, "INVALID_ARGUMENTS"],
    ["UNKNOWN_TOOL of a registered tool", WRITE, "UNKNOWN_TOOL"],
    ["INVALID_ARGUMENTS that fit", WRITE, "INVALID_ARGUMENTS"],
    ["success with arguments that do not fit", misfit, "success"],
    ["another error with arguments that do not fit", misfit, "APPROVAL_REQUIRED"],
    ["success of a write without a key", keyless, "success"],
    ["a conflict of a key that is not there", keyless, "IDEMPOTENCY_CONFLICT"],
    ["a missing key that is there", WRITE, "IDEMPOTENCY_KEY_REQUIRED"],
    ["a missing key of a read", READ, "IDEMPOTENCY_KEY_REQUIRED"],
    ["a conflict of a key of a read", { ...READ, idempotency_key: "key-1" }, "IDEMPOTENCY_CONFLICT"],
  ])("%s", (_, call, claim) => {
    const made = claim === "success" ? open(successOf(WRITE)) : open(errorOf(call, claim));
    if (claim === "success") objectOf(made)["protected_audit"] = open(errorOf(call, "NOT_FOUND").protected_audit);
    expect(told(validate(call, rebind(made, PRINCIPAL, call)))).toEqual(["/package/model_result answer_impossible"]);
  });
});

describe("the trusted principal and call", () => {
  it.each<[string, Json, string]>([
    ["tenant_id", "", "malformed"],
    ["subject_id", "\u0085", "malformed"],
    ["subject_id", 7, "malformed"],
    ["roles", ["b", "a"], "malformed"],
    ["roles", ["a", "a"], "malformed"],
    ["roles", ["\u{1F600}", "\uFFFD"], "malformed"],
    ["roles", [1], "malformed"],
    ["roles", [" "], "malformed"],
    ["roles", "agent", "malformed"],
    ["roles", Array.from({ length: 33 }, (_, index) => `role-${index + 10}`), "malformed"],
    ["session", "s", "member_extra"],
  ])("principal with %s %j", (member, value, rule) => {
    const principal = { ...PRINCIPAL, [member]: value };
    expect(told(validate(WRITE, successOf(WRITE), principal))).toEqual([`/principal/${member} ${rule}`]);
  });

  it("roles may be 32, ascend by code point, and are bound to nothing", () => {
    const principal = {
      ...PRINCIPAL,
      roles: [...Array.from({ length: 30 }, (_, index) => `r${index + 10}`), "\uFFFD", "\u{1F600}"],
    };
    expect(validate(WRITE, successOf(WRITE), principal)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ["/call/name", " ", "malformed"],
    ["/call/call_id", "i".repeat(256), "malformed"],
    ["/call/response_id", null, "malformed"],
    ["/call/operation_id", [], "malformed"],
    ["/call/idempotency_key", "", "malformed"],
    ["/call", "anthropic", "profile_unregistered"],
    ["/call/approval", null, "member_extra"],
  ])("call with %s %j", (pointer, value, rule) => {
    const member = pointer === "/call" ? "provider" : pointer.slice("/call/".length);
    expect(told(validate({ ...WRITE, [member]: value }, successOf(WRITE)))).toEqual([`${pointer} ${rule}`]);
  });

  it("no value that was given stands in a message", () => {
    const secret = "sk-live-8f3a";
    const errors = [
      ...validate({ ...WRITE, [`/${secret}`]: 1 }, successOf(WRITE)),
      ...validate(WRITE, { ...successOf(WRITE), [`${secret}\u001b[2J\n`]: secret }),
      ...validate({ ...WRITE, call_id: secret, arguments: { order_ref: secret, reason: "other" } }, successOf(WRITE)),
    ];
    expect(errors.length).toBeGreaterThan(3);
    expect(JSON.stringify(errors)).not.toContain(secret);
  });
});

describe("at the limits of what is hashed", () => {
  const nested = (levels: number): JsonObject => (levels === 0 ? {} : { below: nested(levels - 1) });
  // A tool that accepts everything, so that nothing but the limits can refuse.
  const lax: RegistryView = {
    find: (name) => {
      const tool = SAMPLE_REGISTRY.find(name);
      return tool === null ? null : { ...tool, inputFits: () => true, outputFits: () => true };
    },
  };
  const laxly = (call: Call, given: unknown): readonly string[] =>
    told(validateResult(lax, { principal: PRINCIPAL, call, package: given }));

  it("arguments reach 32 levels down, themselves the first", () => {
    const deepest = { ...UNREGISTERED, arguments: nested(31) };
    expect(laxly(deepest, errorOf(deepest, "UNKNOWN_TOOL"))).toEqual([]);
    const tooDeep = { ...UNREGISTERED, arguments: nested(32) };
    expect(laxly(tooDeep, {})).toEqual([`/call/arguments${"/below".repeat(32)} not_data`]);
  });

  it("data reaches 32 levels down, itself the first", () => {
    const changed = open(successOf(WRITE));
    const result = objectOf(at(changed, ["model_result"]));
    result["data"] = open(nested(31));
    expect(laxly(WRITE, rebind(changed, PRINCIPAL, WRITE))).toEqual([]);
    result["data"] = open(nested(32));
    expect(laxly(WRITE, changed)).toEqual([`/package/model_result/data${"/below".repeat(32)} not_data`]);
  });

  it("arguments and data are objects, whatever the tool says", () => {
    expect(laxly(NO_OBJECT, errorOf(NO_OBJECT, "INVALID_ARGUMENTS"))).toEqual([]);
    const changed = open(successOf(WRITE));
    objectOf(at(changed, ["model_result"]))["data"] = [];
    expect(laxly(WRITE, rebind(changed, PRINCIPAL, WRITE))).toEqual(["/package/model_result/data output_contract"]);
  });
});

function withDownstream(given: unknown, call: Call, changes: Record<string, Json>): Json {
  const changed = open(given);
  Object.assign(objectOf(at(changed, ["protected_audit", "downstream"])), changes);
  return rebind(changed, PRINCIPAL, call);
}
