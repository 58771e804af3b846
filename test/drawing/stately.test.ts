import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, transition, type AnyStateMachine } from "xstate";
import { drawStately } from "../../src/drawing/diagrams.ts";
import type { StatelyMachine, StatelyTransition } from "../../src/drawing/stately.ts";
import { choicesOf, holding, SUBJECTS, type Subject } from "../engine/subjects.ts";
import { goldenText, tableText } from "../machines/table-text.ts";

/** The committed configuration, as somebody would import it. */
function configOf({ name }: Subject): StatelyMachine {
  const path = join(import.meta.dirname, `../../diagrams/${name}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as StatelyMachine;
}

/** A machine of a configuration, with a machine's own start and what stands behind its names. */
function machineOf(config: object, { machine }: Subject): AnyStateMachine {
  const created = createMachine({ ...config, context: machine.config.context });
  const made: AnyStateMachine = created;
  return made.provide(machine.implementations);
}

/** The same in the dialect of machines/, which takes guards by their names and has no descriptions. Errors: for more than that. */
function inDialect({ description: _machine, states, ...config }: StatelyMachine): object {
  const branch = ({ description: _branch, guard, ...rest }: StatelyTransition): object => {
    if (guard === undefined) return rest;
    const { type, ...more } = guard;
    if (Object.keys(more).length > 0) throw new TypeError("a guard is told something");
    return { ...rest, guard: type };
  };
  const stateEntries = Object.entries(states).map(([name, state]) => {
    if (!("on" in state)) return [name, state] as const;
    const on = Object.entries(state.on).map(([event, branches]) => [event, [branches].flat().map(branch)] as const);
    return [name, { ...state, on: Object.fromEntries(on) }] as const;
  });
  return { ...config, states: Object.fromEntries(stateEntries) };
}

function branchesIn({ states }: StatelyMachine): readonly StatelyTransition[] {
  return Object.values(states).flatMap((state) => ("on" in state ? Object.values(state.on).flat() : []));
}

describe.each(SUBJECTS)("the configuration of $name for Stately's editor", (subject) => {
  const config = configOf(subject);

  test("is the one that is drawn, and is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(drawStately(subject.name)))).toStrictEqual(drawStately(subject.name));
    expect(config).toStrictEqual(drawStately(subject.name));
  });

  test("makes a machine that compiles to the committed table", () => {
    const { table } = subject.around(machineOf(inDialect(config), subject));
    expect(tableText(table)).toBe(goldenText(subject.name));
  });

  test("as it stands makes a machine that XState steps as it steps the original", () => {
    const imported = subject.around(machineOf(config, subject));
    const context = Object.freeze(subject.contextIn("executing"));
    let steps = 0;
    for (const { state, event: type } of subject.table.rows.filter(({ branch }) => branch === 0)) {
      const cell = subject.table.rows.filter((row) => row.state === state && row.event === type);
      for (const held of choicesOf(cell.flatMap(({ guard }) => guard ?? []))) {
        const [step, expected] = [imported, subject].map((side) => {
          const machine = side.provided(holding(subject, held));
          const from = machine.resolveState({ value: state, context });
          const [to, actions] = transition(machine, from, subject.event(type));
          return {
            value: to.value,
            context: to.context,
            actions: actions.map((action) => [action.type, action.params]),
          };
        });
        expect(step).toStrictEqual(expected);
        steps += 1;
      }
    }
    expect(steps).toBeGreaterThanOrEqual(subject.table.rows.length);
  });

  test("describes every branch that is one of several, and every code and delivery that is told", () => {
    for (const { actions = [], description = "" } of branchesIn(config)) {
      for (const { params = {} } of actions)
        for (const told of Object.values(params)) expect(description).toContain(told);
    }
    const lists = Object.values(config.states).flatMap((state) => ("on" in state ? Object.values(state.on) : []));
    const several = lists.map((list) => [list].flat()).filter(({ length }) => length > 1);
    expect(several.flat().filter(({ description = "" }) => !/^\[.+\]/.test(description))).toEqual([]);
  });

  test("names its start, and its ends in its description", () => {
    expect(config.id).toBe(subject.name);
    for (const name of [subject.table.initial, ...subject.table.finals]) expect(config.description).toContain(name);
  });
});
