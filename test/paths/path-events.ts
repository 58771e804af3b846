import type { AnyStateMachine } from "xstate";
import { choicesOf, type AnyEvent, type Subject } from "../engine/subjects.ts";

/** An event that says which of its guards hold, so that a path of events is a path of branches. */
export interface PathEvent extends AnyEvent {
  readonly held: readonly string[];
}

/** The machine whose guards hold where the event says so. */
export function pathMachine(subject: Subject): AnyStateMachine {
  const heldIn = (name: string) => (_context: unknown, event: unknown) => (event as PathEvent).held.includes(name);
  return subject.provided(Object.fromEntries(subject.guards.map((name) => [name, heldIn(name)])));
}

/** The events that a state answers, each with every choice of the guards that it asks. */
export function ownEvents(subject: Subject, state: string): readonly PathEvent[] {
  const rows = subject.table.rows.filter((row) => row.state === state);
  return [...new Set(rows.map(({ event }) => event))].flatMap((type) => {
    const asked = rows.filter(({ event }) => event === type).flatMap(({ guard }) => guard ?? []);
    return choicesOf(asked).map((held) => ({ ...subject.event(type), held }));
  });
}

/** Every event that the machine knows, each with every choice of guards that any state asks for it. */
export function allEvents(subject: Subject): readonly PathEvent[] {
  const events = new Map<string, PathEvent>();
  for (const state of subject.table.states) {
    for (const event of ownEvents(subject, state)) events.set(keyOf(event), event);
  }
  return [...events.values()];
}

/** What tells two events of a path apart. */
export function keyOf({ type, held }: PathEvent): string {
  return [type, ...held].join(" ");
}

/** The event as it is fed. */
export function fedOf({ held: _held, ...event }: PathEvent): AnyEvent {
  return event;
}
