import type { EffectOrder, TransitionRow } from "./compile.ts";
import type { EventRefusal } from "./event-shape.ts";

/** What one event led to. Plain data; it counts once it is stored. */
export interface Stepped<State extends string, Context, EventType extends string, Effect extends string> {
  readonly kind: "stepped";
  readonly from: State;
  /** Equals `from` where the machine stays. */
  readonly to: State;
  readonly event: EventType;
  /** Place of the branch taken, among those of this event in this state. */
  readonly branch: number;
  readonly context: Context;
  /** What to carry out, in order. */
  readonly effects: readonly EffectOrder<Effect>[];
}

/** An event that led nowhere: it is no event of this machine, or the state does not answer it. */
export interface StepRefused {
  readonly kind: "refused";
  readonly code: EventRefusal | "EVENT_OUT_OF_PLACE";
}

/** A run before its first event. */
export interface Start<State extends string, Context> {
  readonly state: State;
  readonly context: Context;
}

/** One event in one state, with its branches in order. */
export interface Cell<State extends string, EventType extends string, Effect extends string> {
  readonly state: State;
  readonly event: EventType;
  readonly rows: readonly TransitionRow<State, EventType, Effect>[];
}

/** Carries out the event of one cell. Errors: what a guard or a change throws. */
export type CellStep<State extends string, Context, Event extends { readonly type: string }, Effect extends string> = (
  context: Context,
  event: Event,
) => Stepped<State, Context, Event["type"], Effect>;

/** A way to carry out steps. */
export interface Interpreter<
  State extends string,
  Context,
  Event extends { readonly type: string },
  Effect extends string,
> {
  /** Where a run starts. */
  initial(context: Context): Start<State, Context>;
  /** How one event is carried out in one state. */
  stepOf(cell: Cell<State, Event["type"], Effect>): CellStep<State, Context, Event, Effect>;
}
