import type { MachineContext } from "xstate";
import type { ActionParams } from "./action-params.ts";
import type { EffectOrder, TransitionTable } from "./compile.ts";
import { ask, implementationOf, type Change, type Guard, type Guards, type MachineSpec } from "./machine-spec.ts";
import type { Interpreter } from "./step.ts";

interface Branch<State extends string, Context, Event, Effect extends string> {
  readonly guard: Guard<Context, Event> | null;
  readonly to: State;
  readonly changesMade: readonly { readonly apply: Change<Context, Event>; readonly params: ActionParams }[];
  readonly effects: readonly EffectOrder<Effect>[];
}

/** Steps by the compiled table: the fast way. */
export function tableInterpreter<
  State extends string,
  Context extends MachineContext,
  Event extends { readonly type: string },
  Effect extends string,
>(
  { changes }: MachineSpec<State, Context, Event, Effect>,
  table: TransitionTable<State, Event["type"], Effect>,
  guards: Guards<Context, Event>,
): Interpreter<State, Context, Event, Effect> {
  return {
    initial: (context) => ({ state: table.initial, context }),

    stepOf({ state: from, event: eventType, rows }) {
      const branches = rows.map((row): Branch<State, Context, Event, Effect> => ({
        guard: row.guard === null ? null : implementationOf(guards, row.guard),
        to: row.target,
        changesMade: row.changes.map(({ type, params }) => ({ apply: implementationOf(changes, type), params })),
        effects: row.effects,
      }));

      return (context, event) => {
        let branch = 0;
        for (const { guard, to, changesMade, effects } of branches) {
          if (guard === null || ask(guard, context, event)) {
            let changed = context;
            for (const { apply, params } of changesMade) changed = apply(changed, event, params);
            return { kind: "stepped", from, to, event: eventType, branch, context: changed, effects };
          }
          branch += 1;
        }
        throw new TypeError("no branch held, though the last one has no guard");
      };
    },
  };
}
