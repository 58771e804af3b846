import { transition, type AnyStateMachine, type AnyStateNode } from "xstate";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import type { TransitionTable } from "../../src/engine/compile.ts";
import { SUBJECTS, type Subject } from "../engine/subjects.ts";
import { FORGED_TYPES } from "./forged-events.ts";
import { promisesBroken } from "./promises.ts";
import { goldenText, tableText } from "./table-text.ts";

type Table = TransitionTable<string, string, string>;

/** What is wrong with a machine, one line a fault; empty if nothing is. */
export type Check = (subject: Subject) => readonly string[];

/** Every check of a machine, by name. A machine that has no table says so in the first two; the others then look no further. */
export const CHECKS = {
  dialect: (subject) => refusalOf(subject, "MACHINE_OUT_OF_DIALECT"),
  complete: (subject) => refusalOf(subject, "MACHINE_INCOMPLETE"),
  golden: onTable((table) => (tableText(table) === goldenText(table.name) ? [] : ["differs from the committed table"])),
  answered: onTable(unansweredEffects),
  words: onTable(wordsUnused),
  promises: onTable(promisesBroken),
  static: staticExits,
  dynamic: dynamicExits,
} as const satisfies Record<string, Check>;

/** Name of a check. */
export type CheckName = keyof typeof CHECKS;

/** The checks that find something wrong with a machine. */
export function failedChecks(subject: Subject): readonly CheckName[] {
  return (Object.keys(CHECKS) as CheckName[]).filter((name) => CHECKS[name](subject).length > 0);
}

/** The states that a run may rest in for good, and what each still answers. */
function restingPlaces(subject: Subject): ReadonlyMap<string, readonly string[]> {
  const { table } = original(subject);
  const places = new Map<string, readonly string[]>([...table.finals].map((state) => [state, []]));
  return subject.name === "operation" ? places.set("unknown", ["status.queried"]) : places;
}

function onTable(check: (table: Table, subject: Subject) => readonly string[]): Check {
  return (subject) => {
    let table: Table;
    try {
      table = subject.table;
    } catch {
      return [];
    }
    return check(table, subject);
  };
}

function refusalOf(subject: Subject, code: string): readonly string[] {
  try {
    return subject.table.name === subject.name ? [] : ["has another name"];
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    return error.code === code ? [error.message] : [];
  }
}

/** Each asked effect is answered: the state it is ordered into knows every answer, and waits for one effect at a time. */
function unansweredEffects(table: Table, { effects }: Subject): readonly string[] {
  return table.rows.flatMap(({ state, event, target, effects: orders }) => {
    const asked = orders.filter(({ type }) => effects[type]?.kind === "asked");
    const known = new Set(table.rows.filter((row) => row.state === target).map((row) => row.event));
    const missing = asked.flatMap(({ type }) => effects[type]?.answers.filter((answer) => !known.has(answer)) ?? []);
    return [
      ...(asked.length > 1 ? [`${state} ${event} asks for more than one answer`] : []),
      ...missing.map(
        (answer) => `${target} does not know ${answer}, an answer to ${asked.map(({ type }) => type).join()}`,
      ),
    ];
  });
}

/** Every word that stands for the machine is used by it, and every state can be reached. */
function wordsUnused(table: Table, { alphabet, changes, effects, guards }: Subject): readonly string[] {
  const used = new Set([table.initial]);
  for (const row of table.rows) {
    for (const word of [
      row.event,
      row.guard,
      row.target,
      ...[...row.changes, ...row.effects].map(({ type }) => type),
    ]) {
      if (word !== null) used.add(word);
    }
  }
  const words = [table.states, Object.keys(alphabet), changes, Object.keys(effects), guards].flat();
  return words.filter((word) => !used.has(word)).map((word) => `${word} is not used`);
}

/** What leaves a resting place, read off the state nodes: those of the place itself and of everything above it. */
function staticExits(subject: Subject): readonly string[] {
  return [...restingPlaces(subject)].flatMap(([state, answered]) => {
    const faults: string[] = [];
    for (let node: AnyStateNode | undefined = subject.machine.states[state]; node; node = node.parent) {
      const own = [...node.transitions.keys()].filter((event) => !answered.includes(event));
      const byItself = [node.always ?? [], node.after, node.invoke, node.entry, node.exit];
      faults.push(...own.map((event) => `${node?.id} answers ${event}`));
      if (byItself.some(({ length }) => length > 0)) faults.push(`${node.id} acts by itself`);
    }
    return faults;
  });
}

/** What leaves a resting place, found by feeding it everything, whatever the guards say. */
function dynamicExits(subject: Subject): readonly string[] {
  const names = Object.keys(subject.machine.implementations.guards);
  // No guard holds, each holds alone, all hold.
  const choices = [[], ...names.map((name) => [name]), names];
  let held: readonly string[] = [];
  const machine = subject.provided(Object.fromEntries(names.map((name) => [name, () => held.includes(name)])));
  const moves = (state: string, type: string): boolean =>
    choices.some((choice) => {
      held = choice;
      return movesOn(machine, subject, state, type);
    });
  const types = [...new Set([...SUBJECTS.flatMap(({ alphabet }) => Object.keys(alphabet)), ...FORGED_TYPES])];
  return [...restingPlaces(subject)].flatMap(([state, answered]) =>
    types
      .filter((type) => !answered.includes(type) && type !== "*")
      .filter((type) => moves(state, type))
      .map((type) => `${state} answers ${type || "the empty type"}`),
  );
}

function movesOn(machine: AnyStateMachine, subject: Subject, state: string, type: string): boolean {
  const known = Object.hasOwn(subject.alphabet, type);
  const before = machine.resolveState({ value: state, context: subject.contextIn(state) });
  try {
    const [after, actions] = transition(machine, before, known ? subject.event(type) : { type });
    return after.value !== state || after.context !== before.context || actions.length > 0;
  } catch {
    return true;
  }
}

function original({ name }: Subject): Subject {
  const subject = SUBJECTS.find((candidate) => candidate.name === name);
  if (subject === undefined) throw new TypeError("no machine of that name");
  return subject;
}
