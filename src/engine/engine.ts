import type { MachineContext } from "xstate";
import { CallgateError } from "../errors/callgate-error.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import { compileMachine, type TransitionRow, type TransitionTable } from "./compile.ts";
import { eventReader } from "./event-shape.ts";
import type { Guards, MachineSpec } from "./machine-spec.ts";
import type { Cell, CellStep, Start, Stepped, StepRefused } from "./step.ts";
import { tableInterpreter } from "./table-interpreter.ts";
import { xstateInterpreter } from "./xstate-interpreter.ts";

/** How a machine is run. */
export interface EngineOptions<Context, Event, GuardName extends string> {
  /** The answer to every question that the machine asks. */
  readonly guards: Guards<Context, Event, GuardName>;
  /** The table unless said otherwise. */
  readonly interpreter?: InterpreterName | undefined;
}

/** A machine that can be stepped. Pure: it keeps nothing of a run; state and context are the caller's. */
export interface Engine<State extends string, Context, Event extends { readonly type: string }, Effect extends string> {
  readonly table: TransitionTable<State, Event["type"], Effect>;
  /** Where a run starts. */
  initial(context: Context): Start<State, Context>;
  /**
   * Where an event leads. The event is checked like any foreign value: it may be typed and still be forged.
   * Errors: STATE_INVALID for a state that the machine has not; what a guard throws, which is a bug: nothing was stepped.
   */
  step(state: State, context: Context, event: Event): Stepped<State, Context, Event["type"], Effect> | StepRefused;
}

const REFUSED = {
  EVENT_UNKNOWN: Object.freeze({ kind: "refused", code: "EVENT_UNKNOWN" }),
  EVENT_FOREIGN: Object.freeze({ kind: "refused", code: "EVENT_FOREIGN" }),
  EVENT_MALFORMED: Object.freeze({ kind: "refused", code: "EVENT_MALFORMED" }),
  EVENT_OUT_OF_PLACE: Object.freeze({ kind: "refused", code: "EVENT_OUT_OF_PLACE" }),
} as const satisfies { readonly [Code in StepRefused["code"]]: { readonly kind: "refused"; readonly code: Code } };

/**
 * Makes a machine steppable.
 * Errors: MACHINE_OUT_OF_DIALECT, MACHINE_INCOMPLETE.
 */
export function createEngine<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(
  spec: MachineSpec<State, Context, Event, Effect>,
  { guards, interpreter = "table" }: EngineOptions<Context, Event, string>,
): Engine<State, Context, Event, Effect> {
  const table = tableOf(spec);
  const run = interpreter === "xstate" ? xstateInterpreter(spec, guards) : tableInterpreter(spec, table, guards);
  const readEvent = eventReader<Event>(spec.events);
  const steps = new Map<string, Map<string, CellStep<State, Context, Event, Effect>>>();
  for (const state of table.states) steps.set(state, new Map());
  for (const cell of cellsOf(table)) steps.get(cell.state)?.set(cell.event, run.stepOf(cell));

  return {
    table,
    initial: (context) => run.initial(context),
    step(state, context, event) {
      const answered = steps.get(state);
      if (answered === undefined) throw new CallgateError("STATE_INVALID", { at: table.name });
      const read = readEvent(event);
      if (typeof read === "string") return REFUSED[read];
      const step = answered.get(read.type);
      return step === undefined ? REFUSED.EVENT_OUT_OF_PLACE : step(context, read);
    },
  };
}

/** A machine has one table, however many gates step by it. */
const tables = new WeakMap<object, unknown>();

function tableOf<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(spec: MachineSpec<State, Context, Event, Effect>): TransitionTable<State, Event["type"], Effect> {
  const known = tables.get(spec) as TransitionTable<State, Event["type"], Effect> | undefined;
  const table = known ?? compileMachine(spec);
  tables.set(spec, table);
  return table;
}

/** The rows of a table by state and event. */
function cellsOf<State extends string, EventType extends string, Effect extends string>(
  table: TransitionTable<State, EventType, Effect>,
): readonly Cell<State, EventType, Effect>[] {
  const cells = new Map<string, Cell<State, EventType, Effect> & { rows: TransitionRow<State, EventType, Effect>[] }>();
  for (const row of table.rows) {
    const key = `${row.state} ${row.event}`;
    const cell = cells.get(key) ?? { state: row.state, event: row.event, rows: [] };
    cell.rows.push(row);
    cells.set(key, cell);
  }
  return [...cells.values()];
}
