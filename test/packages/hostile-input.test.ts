import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { validateResult } from "../../src/packages/validate.ts";
import { validateResultSet } from "../../src/packages/validate-set.ts";
import { VALIDATION_RULES, type ValidationError } from "../../src/packages/validation-error.ts";
import { toProviderPayload } from "../../src/providers/payload.ts";
import { PRINCIPAL, successOf, WRITE } from "./sample-calls.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";

let touched = 0;

function trap(): never {
  touched += 1;
  throw new Error("a trap or getter was called");
}

const TRAPS: ProxyHandler<object> = {
  get: trap,
  has: trap,
  ownKeys: trap,
  getPrototypeOf: trap,
  getOwnPropertyDescriptor: trap,
};

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cyclic(): object {
  const ring: Record<string, unknown> = {};
  ring["self"] = ring;
  return ring;
}

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function wrap(value: unknown, how: string): unknown {
  if (how === "behind a getter") return Object.defineProperty({}, "call_id", { get: trap, enumerable: true });
  if (how === "bare" || typeof value !== "object" || value === null) return value;
  return how === "inside a proxy" ? new Proxy(value, TRAPS) : revoked(value);
}

const HOSTILE: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["NaN", Number.NaN],
  ["a bigint", 1n],
  ["a symbol", Symbol("secret")],
  ["a function", () => trap()],
  ["a throwing getter", Object.defineProperty({}, "tenant_id", { get: trap, enumerable: true })],
  ["a throwing toJSON", { toJSON: trap }],
  ["a throwing toString", { toString: trap, valueOf: trap }],
  ["a proxy of an object", new Proxy({}, TRAPS)],
  ["a proxy of a list", new Proxy([], TRAPS)],
  ["a revoked proxy", revoked({})],
  ["a revoked proxy of a list", revoked([])],
  ["a cycle", cyclic()],
  ["5,000 nested lists", nested(5_000)],
  ["a sparse list", new Array(2 ** 32 - 1)],
  ["a list of a million", new Array(1_000_000).fill(0)],
  ["a long string", "x".repeat(200_000)],
  ["half a surrogate pair", "\uD800"],
  ["a date", new Date(0)],
  ["a map", new Map([["model_result", {}]])],
  [
    "a class instance",
    new (class Package {
      model_result = {};
    })(),
  ],
  ["inherited members", Object.create(successOf(WRITE))],
  ["__proto__", JSON.parse('{"__proto__":{"model_result":{}}}')],
];

const GIVEN = { principal: PRINCIPAL, call: WRITE, package: successOf(WRITE) };
const GIVEN_SET = { principal: PRINCIPAL, calls: [WRITE], packages: [GIVEN.package] };

/** Puts a value in the place of every part of what is validated, one after the other. */
function* placesOf(value: unknown): Generator<readonly ValidationError[]> {
  const member = typeof value === "object" || typeof value === "string" ? value : "x";
  for (const name of ["principal", "call", "package"] as const) {
    yield validateResult(SAMPLE_REGISTRY, { ...GIVEN, [name]: value });
    for (const inner of Object.keys(GIVEN[name])) {
      yield validateResult(SAMPLE_REGISTRY, { ...GIVEN, [name]: { ...GIVEN[name], [inner]: value } });
    }
  }
  yield validateResult(SAMPLE_REGISTRY, value as never);
  yield validateResult(SAMPLE_REGISTRY, { ...GIVEN, package: { ...GIVEN.package, model_result: { data: member } } });
  for (const name of ["principal", "calls", "packages"] as const) {
    yield validateResultSet(SAMPLE_REGISTRY, { ...GIVEN_SET, [name]: value });
  }
  yield validateResultSet(SAMPLE_REGISTRY, { ...GIVEN_SET, calls: [WRITE, value] });
  yield validateResultSet(SAMPLE_REGISTRY, { ...GIVEN_SET, packages: [GIVEN.package, value] });
  yield validateResultSet(SAMPLE_REGISTRY, value as never);
}

function expectList(errors: readonly ValidationError[]): void {
  expect(Array.isArray(errors)).toBe(true);
  expect(errors.length).toBeLessThan(1_100);
  for (const { at, rule, message } of errors) {
    expect(at).toMatch(/^(\/[\w…-]{1,64})*$/);
    expect(Object.hasOwn(VALIDATION_RULES, rule)).toBe(true);
    expect(message).toMatch(/^`[\w…-]{1,64}` [^\n]{1,100}$/);
  }
}

describe("whatever it is given, a validation returns a list", () => {
  it.each(HOSTILE)("%s", (_, value) => {
    touched = 0;
    for (const errors of placesOf(value)) {
      expectList(errors);
      expect(errors).not.toEqual([]);
    }
    expect(touched).toBe(0);
  });

  it("of anything", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      maxDepth: 4,
    });
    const wraps = fc.constantFrom("bare", "inside a proxy", "inside a revoked proxy", "behind a getter");
    fc.assert(
      fc.property(anything, wraps, (value, how) => {
        for (const errors of placesOf(wrap(value, how))) expectList(errors);
      }),
      { numRuns: 200 },
    );
  });

  it("and an adapter fails with a code", () => {
    for (const [, value] of HOSTILE) {
      for (const name of ["principal", "call", "package"] as const) {
        expect(() => toProviderPayload(SAMPLE_REGISTRY, { ...GIVEN, [name]: value })).toThrow(CallgateError);
      }
    }
  });
});
