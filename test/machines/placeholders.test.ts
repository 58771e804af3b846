import { describe, expect, test } from "vitest";
import { holding, SUBJECTS } from "../engine/subjects.ts";

/** Something that a machine names, as XState would call it. */
type Implementation = (scope: unknown, params: unknown) => unknown;

describe.each(SUBJECTS)("$name", (subject) => {
  const { guards, actions } = subject.machine.implementations;
  const provided = subject.provided(holding(subject, [])).implementations;

  test.each([...Object.entries(guards), ...Object.entries(actions)])(
    "%s throws until it is provided",
    (_name, stub) => {
      expect(stub as Implementation).toThrow(/provided/);
    },
  );

  test.each(Object.keys(guards))("the guard %s is provided", (name) => {
    const guard = provided.guards[name] as Implementation;
    expect(guard({ context: {}, event: {} }, undefined)).toBe(false);
  });

  test.each(Object.keys(subject.effects))("the effect %s does nothing by itself", (name) => {
    const effect = provided.actions[name] as Implementation;
    expect(effect({ context: {}, event: {} }, undefined)).toBeUndefined();
  });

  test.each(subject.changes)("the change %s is made by XState's own assign", (name) => {
    expect(provided.actions[name]).toHaveProperty("type", "xstate.assign");
  });

  test("declares the actions that it has words for, and no others", () => {
    expect(new Set(Object.keys(actions))).toEqual(new Set([...subject.changes, ...Object.keys(subject.effects)]));
    expect(new Set(Object.keys(provided.actions))).toEqual(new Set(Object.keys(actions)));
  });
});
