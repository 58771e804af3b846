import { types } from "node:util";
import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import { codePointLength } from "../protocol/identifier.ts";
import type { CanonicalText, JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { copyData } from "./copy.ts";
import { isPlainArray, isPlainObject } from "./plain.ts";
import { pointerOf } from "./pointer.ts";

/** Where a value stands that is written. */
export interface CanonicalOptions {
  /** Levels below the hashed root; 0, the root itself, unless told. */
  readonly depth?: number;
}

/** A value that shares nothing with what it was copied from, and its canonical text. */
export interface CanonicalCopy {
  readonly value: JsonValue;
  readonly canonical: CanonicalText;
}

const NEEDS_ESCAPES = /["\\\p{Cc}\p{Cs}]/u;

/**
 * What a value may cost: its canonical text a unit a character, every value and member name in it some more. A few
 * containers that hold one another many times over could become a text that fits no memory; an array of 1,024 strings of
 * 65,536 characters is well within it.
 */
const MAX_COST = 2 ** 27;
const COST_PER_PIECE = 64;

/** Sorting by insertion is quicker than `sort` for as few names as objects mostly have. */
const FEW_NAMES = 24;

/**
 * The RFC 8785 text of a value of the hashed domain. Looks before it touches: no getter, trap or `toJSON` is called.
 * Errors: JSON_NOT_DATA, JSON_TOO_DEEP, JSON_TOO_MANY_MEMBERS, JSON_STRING_TOO_LONG, JSON_SURROGATE, JSON_NUMBER_RANGE or
 * JSON_TOO_LARGE, with the JSON pointer from the value given; nothing else, whatever is given.
 * Source: RFC 8785; contract, section 2.
 */
export function canonicalize(value: unknown, options?: CanonicalOptions): CanonicalText {
  const level = options?.depth ?? 0;
  return new CanonicalWriter(level).write(value, level) as CanonicalText;
}

/**
 * Copies a value of the hashed domain, with its canonical text: what is kept is what is hashed.
 * Errors: as `canonicalize`.
 */
export function copyJson(value: unknown, options?: CanonicalOptions): CanonicalCopy {
  const canonical = canonicalize(value, options);
  // It was found to be plain data while it was written, and nothing has run since.
  return { value: copyData(value as JsonValue), canonical };
}

/** The JSON string literal of a text, as RFC 8785 writes it. Shape: a lone surrogate becomes an escape. */
export function quote(text: string): string {
  return NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`;
}

class CanonicalWriter {
  readonly #rootLevel: number;
  /** Names and indices from the value given down to the one being written; longer than its level once it went up again. */
  readonly #path: (string | number)[] = [];
  #affordable = MAX_COST;

  constructor(rootLevel: number) {
    this.#rootLevel = rootLevel;
  }

  write(value: unknown, level: number): string {
    if (level > LIMITS.hashedDepth) {
      throw this.#failure("JSON_TOO_DEEP", level, `a value stands more than ${LIMITS.hashedDepth} levels down`);
    }
    if (typeof value === "string") return this.#string(value, level, "");
    if (typeof value === "object") {
      return value === null ? this.#counted("null", level) : this.#container(value, level);
    }
    if (typeof value === "number") {
      if (!Number.isFinite(value)) throw this.#failure("JSON_NUMBER_RANGE", level, "it is not finite");
      // A template writes -0 as 0, and everything else as RFC 8785 has it.
      return this.#counted(`${value}`, level);
    }
    if (typeof value === "boolean") return this.#counted(value ? "true" : "false", level);
    throw this.#failure("JSON_NOT_DATA", level, `its type is ${typeof value}`);
  }

  #container(value: object, level: number): string {
    // First of all, for nothing else can be asked of a proxy without calling its traps.
    if (types.isProxy(value)) throw this.#failure("JSON_NOT_DATA", level, "it is a proxy");
    if (Array.isArray(value)) {
      if (isPlainArray(value)) return this.#array(value, level);
    } else if (isPlainObject(value)) {
      return this.#object(value, level);
    }
    throw this.#failure("JSON_NOT_DATA", level, "it is an instance of a class");
  }

  #array(array: readonly unknown[], level: number): string {
    const { length } = array;
    this.#checkMembers(array, length, level);
    let text = this.#counted("[", level);
    for (let index = 0; index < length; index += 1) {
      this.#path[level - this.#rootLevel] = index;
      const element = this.#member(array, index, level);
      text += index === 0 ? element : `,${element}`;
    }
    // Every index was there: more names than these and `length` are members beside the elements.
    if (Object.getOwnPropertyNames(array).length > length + 1) {
      throw this.#failure("JSON_NOT_DATA", level, "it is an array with members beside its elements");
    }
    return `${text}]`;
  }

  #object(object: object, level: number): string {
    const names = Object.getOwnPropertyNames(object);
    this.#checkMembers(object, names.length, level);
    sortByUnit(names);
    let text = this.#counted("{", level);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? "";
      const literal = this.#string(name, level, " in a member name");
      this.#path[level - this.#rootLevel] = name;
      const member = this.#member(object, name, level);
      text += index === 0 ? `${literal}:${member}` : `,${literal}:${member}`;
    }
    return `${text}}`;
  }

  #member(container: object, name: string | number, level: number): string {
    const descriptor = Object.getOwnPropertyDescriptor(container, name);
    if (descriptor === undefined) throw this.#failure("JSON_NOT_DATA", level + 1, "it is a hole in an array");
    if (!Object.hasOwn(descriptor, "value"))
      throw this.#failure("JSON_NOT_DATA", level + 1, "it is a getter or setter");
    if (descriptor.enumerable !== true) throw this.#failure("JSON_NOT_DATA", level + 1, "it is not enumerable");
    return this.write(descriptor.value, level + 1);
  }

  #string(text: string, level: number, where: string): string {
    const { length } = text;
    const limit = LIMITS.hashedStringCodePoints;
    if (length > limit && (length > 2 * limit || codePointLength(text) > limit)) {
      throw this.#failure("JSON_STRING_TOO_LONG", level, `the string${where}`);
    }
    if (!NEEDS_ESCAPES.test(text)) return this.#counted(`"${text}"`, level);
    if (!text.isWellFormed()) throw this.#failure("JSON_SURROGATE", level, `the string${where}`);
    return this.#counted(JSON.stringify(text), level);
  }

  #checkMembers(container: object, count: number, level: number): void {
    if (count > LIMITS.hashedMembers) throw this.#failure("JSON_TOO_MANY_MEMBERS", level, `it has ${count}`);
    if (Object.getOwnPropertySymbols(container).length > 0) {
      throw this.#failure("JSON_NOT_DATA", level, "it has a symbol for a member name");
    }
  }

  #counted(piece: string, level: number): string {
    this.#affordable -= piece.length + COST_PER_PIECE;
    if (this.#affordable < 0) throw this.#failure("JSON_TOO_LARGE", level, "its canonical text takes too much memory");
    return piece;
  }

  #failure(code: FailureCode, level: number, detail: string): CallgateError {
    return new CallgateError(code, { at: pointerOf(this.#path.slice(0, level - this.#rootLevel)), detail });
  }
}

/** Sorts by UTF-16 unit, in place. */
function sortByUnit(names: string[]): void {
  if (names.length > FEW_NAMES) {
    names.sort();
    return;
  }
  for (let end = 1; end < names.length; end += 1) {
    const name = names[end] ?? "";
    let index = end - 1;
    for (; index >= 0 && (names[index] ?? "") > name; index -= 1) names[index + 1] = names[index] ?? "";
    names[index + 1] = name;
  }
}
