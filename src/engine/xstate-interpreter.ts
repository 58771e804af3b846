import { initialTransition, transition, type AnyMachineSnapshot, type MachineContext } from "xstate";
import { paramsGiven } from "./action-params.ts";
import { among, effectOrder, namesOf, type EffectOrder } from "./compile.ts";
import { ask, type Guard, type Guards, type MachineSpec } from "./machine-spec.ts";
import { provideMachine } from "./provide.ts";
import type { Interpreter } from "./step.ts";

/** Steps by XState's own `transition()`: slower, and the measure of the table. */
export function xstateInterpreter<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(
  spec: MachineSpec<State, Context, Event, Effect>,
  guards: Guards<Context, Event>,
): Interpreter<State, Context, Event, Effect> {
  // XState does not say which branch it took, and wraps what a guard throws: both are seen from inside the guards.
  let asked = 0;
  let held = false;
  let thrown: { readonly error: unknown } | null = null;
  const watched =
    (guard: Guard<Context, Event>): Guard<Context, Event> =>
    (context, event) => {
      asked += 1;
      try {
        held = ask(guard, context, event);
        return held;
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
  const machine = provideMachine(
    spec,
    Object.fromEntries(Object.entries(guards).map(([name, guard]) => [name, watched(guard)])),
  );
  const stateNamed = among(spec.states);
  const effectNamed = among(namesOf(spec.effects));

  function stateOf(snapshot: AnyMachineSnapshot): State {
    const state = typeof snapshot.value === "string" ? stateNamed(snapshot.value) : null;
    // A failing start, for one, comes back as a status and not as a throw.
    if (state === null || snapshot.status === "error") throw new TypeError("XState left the machine's states");
    return state;
  }

  function contextOf(snapshot: AnyMachineSnapshot): Context {
    // Only the machine's own changes ever made it.
    return snapshot.context as Context;
  }

  function orderOf({ type, params }: { readonly type: string; readonly params: unknown }): EffectOrder<Effect> {
    const effect = effectNamed(type);
    if (effect === null) throw new TypeError("XState ordered what is no effect of the machine");
    return effectOrder(effect, paramsGiven(type, params));
  }

  return {
    initial(context) {
      const [snapshot] = initialTransition(machine, context);
      return { state: stateOf(snapshot), context: contextOf(snapshot) };
    },

    stepOf({ state: from, event: eventType }) {
      return (context, event) => {
        asked = 0;
        held = false;
        thrown = null;
        const [snapshot, actions] = stepped(() =>
          transition(machine, machine.resolveState({ value: from, context }), event),
        );
        return {
          kind: "stepped",
          from,
          to: stateOf(snapshot),
          event: eventType,
          branch: held ? asked - 1 : asked,
          context: contextOf(snapshot),
          effects: actions.map(orderOf),
        };
      };
    },
  };

  function stepped<Result>(step: () => Result): Result {
    try {
      return step();
    } catch (error) {
      throw thrown === null ? error : thrown.error;
    }
  }
}
