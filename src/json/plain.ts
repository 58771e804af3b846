import { types } from "node:util";

/**
 * Whether an object that is neither a proxy nor an array is a plain one: made by a literal, by `JSON.parse` or without a
 * prototype, in this realm or in another (what a `node:vm` context makes has an `Object.prototype` of its own).
 */
export function isPlainObject(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) return true;
  // That of another realm: a root with an `isPrototypeOf` of its own, which the prototype of no class is.
  return (
    typeof prototype === "object" &&
    !types.isProxy(prototype) &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "isPrototypeOf")
  );
}

/** Whether an array that is no proxy is a plain one, in this realm or in another. */
export function isPlainArray(array: readonly unknown[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(array);
  // The `Array.prototype` of every realm is an array itself; the prototype of a class is none.
  return prototype === Array.prototype || (!types.isProxy(prototype) && Array.isArray(prototype));
}
