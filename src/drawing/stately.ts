import type { ActionParams } from "../engine/action-params.ts";
import type { TransitionTable } from "../engine/compile.ts";
import { REFUSALS } from "../errors/refusals.ts";
import { guardText, type AnyBranch } from "./branch-text.ts";

/** One action, by name. */
export interface StatelyAction {
  readonly type: string;
  readonly params?: ActionParams;
}

/** One branch of an event. Shape: without `target` it stays. */
export interface StatelyTransition {
  readonly guard?: { readonly type: string };
  readonly target?: string;
  readonly actions?: readonly StatelyAction[];
  readonly description?: string;
}

/** One state: it ends, or answers events. */
export type StatelyState =
  | { readonly type: "final" }
  | { readonly on: Readonly<Record<string, StatelyTransition | readonly StatelyTransition[]>> };

/** A machine's configuration as plain JSON, as Stately's editor imports it and `createMachine` of xstate takes it. */
export interface StatelyMachine {
  readonly id: string;
  readonly description: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, StatelyState>>;
}

type AnyTable = TransitionTable<string, string, string>;

/** Writes a table as a configuration. Guards and actions are names; a description says what a model is told, and why. */
export function writeStately(table: AnyTable): StatelyMachine {
  return {
    id: table.name,
    description: `It starts in ${table.initial} and ends in ${[...table.finals].join(", ")}.`,
    initial: table.initial,
    states: Object.fromEntries(table.states.map((state) => [state, stateOf(state, table)])),
  };
}

function stateOf(state: string, { finals, rows }: AnyTable): StatelyState {
  if (finals.has(state)) return { type: "final" };
  const cells = Map.groupBy(
    rows.filter((row) => row.state === state),
    ({ event }) => event,
  );
  const on = [...cells].map(([event, branches]) => {
    const [first, ...others] = branches.map((branch) => transitionOf(branch, branches));
    if (first === undefined) throw new TypeError(`${state} does not answer ${event}`);
    return [event, others.length === 0 ? first : [first, ...others]] as const;
  });
  return { on: Object.fromEntries(on) };
}

function transitionOf(row: AnyBranch, branches: readonly AnyBranch[]): StatelyTransition {
  const { state, guard, target, changes, effects } = row;
  const actions = [...changes, ...effects].map(({ type, params = {} }): StatelyAction => {
    return Object.keys(params).length === 0 ? { type } : { type, params };
  });
  const description = descriptionOf(guardText(row, branches), actions);
  return {
    ...(guard === null ? {} : { guard: { type: guard } }),
    ...(target === state ? {} : { target }),
    ...(actions.length === 0 ? {} : { actions }),
    ...(description === "" ? {} : { description }),
  };
}

/** Shape: when the branch is taken, then each code with its sentence and each delivery; a line each. */
function descriptionOf(when: string | null, actions: readonly StatelyAction[]): string {
  const told = actions.flatMap(({ params: { code, delivery } = {} }) => [
    ...(code === undefined ? [] : [`${code}: ${REFUSALS[code].sentence}`]),
    ...(delivery === undefined ? [] : [`success, delivery ${delivery}`]),
  ]);
  return [...(when === null ? [] : [`[${when}]`]), ...told].join("\n");
}
