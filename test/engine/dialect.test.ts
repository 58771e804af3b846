import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { readMachine } from "../../src/engine/dialect.ts";

const context = () => undefined;
const END = { type: "final" };
const machine = (members: object): object => ({ id: "m", initial: "a", context, states: { a: END }, ...members });
const state = (members: object): object => machine({ states: { a: members, b: END } });
const event = (branches: unknown): object => state({ on: { e: branches } });
const branch = (members: object): object => event({ target: "b", ...members });

/** Everything that a machine outside the dialect can be told. */
const SENTENCES: readonly string[] = [
  "a guard is asked twice",
  "a plain object must stand here",
  "a state is final or answers events",
  "actions are a list",
  "an action is named",
  "context must be a function of the input",
  "members are named data",
  "only the last branch has no guard",
  "the last branch has no guard",
  "the only type of a state is final",
  ...[
    "after",
    "always",
    "cond",
    "delay",
    "entry",
    "exit",
    "gaurd",
    "initial",
    "invoke",
    "on",
    "onDone",
    "output",
    "reenter",
    "schemas",
    "tags",
    "type",
  ].map((name) => `${name} is not in the dialect`),
  ...["guard", "id", "initial", "target", "type"].map((name) => `${name} must be a name`),
  ...["refuse", "settle", "succeed"].map((action) => `${action} has not the params that it needs`),
];

class Inherited {
  readonly type = "final";
}

describe("what stands in the dialect", () => {
  test("a guarded event, an event that stays, told actions, and ends", () => {
    const written = readMachine(
      event([
        { guard: "g", target: "b", actions: ["settle", { type: "refuse", params: { code: "NOT_FOUND" } }] },
        { actions: [{ type: "succeed", params: { delivery: "fresh" } }] },
      ]),
    );
    expect(written).toEqual({
      id: "m",
      initial: "a",
      states: new Map([
        [
          "a",
          {
            final: false,
            on: new Map([
              [
                "e",
                [
                  {
                    guard: "g",
                    target: "b",
                    actions: [
                      { type: "settle", params: {} },
                      { type: "refuse", params: { code: "NOT_FOUND" } },
                    ],
                  },
                  { guard: null, target: null, actions: [{ type: "succeed", params: { delivery: "fresh" } }] },
                ],
              ],
            ]),
          },
        ],
        ["b", { final: true, on: new Map() }],
      ]),
    });
  });

  test("the empty schemas that `setup` leaves", () => {
    expect(readMachine(machine({ schemas: undefined })).id).toBe("m");
  });
});

describe("what does not", () => {
  const OUT: readonly (readonly [string, unknown, string])[] = [
    ["no machine", null, "machine"],
    ["a list for a machine", [], "machine"],
    ["a machine without an id", machine({ id: undefined }), "machine"],
    ["schemas", machine({ schemas: {} }), "machine"],
    [
      "schemas that are a getter",
      Object.defineProperty(machine({}), "schemas", { get: () => undefined, enumerable: true }),
      "machine",
    ],
    ["a context that is no function", machine({ context: {} }), "m"],
    ["an on at the root", machine({ on: {} }), "machine"],
    ["an always at the root", machine({ always: [] }), "machine"],
    ["a type at the root", machine({ type: "parallel" }), "machine"],
    ["an entry at the root", machine({ entry: [] }), "machine"],
    ["an output", machine({ output: {} }), "machine"],
    ["no initial state", machine({ initial: { target: "a" } }), "m"],
    ["states that are a list", machine({ states: [END] }), "m"],
    ["a state that is null", state(null as never), "m/a"],
    ["a state of a class", machine({ states: { a: new Inherited() } }), "m/a"],
    ["a state that neither ends nor answers", state({}), "m/a"],
    ["an end that answers", state({ type: "final", on: {} }), "m/a"],
    ["a history", state({ type: "history" }), "m/a"],
    ["an invoke", state({ on: {}, invoke: { src: "s" } }), "m/a"],
    ["an after", state({ on: {}, after: { 1: "b" } }), "m/a"],
    ["an always", state({ on: {}, always: "b" }), "m/a"],
    ["an entry", state({ on: {}, entry: ["x"] }), "m/a"],
    ["an exit", state({ on: {}, exit: ["x"] }), "m/a"],
    ["an onDone", state({ on: {}, onDone: "b" }), "m/a"],
    ["tags", state({ on: {}, tags: ["t"] }), "m/a"],
    ["nested states", state({ on: {}, initial: "c", states: { c: END } }), "m/a"],
    ["a member that is a symbol", state({ on: {}, [Symbol("x")]: 1 }), "m/a"],
    ["a member that is a getter", state(Object.defineProperty({}, "on", { get: () => ({}), enumerable: true })), "m/a"],
    ["a target alone", event("b"), "m/a/e/0"],
    ["an event that is forbidden", event(undefined), "m/a/e/0"],
    ["no branch", event([]), "m/a/e"],
    ["a last branch with a guard", event([{ guard: "g", target: "b" }]), "m/a/e"],
    ["a branch without a guard before the last", event([{ target: "b" }, { target: "a" }]), "m/a/e"],
    ["a guard asked twice", event([{ guard: "g" }, { guard: "g" }, { target: "b" }]), "m/a/e"],
    ["a guard that is a function", event([{ guard: () => true }, { target: "b" }]), "m/a/e/0"],
    ["a guard that is told something", event([{ guard: { type: "g" } }, { target: "b" }]), "m/a/e/0"],
    ["a misspelt guard", branch({ gaurd: "g" }), "m/a/e/0"],
    ["a condition of an older version", branch({ cond: "g" }), "m/a/e/0"],
    ["a transition that enters again", branch({ reenter: true }), "m/a/e/0"],
    ["several targets", branch({ target: ["b"] }), "m/a/e/0"],
    ["a target that is undefined", branch({ target: undefined }), "m/a/e/0"],
    ["one action outside a list", branch({ actions: "settle" }), "m/a/e/0"],
    ["an action that is a function", branch({ actions: [() => undefined] }), "m/a/e/0"],
    ["an action that is null", branch({ actions: [null] }), "m/a/e/0"],
    ["an action that is a number", branch({ actions: [7] }), "m/a/e/0"],
    [
      "a delivery that is a list of one",
      branch({ actions: [{ type: "succeed", params: { delivery: ["fresh"] } }] }),
      "m/a/e/0",
    ],
    ["an action with more members", branch({ actions: [{ type: "settle", delay: 1 }] }), "m/a/e/0"],
    ["an action without a name", branch({ actions: [{ params: {} }] }), "m/a/e/0"],
    ["params that are computed", branch({ actions: [{ type: "refuse", params: () => ({}) }] }), "m/a/e/0"],
    ["a refusal without a code", branch({ actions: ["refuse"] }), "m/a/e/0"],
    ["a code of no refusal", branch({ actions: [{ type: "refuse", params: { code: "toString" } }] }), "m/a/e/0"],
    ["a delivery of none", branch({ actions: [{ type: "succeed", params: { delivery: "late" } }] }), "m/a/e/0"],
    ["an effect told what it needs not", branch({ actions: [{ type: "settle", params: { code: "OK" } }] }), "m/a/e/0"],
  ];

  test.each(OUT)("%s", (_what, config, at) => {
    expect(() => readMachine(config)).toThrow(expect.objectContaining({ code: "MACHINE_OUT_OF_DIALECT", at }));
  });

  test("says in each case what it is", () => {
    const told = OUT.map(([, config]) => {
      try {
        readMachine(config);
      } catch (error) {
        if (error instanceof CallgateError) return error.detail;
      }
      return null;
    });
    expect(new Set(told)).toEqual(new Set(SENTENCES));
  });
});
