import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REFUSAL_CODES, REFUSALS, type RefusalCode } from "../../src/errors/refusals.ts";
import { canonicalize, copyJson } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import { buildError, buildSuccess } from "../../src/packages/build.ts";
import { PROFILES, type Call } from "../../src/protocol/call.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Delivery, ResultPackage } from "../../src/protocol/result.ts";
import { open, rebind } from "./rebound.ts";
import { boundCall, errorOf, PRINCIPAL, READ, RECORDS, REFUSED, successOf, WRITE } from "./sample-calls.ts";

interface PublishedPackage {
  readonly provider: string;
  readonly arguments: JsonObject;
  readonly call_id: string;
  readonly operation_id: string;
  readonly response_id: string;
  readonly idempotency_key: string;
  readonly package: ResultPackage;
}

const PUBLISHED: { readonly success_packages: readonly PublishedPackage[] } = JSON.parse(
  readFileSync(new URL("../interop/digest-vectors.json", import.meta.url), "utf8"),
);

const DELIVERIES: readonly Delivery[] = ["fresh", "local_replay", "receipt_reconciled"];

describe("a success", () => {
  it.each(PUBLISHED.success_packages)("is the published package of $call_id over $provider", (published) => {
    const { provider, package: expected, ...given } = published;
    const profile = PROFILES.find((known) => known.provider === provider);
    if (profile === undefined) throw new TypeError("a published package has no registered profile");
    const { call_id, operation_id, response_id, idempotency_key } = given;
    const ids = { call_id, operation_id, response_id, idempotency_key };
    const call: Call = { name: "create_refund_draft", arguments: given.arguments, ...profile, ...ids };
    const { data, provenance, execution } = expected.model_result;
    const { request_id, receipt_id, status_ref } = expected.protected_audit.downstream;
    const { trust: _, ...kept } = provenance;
    const bound = boundCall(call, { tenant_id: "tenant-a", subject_id: "user-1", roles: [] });
    const record = { ...kept, data: data ?? {}, request_id, receipt_id };
    const built = buildSuccess({ bound, record, delivery: execution.delivery, downstreamStatusRef: bound.statusRef });
    expect(bound.statusRef).toBe(status_ref);
    expect(JSON.stringify(built)).toBe(JSON.stringify(expected));
  });

  it("has the digest of its generic canonical form, whatever the record holds", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('"', "\\", "\n", "\u2028", "\u{1F600}"));
    const data = fc.dictionary(text, fc.jsonValue({ stringUnit: "grapheme" }));
    const record = fc.record({
      data,
      source_label: text,
      producer_revision: text,
      resource_revision: fc.option(text),
      observed_at: text,
      request_id: fc.option(text),
      receipt_id: fc.option(text),
    });
    fc.assert(
      fc.property(record, fc.constantFrom(...DELIVERIES), fc.constantFrom(READ, WRITE), (given, delivery, call) => {
        const bound = boundCall(call);
        const kept = { ...given, data: copyJson(given.data, { depth: 1 }).value as JsonObject };
        const built = buildSuccess({ bound, record: kept, delivery, downstreamStatusRef: bound.statusRef });
        const { data: builtData, provenance } = built.model_result;
        expect(builtData).toEqual(kept.data);
        expect({ ...kept, ...provenance, ...built.protected_audit.downstream, trust: undefined }).toEqual({
          ...kept,
          status_ref: bound.statusRef,
          trust: undefined,
        });
        expectRightDigests(built, call);
      }),
    );
  });

  it("shares nothing with its record, its call or another package", () => {
    const bound = boundCall(WRITE);
    const record = { ...RECORDS["create_refund_draft"], data: { nested: { list: [{}] } } } as never;
    const parts = { bound, record, delivery: "local_replay" as const, downstreamStatusRef: bound.statusRef };
    const [first, second] = [buildSuccess(parts), buildSuccess(parts)];
    expect(sharedObjects([first, second, { bound, record }])).toBe(0);
    expect(first).toEqual(second);
  });

  it("is not built from data that is no object", () => {
    const bound = boundCall(WRITE);
    const record = { ...RECORDS["create_refund_draft"], data: [] } as never;
    expect(() => buildSuccess({ bound, record, delivery: "fresh", downstreamStatusRef: null })).toThrow(TypeError);
  });
});

describe("an error", () => {
  // Source: contract, section 5.
  it.each<[RefusalCode, string, string, string, number | null]>([
    ["UNKNOWN_TOOL", "contract", "not_started", "correct_input", null],
    ["INVALID_ARGUMENTS", "contract", "not_started", "correct_input", null],
    ["OUTPUT_CONTRACT_VIOLATION", "execution", "unknown", "human_review", null],
    ["NOT_FOUND", "authorization", "not_started", "none", null],
    ["BUSINESS_RULE_VIOLATION", "business", "not_started", "human_review", null],
    ["CALL_ID_CONFLICT", "conflict", "not_started", "human_review", null],
    ["IDEMPOTENCY_KEY_REQUIRED", "contract", "not_started", "correct_input", null],
    ["IDEMPOTENCY_CONFLICT", "conflict", "not_started", "human_review", null],
    ["APPROVAL_REQUIRED", "approval", "not_started", "request_approval", null],
    ["APPROVAL_INVALID", "approval", "not_started", "request_approval", null],
    ["TIMEOUT_BEFORE_EXECUTE", "execution", "not_started", "retry_after", 1000],
    ["OUTCOME_UNKNOWN", "execution", "unknown", "query_status", null],
    ["STATUS_CONFLICT", "conflict", "unknown", "human_review", null],
    ["RATE_LIMIT", "dependency", "not_started", "retry_after", 1000],
    ["TOOL_ERROR", "execution", "not_started", "human_review", null],
  ])("%s is the catalogue's row", (code, category, outcome, recovery, retry_after_ms) => {
    const { model_result, protected_audit } = errorOf(WRITE, code);
    const { sentence } = REFUSALS[code];
    expect(model_result).toEqual({
      schema_version: "tool-model-result-v2",
      status: outcome === "unknown" ? "unknown" : "failed",
      data: null,
      error: { code, category, safe_message: sentence, recovery, retry_after_ms },
      execution: { outcome, delivery: "fresh", complete: true, truncated: false },
      provenance: {
        source_label: "offline-dispatcher",
        producer_revision: "offline-dispatcher-v2",
        resource_revision: null,
        observed_at: "2001-09-09T01:46:40Z",
        trust: "trusted_control",
      },
    });
    const status_ref = outcome === "unknown" ? boundCall(WRITE).statusRef : null;
    expect(protected_audit.downstream).toEqual({ request_id: null, receipt_id: null, status_ref });
  });

  it.each<[RefusalCode, Call, boolean]>([
    ["OUTPUT_CONTRACT_VIOLATION", WRITE, true],
    ["OUTPUT_CONTRACT_VIOLATION", READ, false],
    ["OUTCOME_UNKNOWN", READ, true],
    ["STATUS_CONFLICT", READ, true],
    ["NOT_FOUND", WRITE, false],
  ])("%s names the operation in doubt only where the code carries it", (code, call, carries) => {
    const { statusRef } = boundCall(WRITE);
    const built = buildError({ bound: boundCall(call), code, statusRef, observedAtSeconds: 0 });
    expect(built.protected_audit.downstream.status_ref).toBe(carries ? statusRef : null);
  });

  it("has the digests of its generic canonical form", () => {
    const seconds = fc.oneof(fc.constantFrom(0, 253_402_300_799), fc.integer({ min: 0, max: 253_402_300_799 }));
    fc.assert(
      fc.property(fc.constantFrom(...REFUSED), seconds, ([code, call], observedAtSeconds) => {
        const bound = boundCall(call);
        expectRightDigests(buildError({ bound, code, statusRef: bound.statusRef, observedAtSeconds }), call);
      }),
    );
  });

  it("shares nothing with its call or another package", () => {
    for (const code of REFUSAL_CODES) {
      const bound = boundCall(WRITE);
      const parts = { bound, code, statusRef: bound.statusRef, observedAtSeconds: 0 };
      expect(sharedObjects([buildError(parts), buildError(parts), bound])).toBe(0);
    }
  });
});

describe("the audit", () => {
  it.each([
    ["a write", WRITE, successOf(WRITE)],
    ["a read", READ, successOf(READ)],
    ["an unregistered tool", { ...WRITE, name: "nobody" }, errorOf({ ...WRITE, name: "nobody" }, "UNKNOWN_TOOL")],
  ])("of %s names call and contract", (_, call, { protected_audit }) => {
    const { provider, api_family, response_id, call_id, adapter_revision } = call;
    expect(protected_audit).toMatchObject({
      schema_version: "tool-audit-v2",
      visibility: "protected_audit",
      operation_id: call.operation_id,
      principal_ref: `sha256:${sha256(canonicalize({ tenant_id: "tenant-a", subject_id: "user-1" }))}`,
      provider_context: { provider, api_family, response_id, call_id, adapter_revision },
      tool_contract: boundCall(call).toolContract,
      redactions: [],
    });
  });
});

function expectRightDigests(built: ResultPackage, call: Call): void {
  expect(open(built)).toEqual(rebind(open(built), PRINCIPAL, call));
}

/** How many objects stand in more than one of some values. */
function sharedObjects(values: readonly unknown[]): number {
  const seen = new Map<object, number>();
  let shared = 0;
  const walk = (value: unknown, owner: number): void => {
    if (typeof value !== "object" || value === null) return;
    if ((seen.get(value) ?? owner) !== owner) shared += 1;
    seen.set(value, owner);
    for (const member of Object.values(value)) walk(member, owner);
  };
  for (const [owner, value] of values.entries()) walk(value, owner);
  return shared;
}
