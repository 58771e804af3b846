import * as fc from "fast-check";

/** One of several values, some more often than others; a failure shrinks towards the first. */
export function weighted<const Value>(
  choices: readonly (readonly [weight: number, value: Value])[],
): fc.Arbitrary<Value> {
  const options = choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) }));
  return fc.oneof({ withCrossShrink: true }, ...options);
}
