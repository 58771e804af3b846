import { describe, expect, test } from "vitest";
import { choicesOf, SUBJECTS, type AnyGuards, type AnyStep, type Subject } from "./subjects.ts";

/** Guards that say yes to some questions, and keep what they were asked. */
function watched(subject: Subject): {
  readonly guards: AnyGuards;
  hold(names: readonly string[]): void;
  asked: string[];
} {
  let held: readonly string[] = [];
  const asked: string[] = [];
  const answer = (name: string) => () => {
    asked.push(name);
    return held.includes(name);
  };
  return {
    guards: Object.fromEntries(subject.guards.map((name) => [name, answer(name)])),
    hold(names) {
      held = names;
      asked.length = 0;
    },
    asked,
  };
}

/** Freezes all of a value, so that a change made in place throws. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

describe.each(SUBJECTS)("$name", (subject) => {
  const { table, alphabet } = subject;
  const byTable = watched(subject);
  const byXState = watched(subject);
  const tableEngine = subject.engine(byTable.guards, "table");
  const xstateEngine = subject.engine(byXState.guards, "xstate");

  test.each(table.states)(
    "the table gives in %s what XState gives, for every event and whatever the guards say",
    (state) => {
      const context = frozen(subject.contextIn(state));
      const taken = new Set<string>();
      for (const type of Object.keys(alphabet)) {
        const rows = table.rows.filter((row) => row.state === state && row.event === type);
        const asked = rows.flatMap(({ guard }) => guard ?? []);
        const event = frozen(subject.event(type));
        for (const held of choicesOf(asked)) {
          const steps = [byTable, byXState].map((side, index): AnyStep => {
            side.hold(held);
            return (index === 0 ? tableEngine : xstateEngine).step(state, context, event);
          });
          const [step] = steps;
          if (step === undefined) throw new TypeError("no step");
          expect(steps[1]).toStrictEqual(step);
          expect(byXState.asked).toEqual(byTable.asked);
          // The first that holds is taken, and nothing behind it is asked.
          const expected = rows.findIndex(({ guard }) => guard === null || held.includes(guard));
          expect(byTable.asked).toEqual(asked.slice(0, expected + 1));
          expect(step.kind === "stepped" ? step.branch : -1).toBe(expected);
          if (step.kind === "stepped") taken.add(`${type} ${step.branch}`);
        }
      }
      const branches = table.rows.filter((row) => row.state === state).map(({ event, branch }) => `${event} ${branch}`);
      expect(taken).toEqual(new Set(branches));
    },
  );
});
