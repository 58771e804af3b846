/** Stands for every guard of a machine until a gate provides its answers. Errors: throws when asked. */
export function unprovidedGuard(): boolean {
  throw new TypeError("a guard of the machine was asked before its answer was provided");
}

/** Stands for every action of a machine until a gate provides it. Errors: throws when run. */
export function unprovidedAction(): void {
  throw new TypeError("an action of the machine was run before it was provided");
}

/** An action to which the machine tells something. */
export type ToldAction<Params> = (scope: unknown, params: Params) => void;
