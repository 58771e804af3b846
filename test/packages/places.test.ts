import { describe, expect, it } from "vitest";
import { buildSuccess } from "../../src/packages/build.ts";
import { validateResult } from "../../src/packages/validate.ts";
import { validateResultSet } from "../../src/packages/validate-set.ts";
import { VALIDATION_RULES, validationError, type ValidationRule } from "../../src/packages/validation-error.ts";
import type { Call } from "../../src/protocol/call.ts";
import { boundCall, errorOf, PRINCIPAL, RECORDS, successOf, WRITE } from "./sample-calls.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";

const nested = (levels: number): unknown => (levels === 0 ? 1 : { deeper: nested(levels - 1) });

describe("the place of an error", () => {
  const placed = (given: object): readonly string[] =>
    validateResult(SAMPLE_REGISTRY, given as never).map(({ at, rule, message }) => `${at} ${rule}: ${message}`);

  it("is the member, where all are missing", () => {
    expect(placed({})).toEqual(
      ["principal", "call", "package"].map((name) => `/${name} member_missing: \`${name}\` is missing`),
    );
  });

  it("is within the member, where something of it is", () => {
    const { tenant_id, ...principal } = PRINCIPAL;
    const { call_id, ...call } = WRITE;
    const given = successOf(WRITE);
    expect(placed({ principal, call, package: given })).toEqual([
      "/principal/tenant_id member_missing: `tenant_id` is missing",
      "/call/call_id member_missing: `call_id` is missing",
    ]);
    expect([tenant_id, call_id].every((text) => text.length > 0)).toBe(true);
    expect(placed({ principal: PRINCIPAL, call: WRITE, package: { ...given, protected_audit: null } })).toEqual([
      expect.stringMatching(/^\/package\/protected_audit wrong_type: /),
    ]);
  });

  it("of a list in a set is the list", () => {
    const told = (calls: unknown, packages?: unknown): readonly string[] => {
      const given = { principal: PRINCIPAL, calls, ...(packages === undefined ? {} : { packages }) };
      return validateResultSet(SAMPLE_REGISTRY, given as never).map(({ at, rule }) => `${at} ${rule}`);
    };
    expect(told({}, "packages")).toEqual(["/calls wrong_type", "/packages wrong_type"]);
    expect(told([])).toEqual(["/packages member_missing"]);
  });

  it("of what is itself wrong has no name", () => {
    expect(validationError("", "wrong_type")).toEqual({ at: "", rule: "wrong_type", message: "`` has the wrong type" });
  });

  it("in something that is a function is not looked for", () => {
    const given = Object.assign(() => undefined, { principal: PRINCIPAL, call: WRITE, package: successOf(WRITE) });
    expect(placed(given)).toHaveLength(3);
  });
});

it.each([[["A"]], [["0", "A", "a"]], [["!"]]])(
  "roles that are sorted are taken, whatever they begin with: %j",
  (roles) => {
    const errors = validateResult(SAMPLE_REGISTRY, {
      principal: { ...PRINCIPAL, roles },
      call: WRITE,
      package: successOf(WRITE),
    });
    expect(errors.filter(({ at }) => at.startsWith("/principal"))).toEqual([]);
  },
);

it("every rule has its sentence", () => {
  const sentences: Record<ValidationRule, string> = {
    not_data: "is not plain JSON data within the limits",
    wrong_type: "has the wrong type",
    member_missing: "is missing",
    member_extra: "does not belong here",
    wrong_value: "is not a value that the contract has here",
    malformed: "has not the form that the contract asks for",
    profile_unregistered: "is not of a registered profile of provider, API family and adapter revision",
    differs_from_call: "differs from the trusted principal and call",
    differs_from_registry: "differs from the registered tool",
    differs_from_catalogue: "is not the row of a code in the catalogue of errors",
    digest_mismatch: "is not the digest recomputed from principal, call, registry and package",
    output_contract: "breaks the output contract of the tool",
    answer_impossible: "is an answer that this call cannot have had",
    call_duplicate: "has the response_id and call_id of an earlier expected call",
    package_missing: "has no package",
    package_duplicate: "is a second package for one call",
    package_unknown: "belongs to none of the expected calls",
  };
  expect(VALIDATION_RULES).toEqual(sentences);
});

describe("what is as deep as the contract allows", () => {
  it("counts from the root of what is hashed: arguments of a call", () => {
    // Arguments stand at level 1 of the request, and 32 levels are allowed.
    const call = (levels: number): Call => ({ ...WRITE, arguments: nested(levels) as never });
    const invalid = (levels: number) =>
      validateResult(SAMPLE_REGISTRY, {
        principal: PRINCIPAL,
        call: call(levels),
        package: errorOf(WRITE, "INVALID_ARGUMENTS"),
      }).map(({ at, rule }) => `${at} ${rule}`);
    expect(invalid(31).some((line) => line.startsWith("/call"))).toBe(false);
    expect(invalid(32).some((line) => line.startsWith("/call"))).toBe(true);
  });

  it("counts from the root of what is hashed: data of a record", () => {
    const bound = boundCall(WRITE);
    const record = RECORDS["create_refund_draft"];
    if (record === undefined) throw new TypeError("the sample has no record");
    const built = (data: unknown) => () =>
      buildSuccess({
        bound,
        record: { ...record, data: data as never },
        delivery: "fresh",
        downstreamStatusRef: bound.statusRef,
      });
    expect(built(nested(31))).not.toThrow();
    expect(built(nested(32))).toThrow(/levels/);
    expect(built([1])).toThrow(new TypeError("a record holds data that is no object"));
  });
});
