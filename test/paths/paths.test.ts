import { initialTransition, transition } from "xstate";
import { describe, expect, test } from "vitest";
import { SUBJECTS, type AnyGuards, type Subject } from "../engine/subjects.ts";
import { generatedPaths, type Path } from "./generated-paths.ts";
import { fedOf, keyOf, pathMachine } from "./path-events.ts";

/** How many runs it takes, so that a generator that finds none is seen. */
const COUNTS: Readonly<Record<string, number>> = { operation: 66, status_query: 22, approval: 7 };

describe.each(SUBJECTS)("$name", (subject) => {
  const paths = generatedPaths(subject);

  test.each(paths.map((path) => [path.map(keyOf).join(" → "), path] as const))("%s", (_text, path) => {
    replay(subject, path, new Set());
  });

  test("the paths meet every state, branch and guard outcome", () => {
    const met = new Set<string>();
    for (const path of paths) replay(subject, path, met);
    expect(paths.length).toBe(COUNTS[subject.name]);
    expect(placesOf(subject).filter((place) => !met.has(place))).toEqual([]);
  });
});

/** All that paths can meet. */
function placesOf({ table }: Subject): readonly string[] {
  const outcomes = table.rows.flatMap(({ state, event, guard }) =>
    guard === null ? [] : [`${state} ${event} ${guard} true`, `${state} ${event} ${guard} false`],
  );
  const branches = table.rows.map(({ state, event, branch }) => `${state} ${event} ${branch}`);
  return [...table.states, ...branches, ...outcomes];
}

/**
 * Feeds one run to the table, to XState step by step, and to XState as one run: all are in the same place all the time.
 * @param met gathers the places on the way
 */
function replay(subject: Subject, path: Path, met: Set<string>): void {
  let held: readonly string[] = [];
  let asked: (readonly [string, boolean])[] = [];
  const guards: AnyGuards = Object.fromEntries(
    subject.guards.map((name) => [
      name,
      () => {
        asked.push([name, held.includes(name)]);
        return held.includes(name);
      },
    ]),
  );
  const byTable = subject.engine(guards, "table");
  const byXState = subject.engine(guards, "xstate");
  const machine = pathMachine(subject);
  const start = subject.contextIn(subject.table.initial);
  let [snapshot] = initialTransition(machine, start);
  let { state, context } = byTable.initial(start);
  expect(byXState.initial(start)).toEqual({ state, context });
  met.add(state);

  for (const event of path) {
    ({ held } = event);
    const other = byXState.step(state, context, fedOf(event));
    asked = [];
    const step = byTable.step(state, context, fedOf(event));
    expect(other).toStrictEqual(step);
    [snapshot] = transition(machine, snapshot, event);
    if (step.kind !== "stepped") throw new TypeError(`${state} does not answer ${event.type}`);
    expect([snapshot.value, snapshot.context]).toEqual([step.to, step.context]);
    for (const [guard, outcome] of asked) met.add(`${state} ${event.type} ${guard} ${outcome}`);
    met.add(`${state} ${event.type} ${step.branch}`);
    ({ to: state, context } = step);
    met.add(state);
  }
  expect(snapshot.status).toBe(subject.table.finals.has(state) ? "done" : "active");
}
