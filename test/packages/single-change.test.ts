import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { validateResult } from "../../src/packages/validate.ts";
import { at, objectOf, open, type Json } from "./rebound.ts";
import { errorOf, PRINCIPAL, READ, REFUSED, successOf, WRITE } from "./sample-calls.ts";
import { SAMPLE_REGISTRY } from "./sample-registry.ts";

describe("any single change without binding again", () => {
  const packages = [
    [WRITE, open(successOf(WRITE))],
    [READ, open(successOf(READ))],
    ...REFUSED.map(([code, call]) => [call, open(errorOf(call, code))] as const),
  ] as const;

  it("of a package is an error", () => {
    const subject = fc
      .constantFrom(...packages)
      .chain(([call, given]) =>
        fc.record({ call: fc.constant(call), path: fc.constantFrom(...pathsOf(given)), given: fc.constant(given) }),
      );
    fc.assert(
      fc.property(subject, change(), ({ call, path, given }, make) => {
        const changed = make(given, path);
        fc.pre(canonicalize(changed) !== canonicalize(given));
        expect(validateResult(SAMPLE_REGISTRY, { principal: PRINCIPAL, call, package: changed })).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("of the principal or the call is an error", () => {
    const valid = successOf(WRITE);
    const trusted = { principal: open({ ...PRINCIPAL, roles: [] }), call: open(WRITE) };
    const paths = pathsOf(trusted).filter((path) => path.length > 0 && path.at(-1) !== "roles");
    fc.assert(
      fc.property(fc.constantFrom(...paths), change(), (path, make) => {
        const changed = objectOf(make(trusted, path));
        fc.pre(canonicalize(changed) !== canonicalize(trusted));
        const { principal, call } = changed;
        expect(validateResult(SAMPLE_REGISTRY, { principal, call, package: valid })).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

type Change = (given: Json, path: readonly string[]) => Json;

/** Ways to change what stands at a path: to put another value there, to take it away, to add a member to it. */
function change(): fc.Arbitrary<Change> {
  const value = fc.oneof(
    fc.constantFrom<Json>(null, true, false, 0, "", "fresh", "unknown", "committed", "status_", {}, []),
    fc.jsonValue().map((json) => open(json)),
  );
  const replaced = value.map((other) => (given: Json, path: readonly string[]) => replace(given, path, () => other));
  const removed = fc.constant<Change>((given, path) => replace(given, path, () => undefined));
  const added = fc.tuple(fc.string(), value).map(([name, other]): Change => {
    return (given, path) =>
      replace(given, path, (old) =>
        typeof old === "object" && old !== null && !Array.isArray(old) ? { ...old, [name]: other } : [old],
      );
  });
  const recased = fc.constant<Change>((given, path) =>
    replace(given, path, (old) => (typeof old === "string" ? swapCase(old) : [old])),
  );
  return fc.oneof(replaced, removed, added, recased);
}

function replace(given: Json, path: readonly string[], make: (old: Json) => Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return make(given) ?? null;
  const copy = { ...objectOf(given) };
  const child = rest.length === 0 ? make(at(given, [name])) : replace(at(given, [name]), rest, make);
  if (child === undefined) delete copy[name];
  else copy[name] = child;
  return copy;
}

function pathsOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}
