import { describe, expect, it } from "vitest";
import { toProviderPayload } from "../../src/providers/payload.ts";
import { PROFILES, type Call } from "../../src/protocol/call.ts";
import { canonicalize } from "../../src/json/canonical.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { errorOf, PRINCIPAL, READ, REFUSED, successOf, WRITE } from "../packages/sample-calls.ts";
import { SAMPLE_REGISTRY } from "../packages/sample-registry.ts";
import { TAMPERED } from "../packages/tampered.ts";

const EVERY_PACKAGE: readonly (readonly [string, Call, ResultPackage])[] = PROFILES.flatMap((profile) => [
  [`${profile.provider} read`, { ...READ, ...profile }, successOf({ ...READ, ...profile })] as const,
  [`${profile.provider} write`, { ...WRITE, ...profile }, successOf({ ...WRITE, ...profile })] as const,
  ...REFUSED.map(([code, refused]) => {
    const call = { ...refused, ...profile };
    return [`${profile.provider} ${code}`, call, errorOf(call, code)] as const;
  }),
]);

function payloadOf(call: Call, given: unknown): unknown {
  return toProviderPayload(SAMPLE_REGISTRY, { principal: PRINCIPAL, call, package: given });
}

describe("published packages", () => {
  it.each(TAMPERED.packages.map((item, index) => [index, item.how, item] as const))("%i, %s", (_, _how, item) => {
    const { principal, call, package: given, valid, payload } = item;
    if (valid) {
      const made = toProviderPayload(SAMPLE_REGISTRY, { principal, call, package: given });
      expect(JSON.stringify(made)).toBe(JSON.stringify(payload));
    } else {
      const refused = () => toProviderPayload(SAMPLE_REGISTRY, { principal, call, package: given });
      expect(refused).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(PACKAGE_INVALID|PROFILE_UNREGISTERED)$/) }),
      );
    }
  });
});

describe("a payload", () => {
  it.each(EVERY_PACKAGE)("%s holds the whole model result in the provider's shape", (_, call, given) => {
    const text = canonicalize(given.model_result);
    const { name, call_id, response_id } = call;
    const is_error = given.model_result.status !== "succeeded";
    const expected = {
      openai: { type: "function_call_output", call_id, output: text },
      anthropic: { type: "tool_result", tool_use_id: call_id, content: [{ type: "text", text }], is_error },
      google: {
        previous_interaction_id: response_id,
        input: [{ type: "function_result", name, call_id, result: [{ type: "text", text }] }],
      },
    }[call.provider];
    expect(JSON.stringify(payloadOf(call, given))).toBe(JSON.stringify(expected));
  });

  it.each(EVERY_PACKAGE)("%s holds no value of the audit", (_, call, given) => {
    const payload = JSON.stringify(payloadOf(call, given));
    const result = canonicalize(given.model_result);
    // What the provider said itself goes back to it: the id of the call and, where its shape has them, response and name.
    const own = [call.call_id, ...(call.provider === "google" ? [call.response_id, call.name] : [])];
    const secrets = textsOf(given.protected_audit).filter((text) => !result.includes(text) && !own.includes(text));
    expect(secrets.length).toBeGreaterThanOrEqual(15);
    for (const secret of secrets) expect(payload).not.toContain(secret);
  });

  it("is not changed by what is done to the package afterwards", () => {
    const given = structuredClone(successOf(WRITE));
    const payload = payloadOf(WRITE, given);
    const before = JSON.stringify(payload);
    Object.assign(given.model_result, { data: null });
    Object.assign(given.protected_audit.provider_context, { call_id: "call-9" });
    expect(JSON.stringify(payload)).toBe(before);
  });
});

describe("a refused payload", () => {
  it.each<[string, Call, unknown, string]>([
    ["an unknown provider", { ...WRITE, provider: "mistral" }, successOf(WRITE), "PROFILE_UNREGISTERED"],
    ["another provider's family", { ...WRITE, api_family: "messages" }, successOf(WRITE), "PROFILE_UNREGISTERED"],
    ["a later adapter", { ...WRITE, adapter_revision: "openai-responses-v2" }, {}, "PROFILE_UNREGISTERED"],
    ["a package of another call", READ, successOf(WRITE), "PACKAGE_INVALID"],
    ["no package", WRITE, undefined, "PACKAGE_INVALID"],
  ])("%s", (_, call, given, code) => {
    expect(() => payloadOf(call, given)).toThrow(expect.objectContaining({ code }));
  });

  it("says where the package is wrong, in one line and without its values", () => {
    const given = { ...successOf(WRITE), "a secret\n": "sk-live-8f3a" };
    expect(() => payloadOf(WRITE, given)).toThrow(/^[^\n]*: `…` does not belong here \(\/package\/…\)$/);
  });
});

/** Every text that stands as a value in something. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
