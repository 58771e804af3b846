import type { AnyStateMachine, MachineContext } from "xstate";
import { CallgateError } from "../errors/callgate-error.ts";
import type { EffectRow } from "../protocol/effects.ts";
import type { ActionParams } from "./action-params.ts";

/** The answer to one question of a machine. Total and pure. */
export type Guard<Context, Event> = (context: Context, event: Event) => boolean;

/** The answers to a machine's questions, by name. */
export type Guards<Context, Event, Name extends string = string> = Readonly<Record<Name, Guard<Context, Event>>>;

/** One named change of context: a new context from the old one. Pure. */
export type Change<Context, Event> = (context: Context, event: Event, params: ActionParams) => Context;

/** A machine with all its words, and the changes that it names. */
export interface MachineSpec<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
> {
  readonly machine: AnyStateMachine;
  readonly states: readonly State[];
  /** The closed alphabet: each event with exactly the members it carries beside `type`. */
  readonly events: Readonly<Record<Event["type"], readonly string[]>>;
  readonly changes: Readonly<Record<string, Change<Context, Event>>>;
  readonly effects: Readonly<Record<Effect, EffectRow<string>>>;
}

/** What stands behind a name of the machine. Errors: MACHINE_INCOMPLETE if nothing does. */
export function implementationOf<Implementation>(
  implementations: Readonly<Record<string, Implementation>>,
  name: string,
): Implementation {
  const implementation = Object.hasOwn(implementations, name) ? implementations[name] : undefined;
  if (typeof implementation === "function") return implementation;
  throw new CallgateError("MACHINE_INCOMPLETE", { detail: name });
}

/**
 * Asks one guard.
 * Errors: what the guard throws; a TypeError for an answer that is no boolean (a promise would pass for a yes).
 */
export function ask<Context, Event>(guard: Guard<Context, Event>, context: Context, event: Event): boolean {
  const verdict: unknown = guard(context, event);
  if (typeof verdict !== "boolean") throw new TypeError("a guard gave no boolean");
  return verdict;
}
