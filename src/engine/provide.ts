import { assign, type AnyStateMachine, type MachineContext } from "xstate";
import { paramsGiven } from "./action-params.ts";
import { namesOf } from "./compile.ts";
import { ask, implementationOf, type Guards, type MachineSpec } from "./machine-spec.ts";

interface Scope<Context, Event> {
  readonly context: Context;
  readonly event: Event;
}

/**
 * The XState machine with nothing left open: its guards answer, its changes are made, and its effects, which are handed
 * back as data, do nothing by themselves.
 * Errors: MACHINE_INCOMPLETE for a question without an answer.
 */
export function provideMachine<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(spec: MachineSpec<State, Context, Event, Effect>, answers: Guards<Context, Event>): AnyStateMachine {
  const { machine } = spec;
  const guards: AnyStateMachine["implementations"]["guards"] = {};
  for (const name of Object.keys(machine.implementations.guards)) {
    const guard = implementationOf(answers, name);
    guards[name] = ({ context, event }: Scope<Context, Event>) => ask(guard, context, event);
  }
  const actions: AnyStateMachine["implementations"]["actions"] = {};
  for (const [name, change] of Object.entries(spec.changes)) {
    actions[name] = assign<Context, Event, unknown, Event, never>(({ context, event }, params) =>
      change(context, event, paramsGiven(name, params)),
    );
  }
  for (const name of namesOf(spec.effects)) actions[name] = () => undefined;
  return machine.provide({ guards, actions });
}
