import type { AnyStateMachine, MachineContext } from "xstate";
import { APPROVAL } from "../../src/engine/approval.ts";
import { compileMachine, type TransitionTable } from "../../src/engine/compile.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { InterpreterName } from "../../src/protocol/interpreter.ts";
import type { Guards, MachineSpec } from "../../src/engine/machine-spec.ts";
import { OPERATION } from "../../src/engine/operation.ts";
import { provideMachine } from "../../src/engine/provide.ts";
import { STATUS_QUERY } from "../../src/engine/status-query.ts";
import type { Start, Stepped, StepRefused } from "../../src/engine/step.ts";
import type { EffectRow } from "../../src/protocol/effects.ts";
import {
  APPROVAL_SAMPLES,
  APPROVAL_START,
  BOUND,
  OPERATION_SAMPLES,
  OPERATION_START,
  STATUS_QUERY_SAMPLES,
  STATUS_QUERY_START,
} from "./sample-events.ts";

/** An event of any machine. */
export interface AnyEvent {
  readonly type: string;
}

/** What a step of any machine comes to. */
export type AnyStep = Stepped<string, MachineContext, string, string> | StepRefused;

/** An engine of any machine: what one machine's types would rule out can be fed. */
export interface AnyEngine {
  initial(context: MachineContext): Start<string, MachineContext>;
  step(state: string, context: MachineContext, event: unknown): AnyStep;
}

/** One of the three machines, as the tests over all of them see it. */
export interface Subject {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly table: TransitionTable<string, string, string>;
  readonly alphabet: Readonly<Record<string, readonly string[]>>;
  readonly changes: readonly string[];
  readonly effects: Readonly<Record<string, EffectRow<string>>>;
  readonly guards: readonly string[];
  /** A context that may stand in a state. */
  contextIn(state: string): MachineContext;
  /** A well-formed event of a type. */
  event(type: string): AnyEvent;
  /** The machine run with other answers, or another machine run with the same words. */
  engine(guards: AnyGuards, interpreter?: InterpreterName): AnyEngine;
  provided(guards: AnyGuards): AnyStateMachine;
  /** The same words and changes around another machine. */
  around(machine: AnyStateMachine): Subject;
}

/** Answers to a machine's questions, whatever its context and events. */
export type AnyGuards = Guards<unknown, unknown>;

function subjectOf<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(
  spec: MachineSpec<State, Context, Event, Effect>,
  samples: Readonly<Record<Event["type"], Event>>,
  contexts: { readonly start: Context; readonly later: Context },
): Subject {
  return {
    name: spec.machine.id,
    machine: spec.machine,
    // Compiled when asked for: a machine out of the dialect has no table.
    get table() {
      return compileMachine(spec);
    },
    alphabet: spec.events,
    changes: Object.keys(spec.changes),
    effects: spec.effects,
    guards: Object.keys(spec.machine.implementations.guards),
    contextIn: (state) => (state === "proposed" || state === "requested" ? contexts.start : contexts.later),
    event: (type) => samples[type as Event["type"]],
    engine(guards, interpreter) {
      const engine = createEngine(spec, { guards, interpreter });
      return {
        initial: (context) => engine.initial(context as Context),
        step: (state, context, event) => engine.step(state as State, context as Context, event as Event),
      };
    },
    provided: (guards) => provideMachine(spec, guards),
    around: (machine) => subjectOf({ ...spec, machine }, samples, contexts),
  };
}

/** The operation. */
export const OPERATION_SUBJECT = subjectOf(OPERATION, OPERATION_SAMPLES, {
  start: OPERATION_START,
  later: { ...OPERATION_START, bound: BOUND, refusal: "OUTCOME_UNKNOWN" },
});

/** The status query. */
export const STATUS_QUERY_SUBJECT = subjectOf(STATUS_QUERY, STATUS_QUERY_SAMPLES, {
  start: STATUS_QUERY_START,
  later: { ...STATUS_QUERY_START, bound: BOUND },
});

/** The approval. */
const APPROVAL_SUBJECT = subjectOf(APPROVAL, APPROVAL_SAMPLES, {
  start: APPROVAL_START,
  later: {
    approvalId: "approval-0",
    approverId: "human-reviewer-1",
    expiresAt: 1,
    holder: "fedcba9876543210fedcba9876543210",
  } as typeof APPROVAL_START,
});

/** All three machines. */
export const SUBJECTS: readonly Subject[] = [OPERATION_SUBJECT, STATUS_QUERY_SUBJECT, APPROVAL_SUBJECT];

/** Answers that say yes to some questions, and no to all others. */
export function holding(subject: Subject, held: readonly string[]): AnyGuards {
  return Object.fromEntries(subject.guards.map((name) => [name, () => held.includes(name)]));
}

/** Every choice of some names, none and all among them. */
export function choicesOf(names: readonly string[]): readonly (readonly string[])[] {
  return names.reduce<readonly (readonly string[])[]>(
    (choices, name) => [...choices, ...choices.map((choice) => [...choice, name])],
    [[]],
  );
}
