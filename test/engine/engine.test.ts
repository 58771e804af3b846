import { describe, expect, test } from "vitest";
import { createEngine } from "../../src/engine/engine.ts";
import { OPERATION, operationEngine } from "../../src/engine/operation.ts";
import { OPERATION_SAMPLES, OPERATION_START } from "./sample-events.ts";
import { holding, OPERATION_SUBJECT, SUBJECTS } from "./subjects.ts";

const INTERPRETERS = ["table", "xstate"] as const;
const { guards: NAMES } = OPERATION_SUBJECT;
const NO = holding(OPERATION_SUBJECT, []);

describe.each(SUBJECTS)("$name", (subject) => {
  test.each(INTERPRETERS)("starts by %s where its machine does, with the context it is given", (interpreter) => {
    const context = subject.contextIn(subject.table.initial);
    const start = subject.engine(holding(subject, []), interpreter).initial(context);
    expect(start).toEqual({ state: subject.table.initial, context });
  });

  test.each(["", "limbo", "__proto__", "constructor", "toString"])("has no state %j", (state) => {
    const engine = subject.engine(holding(subject, []));
    expect(() => engine.step(state, {}, { type: "host.bound" })).toThrow(
      expect.objectContaining({ code: "STATE_INVALID", at: subject.name }),
    );
  });

  test.each(subject.guards)("is incomplete without %s", (name) => {
    const { [name]: _left, ...others } = holding(subject, []);
    for (const interpreter of INTERPRETERS) {
      expect(() => subject.engine(others, interpreter)).toThrow(
        expect.objectContaining({ code: "MACHINE_INCOMPLETE", detail: name }),
      );
    }
  });
});

describe("an engine", () => {
  test("steps by the table unless told otherwise, and says what it stepped", () => {
    const engine = operationEngine({ guards: holding(OPERATION_SUBJECT, ["isWrite"]) });
    expect(engine.step("identified", OPERATION_START, OPERATION_SAMPLES["access.granted"])).toEqual({
      kind: "stepped",
      from: "identified",
      to: "authorized",
      event: "access.granted",
      branch: 1,
      context: OPERATION_START,
      effects: [{ type: "lookUpScope" }],
    });
  });

  test("is not made of a machine that lacks a change", () => {
    const { bindCall: _left, ...changes } = OPERATION.changes;
    expect(() => createEngine({ ...OPERATION, changes }, { guards: NO })).toThrow(
      expect.objectContaining({ code: "MACHINE_INCOMPLETE", at: "operation/proposed/host.bound" }),
    );
  });

  test("is not made of a machine that lacks a state of its words", () => {
    expect(() => createEngine({ ...OPERATION, states: [...OPERATION.states, "limbo"] }, { guards: NO })).toThrow(
      expect.objectContaining({ code: "MACHINE_OUT_OF_DIALECT", at: "operation/limbo" }),
    );
  });

  test("does not let what it hands out be changed", () => {
    const step = operationEngine({ guards: NO }).step("bound", OPERATION_START, OPERATION_SAMPLES["identity.claimed"]);
    if (step.kind !== "stepped") throw new TypeError("the event was not answered");
    expect(Object.isFrozen(step.effects)).toBe(true);
    expect(step.effects.every((effect) => Object.isFrozen(effect))).toBe(true);
  });
});

describe.each(INTERPRETERS)("by %s", (interpreter) => {
  test("a guard that throws is thrown on as it is, and the next step is not disturbed", () => {
    const bug = new Error("a bug in a guard");
    let broken = true;
    const isWrite = (): boolean => {
      if (broken) throw bug;
      return true;
    };
    const engine = OPERATION_SUBJECT.engine({ ...NO, isWrite, outputFits: () => true }, interpreter);
    const step = () => engine.step("executing", OPERATION_START, OPERATION_SAMPLES["tool.threw"]);
    expect(step).toThrow(bug);
    broken = false;
    expect(step()).toMatchObject({ to: "unknown", branch: 0 });
    // Another bug is thrown on as itself.
    const returned = { ...OPERATION_SAMPLES["tool.returned"], answer: { value: null } };
    expect(() => engine.step("executing", OPERATION_SUBJECT.contextIn("executing"), returned)).toThrow(
      /no guard accepted/,
    );
  });

  test("an answer that is no boolean is a bug, not a yes", () => {
    const guards = { ...NO, isWrite: () => Promise.resolve(false) };
    const engine = OPERATION_SUBJECT.engine(guards as never, interpreter);
    expect(() => engine.step("executing", OPERATION_START, OPERATION_SAMPLES["tool.threw"])).toThrow(TypeError);
  });

  test.each([
    ["succeed", "querying", { ...OPERATION_SAMPLES["receipt.found"], receipt: { value: null } }],
    ["succeed", "executing", { ...OPERATION_SAMPLES["tool.returned"], answer: { value: { output: {} } } }],
  ])("%s on an answer that no guard would accept is a bug", (_change, state, event) => {
    const engine = OPERATION_SUBJECT.engine(holding(OPERATION_SUBJECT, NAMES), interpreter);
    expect(() => engine.step(state, OPERATION_SUBJECT.contextIn(state), event)).toThrow(TypeError);
  });

  test("a success that was never bound is a bug", () => {
    const engine = OPERATION_SUBJECT.engine(holding(OPERATION_SUBJECT, NAMES), interpreter);
    expect(() => engine.step("executing", OPERATION_START, OPERATION_SAMPLES["tool.returned"])).toThrow(TypeError);
  });
});
