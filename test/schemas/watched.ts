import type { JsonValue } from "../../src/protocol/json.ts";

/** A value whose members are counted whenever somebody looks at one. */
export interface Watched {
  readonly value: unknown;
  /** How often somebody has. */
  readonly looks: () => number;
}

/** Watches a value. The look after the last one that is allowed throws, so that a test of what never ends does end. */
export function watched(value: JsonValue, allowed: number): Watched {
  let looks = 0;
  const watch = (inner: JsonValue): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const members = Array.isArray(inner)
      ? inner.map(watch)
      : Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, watch(member)]));
    return new Proxy(members, {
      get: (target, name, receiver): unknown => {
        looks += 1;
        if (looks > allowed) throw new RangeError("too many looks");
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  };
  return { value: watch(value), looks: () => looks };
}
