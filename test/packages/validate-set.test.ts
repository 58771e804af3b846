import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateResultSet } from "../../src/packages/validate-set.ts";
import { PROFILES, type Call } from "../../src/protocol/call.ts";
import { objectOf, open } from "./rebound.ts";
import { errorOf, PRINCIPAL, READ, successOf, WRITE } from "./sample-calls.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";
import { TAMPERED } from "./tampered.ts";

const THIRD: Call = {
  ...WRITE,
  ...PROFILES[2],
  call_id: "call-3",
  operation_id: "operation-3",
  idempotency_key: "key-3",
};
const CALLS: readonly Call[] = [WRITE, READ, THIRD];
const PACKAGES: readonly unknown[] = [successOf(WRITE), successOf(READ), errorOf(THIRD, "APPROVAL_REQUIRED")];
const [FIRST_PACKAGE, SECOND_PACKAGE, THIRD_PACKAGE] = PACKAGES;

function told(calls: unknown, packages: unknown, principal: unknown = PRINCIPAL): readonly string[] {
  const errors = validateResultSet(SAMPLE_REGISTRY, { principal, calls, packages });
  return errors.map((error) => `${error.at} ${error.rule}`);
}

function swapAudits(left: unknown, right: unknown): unknown[] {
  const [one, other] = [objectOf(open(left)), objectOf(open(right))];
  return [
    { ...one, protected_audit: other["protected_audit"] },
    { ...other, protected_audit: one["protected_audit"] },
  ];
}

describe("published sets", () => {
  it.each(TAMPERED.sets.map((set, index) => [index, set.how, set.valid, set] as const))(
    "%i, %s: %s",
    (_, _how, valid, { principal, calls, packages }) => {
      expect(told(calls, packages, principal).length === 0).toBe(valid);
    },
  );
});

describe("a set", () => {
  it("is valid in any order", () => {
    const shuffled = (items: readonly unknown[]): fc.Arbitrary<unknown[]> =>
      fc.shuffledSubarray([...items], { minLength: items.length });
    fc.assert(
      fc.property(shuffled(CALLS), shuffled(PACKAGES), (calls, packages) => {
        expect(told(calls, packages)).toEqual([]);
      }),
    );
  });

  it.each<[string, unknown, unknown, readonly string[]]>([
    ["of nothing", [], [], []],
    ["with a missing package", CALLS, [FIRST_PACKAGE, THIRD_PACKAGE], ["/calls/1 package_missing"]],
    ["with a second package", CALLS, [...PACKAGES, FIRST_PACKAGE], ["/packages/3 package_duplicate"]],
    ["with an unknown package", [WRITE, READ], PACKAGES, ["/packages/2 package_unknown"]],
    ["with one identity twice", [...CALLS, READ], PACKAGES, ["/calls/3 call_duplicate"]],
    [
      "with one identity over two providers",
      [WRITE, { ...WRITE, ...PROFILES[1] }],
      [FIRST_PACKAGE],
      ["/calls/1 call_duplicate"],
    ],
    ["with junk", CALLS, [{}, ...PACKAGES, 1], ["/packages/0 package_unknown", "/packages/4 package_unknown"]],
    [
      "with what is no data",
      [...CALLS, () => 0],
      [...PACKAGES, undefined],
      ["/calls/3 not_data", "/packages/3 not_data"],
    ],
    ["with a malformed call", [WRITE, { ...READ, call_id: "" }], [FIRST_PACKAGE], ["/calls/1/call_id malformed"]],
    [
      "with a call of no registered profile",
      [{ ...WRITE, provider: "google" }, READ],
      [FIRST_PACKAGE, SECOND_PACKAGE],
      ["/calls/0 profile_unregistered", "/packages/0 package_unknown"],
    ],
    ["that is no list", { length: 0 }, [], ["/calls wrong_type"]],
    ["of packages that are no list", [], "", ["/packages wrong_type"]],
    [
      "with a gap",
      [WRITE, READ],
      Object.assign(new Array(2 ** 32 - 1), [FIRST_PACKAGE]),
      ["/packages/1 not_data", "/calls/1 package_missing"],
    ],
  ])("%s", (_, calls, packages, expected) => {
    expect(told(calls, packages)).toEqual(expected);
  });

  it("with swapped audits is wrong in both", () => {
    const other = { ...WRITE, arguments: { order_ref: "ORDER-7", reason: "damaged" }, call_id: "call-9" };
    const packages = swapAudits(successOf(WRITE, "local_replay"), successOf(other));
    expect(told([WRITE, other], packages)).toEqual([
      "/packages/0/protected_audit/binding/result_sha256 digest_mismatch",
      "/packages/0/protected_audit/binding/call_binding_sha256 digest_mismatch",
      "/packages/1/protected_audit/binding/result_sha256 digest_mismatch",
      "/packages/1/protected_audit/binding/call_binding_sha256 digest_mismatch",
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ["calls", new Array(5_000).fill(0), []],
    ["packages", [], Array.from({ length: 5_000 }, () => ({}))],
    ["missing packages", Array.from({ length: 5_000 }, (_, index) => ({ ...WRITE, call_id: `call-${index}` })), []],
  ])("of thousands of wrong %s is looked at no further than a thousand errors", (_, calls, packages) => {
    expect(told(calls, packages)).toHaveLength(1_000);
  });

  it("of thousands is valid", () => {
    const calls = Array.from({ length: 2_000 }, (_, index) => ({ ...READ, call_id: `call-${index}` }));
    expect(
      told(
        calls,
        calls.map((call) => successOf(call)),
      ),
    ).toEqual([]);
  });

  it("names the principal, and what is wrong inside a package", () => {
    expect(told(CALLS, PACKAGES, { ...PRINCIPAL, subject_id: "" })).toEqual(["/principal/subject_id malformed"]);
    const changed = { ...objectOf(open(SECOND_PACKAGE)), note: 1 };
    expect(told(CALLS, [FIRST_PACKAGE, changed, THIRD_PACKAGE])).toEqual(["/packages/1/note member_extra"]);
  });
});
