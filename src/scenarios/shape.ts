import { CallgateError } from "../errors/callgate-error.ts";
import { pointerOf } from "../json/pointer.ts";
import type { JsonDocument } from "../json/read.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import type { JsonObject, JsonPath, JsonValue } from "../protocol/json.ts";

/** One value of a file, the way that leads to it, and what must be true of it. Errors: FIXTURE_INVALID at its JSON pointer. */
export class Shape {
  readonly #document: JsonDocument;
  readonly #path: JsonPath;
  readonly value: JsonValue;

  constructor(document: JsonDocument, value: JsonValue, path: JsonPath) {
    this.#document = document;
    this.#path = path;
    this.value = value;
  }

  /** The whole file. */
  static of(document: JsonDocument): Shape {
    return new Shape(document, document.value, []);
  }

  /** The JSON pointer of the value. */
  get at(): string {
    return pointerOf(this.#path);
  }

  /** An error about this value, or about one below it. */
  failure(detail: string, at = this.at): CallgateError {
    const line = this.#document.placeOf(at)?.line ?? 1;
    return new CallgateError("FIXTURE_INVALID", { at, detail: `${detail}, on line ${line}` });
  }

  /** An object with whatever members. */
  object(): JsonObject {
    const { value } = this;
    if (!isObject(value)) throw this.failure("an object is expected");
    return value;
  }

  /** The members of an object that has exactly these, and may have the optional ones. */
  members<Name extends string, Optional extends string = never>(
    names: readonly Name[],
    optional: readonly Optional[] = [],
  ): Readonly<Record<Name, Shape> & Partial<Record<Optional, Shape>>> {
    const object = this.object();
    const known: readonly string[] = [...names, ...optional];
    const extra = Object.keys(object).find((name) => !known.includes(name));
    // First: a name that is written wrong is also one that is missing.
    if (extra !== undefined) {
      throw this.#below(extra, null).failure(`no such member is known here, but ${known.join(", ")}`);
    }
    const missing = names.find((name) => !Object.hasOwn(object, name));
    if (missing !== undefined) throw this.failure(`\`${missing}\` is missing`);
    const entries = Object.entries(object).map(([name, value]) => [name, this.#below(name, value)] as const);
    return Object.fromEntries(entries) as Record<Name, Shape> & Partial<Record<Optional, Shape>>;
  }

  /** The items of a list. */
  items(fewest: number, most: number): readonly Shape[] {
    const { value } = this;
    if (!isList(value)) throw this.failure("a list is expected");
    if (value.length < fewest || value.length > most) {
      throw this.failure(`${fewest} to ${most} items are expected, it has ${value.length}`);
    }
    return value.map((item, index) => this.#below(index, item));
  }

  /** An identifier. */
  identifier(): string {
    const { value } = this;
    if (!isIdentifier(value)) throw this.failure("1 to 255 characters that are not only white space are expected");
    return value;
  }

  /** An identifier, or null. */
  identifierOrNull(): string | null {
    return this.value === null ? null : this.identifier();
  }

  /** One of some texts. */
  oneOf<Text extends string>(texts: readonly Text[]): Text {
    const found = texts.find((text) => text === this.value);
    if (found === undefined) throw this.failure(`one of these is expected: ${texts.join(", ")}`);
    return found;
  }

  /** An integer, written as one: without a fraction or an exponent. */
  integer(smallest: number, largest: number): number {
    const { value } = this;
    const isWritten = typeof value === "number" && !this.#document.nonIntegers.has(this.at);
    if (!isWritten || value < smallest || value > largest) {
      throw this.failure(`an integer from ${smallest} to ${largest} is expected, without fraction or exponent`);
    }
    return value;
  }

  #below(token: string | number, value: JsonValue): Shape {
    return new Shape(this.#document, value, [...this.#path, token]);
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
