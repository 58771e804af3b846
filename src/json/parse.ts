import { CallgateError } from "../errors/callgate-error.ts";
import type { FailureCode } from "../errors/failures.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { LIMITS } from "../protocol/limits.ts";
import { describePlace, placeOfOffset } from "./place.ts";
import { pointerOf } from "./pointer.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const NUMBER_START = /[-+.0-9]/;
const NUMBER_REST = /[-+.0-9A-Za-z]/;
const FRACTION_OR_EXPONENT = /[.eE]/;
const FOUR_HEX = /[0-9A-Fa-f]{4}/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * Parses a JSON text whose nesting has been bounded, more strictly than RFC 8259 asks: no member twice (compared after
 * unescaping), no integer that a double cannot hold, no number that overflows, no lone surrogate.
 * @param nonIntegers collects the JSON pointer of every number written with a fraction or an exponent
 * Errors: JSON_SYNTAX at a line and column; JSON_DUPLICATE_MEMBER, JSON_NUMBER_RANGE and JSON_SURROGATE at a JSON pointer.
 */
export function parseText(text: string, nonIntegers: Set<string> | null = null): JsonValue {
  return new TextParser(text, nonIntegers, LIMITS.integerMagnitude).parse();
}

/**
 * Parses a text that this product wrote itself. Canonical form writes a large double as an integer, so here one is none of
 * the things that a text from outside must not have. Errors: as `parseText`, for a text that was changed since.
 */
export function parseKept(text: string): JsonValue {
  return new TextParser(text, null, Number.MAX_VALUE).parse();
}

class TextParser {
  readonly #text: string;
  readonly #nonIntegers: Set<string> | null;
  readonly #largestInteger: number;
  readonly #path: (string | number)[] = [];
  #offset = 0;

  constructor(text: string, nonIntegers: Set<string> | null, largestInteger: number) {
    this.#text = text;
    this.#nonIntegers = nonIntegers;
    this.#largestInteger = largestInteger;
  }

  parse(): JsonValue {
    this.#skipWhiteSpace();
    const value = this.#value();
    this.#skipWhiteSpace();
    if (this.#offset < this.#text.length) throw this.#syntax("the text must end after its value");
    return value;
  }

  // Recursion is bounded: the nesting has been looked at before.
  #value(): JsonValue {
    switch (this.#text.charAt(this.#offset)) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string("in the string");
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return this.#number();
    }
  }

  #object(): JsonObject {
    const object: Record<string, JsonValue> = {};
    this.#offset += 1;
    this.#skipWhiteSpace();
    if (this.#take("}")) return object;
    for (;;) {
      const nameOffset = this.#offset;
      if (this.#text.charCodeAt(nameOffset) !== QUOTE) throw this.#syntax("a member name in double quotes is expected");
      const name = this.#string("in a member name of the object");
      this.#path.push(name);
      if (Object.hasOwn(object, name)) throw this.#refused("JSON_DUPLICATE_MEMBER", nameOffset, "the second");
      this.#skipWhiteSpace();
      if (!this.#take(":")) throw this.#syntax("a colon is expected");
      this.#skipWhiteSpace();
      setMember(object, name, this.#value());
      this.#path.pop();
      this.#skipWhiteSpace();
      if (this.#take("}")) return object;
      if (!this.#take(",")) throw this.#syntax("a comma or a closing brace is expected");
      this.#skipWhiteSpace();
    }
  }

  #array(): readonly JsonValue[] {
    const array: JsonValue[] = [];
    this.#offset += 1;
    this.#skipWhiteSpace();
    if (this.#take("]")) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      this.#skipWhiteSpace();
      if (this.#take("]")) return array;
      if (!this.#take(",")) throw this.#syntax("a comma or a closing bracket is expected");
      this.#skipWhiteSpace();
    }
  }

  #literal<Value extends boolean | null>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#offset)) throw this.#syntax("a value is expected");
    this.#offset += word.length;
    return value;
  }

  #number(): number {
    const start = this.#offset;
    NUMBER.lastIndex = start;
    const matched = NUMBER.test(this.#text);
    const end = NUMBER.lastIndex;
    if ((matched ? NUMBER_REST : NUMBER_START).test(this.#text.charAt(end))) {
      throw this.#syntax("this is not a number as JSON writes it");
    }
    if (!matched) throw this.#syntax("a value is expected");
    const written = this.#text.slice(start, end);
    const value = Number(written);
    if (FRACTION_OR_EXPONENT.test(written)) {
      if (!Number.isFinite(value)) throw this.#refused("JSON_NUMBER_RANGE", start, "the number");
      this.#nonIntegers?.add(pointerOf(this.#path));
    } else if (Math.abs(value) > this.#largestInteger) {
      // Rounding cannot hide one: the nearest double of every greater integer is greater, too.
      throw this.#refused("JSON_NUMBER_RANGE", start, "the number");
    }
    this.#offset = end;
    // The contract knows one zero.
    return value === 0 ? 0 : value;
  }

  #string(where: string): string {
    const start = this.#offset;
    let pieceStart = start + 1;
    let unescaped = "";
    let mayHaveSurrogates = false;
    for (let offset = pieceStart; ; offset += 1) {
      const unit = this.#text.charCodeAt(offset);
      if (unit === QUOTE) {
        unescaped += this.#text.slice(pieceStart, offset);
        this.#offset = offset + 1;
        break;
      }
      if (unit === BACKSLASH) {
        unescaped += this.#text.slice(pieceStart, offset);
        mayHaveSurrogates ||= this.#text.charCodeAt(offset + 1) === LETTER_U;
        const character = this.#escape(offset);
        unescaped += character.text;
        offset = character.end - 1;
        pieceStart = character.end;
      } else if (!(unit >= SPACE)) {
        this.#offset = Number.isNaN(unit) ? start : offset;
        throw this.#syntax(
          Number.isNaN(unit) ? "the string is not closed" : "control characters in strings are escaped",
        );
      }
    }
    if (mayHaveSurrogates && !unescaped.isWellFormed()) throw this.#refused("JSON_SURROGATE", start, where);
    return unescaped;
  }

  #escape(backslash: number): { readonly text: string; readonly end: number } {
    const letter = this.#text.charAt(backslash + 1);
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) return { text: simple, end: backslash + 2 };
    FOUR_HEX.lastIndex = backslash + 2;
    if (letter !== "u" || !FOUR_HEX.test(this.#text)) {
      this.#offset = backslash;
      throw this.#syntax("there is no such escape");
    }
    const end = backslash + 6;
    return { text: String.fromCharCode(Number.parseInt(this.#text.slice(backslash + 2, end), 16)), end };
  }

  #take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  #skipWhiteSpace(): void {
    let unit = this.#text.charCodeAt(this.#offset);
    while (unit === SPACE || unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === TAB) {
      this.#offset += 1;
      unit = this.#text.charCodeAt(this.#offset);
    }
  }

  #syntax(detail: string): CallgateError {
    const ended = this.#offset >= this.#text.length ? ", but the text ends" : "";
    return new CallgateError("JSON_SYNTAX", { at: this.#describe(this.#offset), detail: `${detail}${ended}` });
  }

  #refused(code: FailureCode, offset: number, what: string): CallgateError {
    return new CallgateError(code, { at: pointerOf(this.#path), detail: `${what} on ${this.#describe(offset)}` });
  }

  #describe(offset: number): string {
    return describePlace(placeOfOffset(this.#text, offset));
  }
}

/** Sets a member of a fresh object, whatever it is called. */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  // Assigning `__proto__` would change the prototype instead.
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
