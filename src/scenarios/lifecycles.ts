import type { StepNotice } from "../dispatcher/observer.ts";
import type { AttemptId, StatusRef } from "../protocol/ids.ts";

/** The states that one run went through, in order. */
export interface Lifecycle {
  readonly run: AttemptId;
  readonly machine: Exclude<StepNotice["machine"], "approval">;
  /** A step that stays where it is adds none. */
  readonly states: readonly string[];
}

/** Keeps the path of every run of one world, as its gate tells the steps. */
export class Lifecycles {
  readonly #states = new Map<AttemptId, string[]>();
  readonly #owners = new Map<StatusRef, AttemptId>();
  #begun: Pick<Lifecycle, "run" | "machine"> | null = null;

  /** Takes one notice of the gate. Approvals are stepped beside the calls, and have no path here. */
  readonly observe = ({ run, machine, state, next }: StepNotice): void => {
    if (machine === "approval") return;
    let states = this.#states.get(run);
    if (states === undefined) {
      states = [state];
      this.#states.set(run, states);
      this.#begun = { run, machine };
    }
    if (states.at(-1) !== next) states.push(next);
  };

  /** The run that has begun since this was last asked, as far as it has come. Errors: throws if there is none: a bug. */
  takeBegun(): Lifecycle {
    const begun = this.#begun;
    this.#begun = null;
    if (begun === null) throw new TypeError("the gate answered a call without a step");
    return { ...begun, states: this.#pathOf(begun.run) };
  }

  /** Notes a run as the one that a status_ref stands for, if it got as far as running its tool. */
  noteOwner({ run, machine, states }: Lifecycle, statusRef: StatusRef | null): void {
    if (statusRef !== null && machine === "operation" && states.includes("executing")) this.#owners.set(statusRef, run);
  }

  /** The path, until now, of the run that a status_ref stands for; null if none has run its tool. */
  ofOwner(statusRef: StatusRef): readonly string[] | null {
    const run = this.#owners.get(statusRef);
    return run === undefined ? null : this.#pathOf(run);
  }

  // A copy: a status query may take the run further.
  #pathOf(run: AttemptId): readonly string[] {
    return [...(this.#states.get(run) ?? [])];
  }
}
