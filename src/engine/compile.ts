import type { MachineContext } from "xstate";
import { CallgateError } from "../errors/callgate-error.ts";
import type { ActionParams } from "./action-params.ts";
import { readMachine, type WrittenBranch } from "./dialect.ts";
import type { MachineSpec } from "./machine-spec.ts";

/** One effect that a step orders. Shape: `params` only where the machine tells the effect something. */
export interface EffectOrder<Effect extends string> {
  readonly type: Effect;
  readonly params?: ActionParams;
}

/** One change that a step makes. */
export interface ChangeOrder {
  readonly type: string;
  readonly params: ActionParams;
}

/** One branch of one event in one state. */
export interface TransitionRow<State extends string, EventType extends string, Effect extends string> {
  readonly state: State;
  readonly event: EventType;
  /** Place among the branches of this event in this state; the first that holds is taken. */
  readonly branch: number;
  /** Null on the last branch, which always holds. */
  readonly guard: string | null;
  /** The state itself when the branch stays. */
  readonly target: State;
  readonly changes: readonly ChangeOrder[];
  readonly effects: readonly EffectOrder<Effect>[];
}

/** A machine as rows: what is stepped, drawn and compared. */
export interface TransitionTable<State extends string, EventType extends string, Effect extends string> {
  readonly name: string;
  readonly initial: State;
  readonly states: readonly State[];
  /** The states that answer nothing more. */
  readonly finals: ReadonlySet<State>;
  /** The states in which nothing need be under way: the finals, and those entered without an asked effect. */
  readonly resting: ReadonlySet<State>;
  /** In the order of the machine. */
  readonly rows: readonly TransitionRow<State, EventType, Effect>[];
}

/**
 * Compiles an XState machine to its table.
 * Errors: MACHINE_OUT_OF_DIALECT; MACHINE_INCOMPLETE for a guard that the machine does not declare, or an action that is
 * neither a change nor an effect.
 */
export function compileMachine<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(spec: MachineSpec<State, Context, Event, Effect>): TransitionTable<State, Event["type"], Effect> {
  const written = readMachine(spec.machine.config);
  const stateOf = among(spec.states);
  const eventOf = among(namesOf(spec.events));
  const effectOf = among(namesOf(spec.effects));

  const rows: TransitionRow<State, Event["type"], Effect>[] = [];
  const finals = new Set<State>();
  for (const [stateName, { final, on }] of written.states) {
    const state = stateOf(stateName) ?? refuse(`${written.id}/${stateName}`, "the state is not a word of this machine");
    if (final) finals.add(state);
    for (const [eventName, branches] of on) {
      const at = `${written.id}/${stateName}/${eventName}`;
      const event = eventOf(eventName) ?? refuse(at, "the event is not in the alphabet");
      for (const [branch, { guard, target, actions }] of branches.entries()) {
        if (guard !== null && !Object.hasOwn(spec.machine.implementations.guards, guard)) {
          throw new CallgateError("MACHINE_INCOMPLETE", { at, detail: `${guard} is not a guard of the machine` });
        }
        if (target === stateName) refuse(at, "a branch stays by having no target");
        rows.push({
          state,
          event,
          branch,
          guard,
          target: target === null ? state : (stateOf(target) ?? refuse(at, "the target is not a state")),
          ...ordersOf(actions, at),
        });
      }
    }
  }
  for (const state of spec.states) {
    if (!written.states.has(state)) refuse(`${written.id}/${state}`, "the machine lacks the state");
  }
  const initial = stateOf(written.initial) ?? refuse(written.id, "the initial state is not a state");
  const resting = new Set(finals);
  for (const { target, effects } of rows) if (!effects.some(isAsked)) resting.add(target);
  return { name: written.id, initial, states: spec.states, finals, resting, rows };

  function ordersOf(actions: WrittenBranch["actions"], at: string) {
    const changes: ChangeOrder[] = [];
    const effects: EffectOrder<Effect>[] = [];
    for (const { type, params } of actions) {
      const effect = effectOf(type);
      if (effect !== null) effects.push(effectOrder(effect, params));
      else if (Object.hasOwn(spec.changes, type)) changes.push({ type, params });
      else throw new CallgateError("MACHINE_INCOMPLETE", { at, detail: `${type} is neither a change nor an effect` });
    }
    // They are handed out with every step that takes this branch.
    return { changes: Object.freeze(changes), effects: Object.freeze(effects) };
  }

  function isAsked({ type }: EffectOrder<Effect>): boolean {
    return spec.effects[type].kind === "asked";
  }
}

/** One effect as data. */
export function effectOrder<Effect extends string>(type: Effect, params: ActionParams): EffectOrder<Effect> {
  return Object.freeze(Object.keys(params).length === 0 ? { type } : { type, params: Object.freeze(params) });
}

/** The names of a table of words. */
export function namesOf<Name extends string>(words: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(words) as Name[];
}

/** Narrows a text to one of some names, or null. */
export function among<Name extends string>(names: readonly Name[]): (text: string) => Name | null {
  const known = new Map<string, Name>(names.map((name) => [name, name]));
  return (text) => known.get(text) ?? null;
}

function refuse(at: string, detail: string): never {
  throw new CallgateError("MACHINE_OUT_OF_DIALECT", { at, detail });
}
