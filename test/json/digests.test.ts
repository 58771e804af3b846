import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import {
  approvalDigest,
  approvalKey,
  approvalSubject,
  callBindingSha256,
  callFingerprint,
  identityKey,
  isSha256,
  isStatusRef,
  principalRef,
  requestSha256,
  resultSha256,
  scopeKey,
  sha256,
  statusRef,
} from "../../src/json/digests.ts";
import { unregisteredContract, type Call, type Principal, type ToolContract } from "../../src/protocol/call.ts";
import type { Downstream, ResultPackage } from "../../src/protocol/result.ts";
import { anyText, contexts, contracts, evidence, hashedValue, principals } from "./arbitraries.ts";

interface DigestVector {
  readonly principal: Principal;
  readonly call: Call;
  readonly request_sha256: string;
  readonly principal_ref: string;
  readonly call_fingerprint_dispatch: string;
  readonly call_fingerprint_query_status: string;
  readonly approval_digest: string | null;
  readonly status_ref: string | null;
  readonly call_binding_sha256: {
    readonly result_sha256: string;
    readonly downstream: Downstream;
    readonly value: string;
  };
}

interface SuccessPackage {
  readonly arguments: unknown;
  readonly idempotency_key: string;
  readonly package: ResultPackage;
}

const { vectors, success_packages }: { vectors: readonly DigestVector[]; success_packages: readonly SuccessPackage[] } =
  JSON.parse(readFileSync(new URL("../interop/digest-vectors.json", import.meta.url), "utf8"));

const APPROVER = "human-reviewer-1";
const REGISTERED: readonly ToolContract[] = [
  {
    name: "get_order",
    input_schema_revision: "get-order-input-v1",
    output_schema_revision: "get-order-output-v2",
    effect_revision: "read-order-v1",
    handler_revision: "get-order-handler-v2",
    producer_revision: "orders-mock-v2",
    policy_revision: "get-order-policy-v1",
  },
  {
    name: "create_refund_draft",
    input_schema_revision: "refund-draft-input-v1",
    output_schema_revision: "refund-draft-output-v2",
    effect_revision: "create-refund-draft-v1",
    handler_revision: "refund-draft-handler-v2",
    producer_revision: "refunds-mock-v2",
    policy_revision: "refund-draft-policy-v1",
  },
];

/** A vector with every digest made again. */
function digestsOf({
  principal,
  call,
  call_binding_sha256: { result_sha256, downstream },
}: DigestVector): DigestVector {
  const registered = REGISTERED.find(({ name }) => name === call.name);
  const contract = registered ?? unregisteredContract(call.name);
  const request = requestSha256(principal, contract, canonicalize(call.arguments, { depth: 1 }));
  const result = isSha256(result_sha256) ? result_sha256 : sha256("");
  const isWrite = call.name === "create_refund_draft";
  return {
    principal,
    call,
    request_sha256: request,
    principal_ref: principalRef(principal),
    call_fingerprint_dispatch: callFingerprint(call, "dispatch", request),
    call_fingerprint_query_status: callFingerprint(call, "query_status", request),
    approval_digest:
      registered === undefined
        ? null
        : approvalDigest(approvalSubject({ context: call, contract, requestSha256: request }), APPROVER),
    status_ref:
      isWrite && call.idempotency_key !== null
        ? statusRef(scopeKey(principal, call.name, call.idempotency_key), request)
        : null,
    call_binding_sha256: {
      result_sha256,
      downstream,
      value: callBindingSha256({
        principal,
        context: call,
        contract,
        requestSha256: request,
        resultSha256: result,
        downstream,
      }),
    },
  };
}

describe("the published vectors", () => {
  test("are 24 calls and 9 packages", () => {
    expect([vectors.length, success_packages.length]).toEqual([24, 9]);
  });

  test.each(vectors)("call $#: $call.name", (vector) => {
    expect(digestsOf(vector)).toEqual(vector);
  });

  test.each(success_packages)("package $#: $call_id", ({ arguments: args, idempotency_key, package: published }) => {
    const { model_result, protected_audit: audit } = published;
    const principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
    const context = { ...audit.provider_context, operation_id: audit.operation_id, idempotency_key };
    const contract = audit.tool_contract;
    expect(REGISTERED).toContainEqual(contract);
    const request = requestSha256(principal, contract, canonicalize(args, { depth: 1 }));
    const result = resultSha256(canonicalize(model_result));
    const { downstream } = audit;
    expect({
      request_sha256: request,
      result_sha256: result,
      call_binding_sha256: callBindingSha256({
        principal,
        context,
        contract,
        requestSha256: request,
        resultSha256: result,
        downstream,
      }),
    }).toEqual(audit.binding);
    expect(principalRef(principal)).toBe(audit.principal_ref);
    expect(statusRef(scopeKey(principal, contract.name, idempotency_key), request)).toBe(downstream.status_ref);
  });
});

const digestOf = (value: unknown): string => createHash("sha256").update(canonicalize(value)).digest("hex");
const digests = anyText.map(sha256);
const everything = fc.record({
  principal: principals,
  context: contexts,
  contract: contracts,
  request: digests,
  result: digests,
});

/** That a text written by a template is the canonical form of its members, over any texts. */
function agree<Input>(inputs: fc.Arbitrary<Input>, compare: (input: Input) => void): void {
  fc.assert(fc.property(inputs, compare), { numRuns: 200 });
}

describe("every digest is that of the generic canonical form of its members", () => {
  test("principal_ref", () => {
    agree(principals, (principal) => {
      const { tenant_id, subject_id } = principal;
      expect(principalRef(principal)).toBe(`sha256:${digestOf({ tenant_id, subject_id })}`);
    });
  });

  test("request_sha256", () => {
    agree(fc.tuple(everything, hashedValue), ([{ principal, contract }, args]) => {
      const { name: tool, input_schema_revision, output_schema_revision, effect_revision } = contract;
      const { tenant_id, subject_id } = principal;
      expect(requestSha256(principal, contract, canonicalize(args, { depth: 1 }))).toBe(
        digestOf({
          tenant_id,
          subject_id,
          tool,
          arguments: args,
          input_schema_revision,
          output_schema_revision,
          effect_revision,
        }),
      );
    });
  });

  test("result_sha256", () => {
    agree(hashedValue, (value) => {
      expect(resultSha256(canonicalize(value))).toBe(digestOf(value));
    });
  });

  test("call fingerprint", () => {
    agree(fc.tuple(everything, fc.constantFrom("dispatch", "query_status")), ([{ context, request }, purpose]) => {
      expect(callFingerprint(context, purpose, request)).toBe(
        digestOf({ ...context, purpose, request_sha256: request }),
      );
    });
  });

  test("approval digest and approval key", () => {
    agree(fc.tuple(everything, anyText), ([{ context, contract, request }, approver_id]) => {
      const { input_schema_revision, output_schema_revision, effect_revision, policy_revision } = contract;
      const members = {
        ...context,
        request_sha256: request,
        input_schema_revision,
        output_schema_revision,
        effect_revision,
        approval_revision: policy_revision,
      };
      const subject = approvalSubject({ context, contract, requestSha256: request });
      expect(subject).toStrictEqual(members);
      expect(approvalDigest(subject, approver_id)).toBe(digestOf({ ...members, approver_id }));
      expect(approvalKey(subject)).toBe(digestOf(members));
    });
  });

  test("scope, status_ref and identity", () => {
    agree(fc.tuple(everything, anyText), ([{ principal, context, contract, request }, key]) => {
      const { tenant_id, subject_id } = principal;
      const { provider, api_family, response_id, call_id } = context;
      const scope = [tenant_id, subject_id, contract.name, key];
      expect(scopeKey(principal, contract.name, key)).toBe(canonicalize(scope));
      expect(statusRef(scopeKey(principal, contract.name, key), request)).toBe(
        `status_${digestOf({ scope, request_sha256: request }).slice(0, 32)}`,
      );
      expect(identityKey(principal, context)).toBe(
        canonicalize([tenant_id, subject_id, provider, api_family, response_id, call_id]),
      );
    });
  });

  test("call_binding_sha256", () => {
    const statusRefs = fc.option(
      digests.map((digest) => `status_${digest.slice(0, 32)}`).filter((text) => isStatusRef(text)),
    );
    agree(
      fc.tuple(everything, evidence, statusRefs),
      ([{ principal, context, contract, request, result }, ids, status_ref]) => {
        const { tenant_id, subject_id } = principal;
        const downstream: Downstream = { ...ids, status_ref };
        expect(
          callBindingSha256({ principal, context, contract, requestSha256: request, resultSha256: result, downstream }),
        ).toBe(
          digestOf({
            ...context,
            tenant_id,
            subject_id,
            tool_contract: contract,
            request_sha256: request,
            result_sha256: result,
            downstream,
          }),
        );
      },
    );
  });
});

describe("shapes", () => {
  const hex = "0123456789abcdef".repeat(4);

  test.each<[unknown, boolean]>([
    [hex, true],
    [hex.toUpperCase(), false],
    [hex.slice(1), false],
    [`${hex}0`, false],
    [`${hex}\n`, false],
    [`sha256:${hex}`, false],
    [[hex], false],
    [null, false],
  ])("%j is a digest: %s", (value, expected) => {
    expect(isSha256(value)).toBe(expected);
  });

  test.each<[unknown, boolean]>([
    [`status_${hex.slice(32)}`, true],
    [`status_${hex.slice(31)}`, false],
    [`status_${hex.slice(33)}`, false],
    [`status_${hex.slice(32)}\n`, false],
    [`Status_${hex.slice(32)}`, false],
    [hex.slice(32), false],
    [{ toString: () => `status_${hex.slice(32)}` }, false],
  ])("%j is a status reference: %s", (value, expected) => {
    expect(isStatusRef(value)).toBe(expected);
  });

  test("a digest is over UTF-8", () => {
    expect(sha256("é😀")).toBe(createHash("sha256").update(Buffer.from("é😀")).digest("hex"));
  });
});

test.each<[unknown, boolean]>([
  [`status_${"a1".repeat(16)}`, true],
  [`xstatus_${"a1".repeat(16)}`, false],
  [`status_${"a1".repeat(16)}x`, false],
  [`status_${"a1".repeat(16)}\n`, false],
  [`status_${"A1".repeat(16)}`, false],
  [`status_${"a1".repeat(15)}a`, false],
  [[`status_${"a1".repeat(16)}`], false],
  [null, false],
])("%j is a status_ref: %s", (text, expected) => {
  expect(isStatusRef(text)).toBe(expected);
});
