import type { AttemptId } from "../../protocol/ids.ts";

/**
 * Those who wait for one scope, in the order in which they first came. When the scope is free they go on one at a time;
 * when it has an outcome they all go on.
 */
export class ScopeQueue {
  /** Who waits, oldest first, and how to wake them; null while they are awake. */
  readonly #waiters = new Map<AttemptId, (() => void) | null>();
  /** Who has been let on to a free scope and has neither reserved it nor left. */
  #turn: AttemptId | null = null;

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  /** Whether somebody stands in the line. */
  has(attemptId: AttemptId): boolean {
    return this.#waiters.has(attemptId);
  }

  /** Takes a place in the line; one that came before keeps its own. */
  join(attemptId: AttemptId): void {
    if (!this.#waiters.has(attemptId)) this.#waiters.set(attemptId, null);
  }

  /** Sleeps until let on, or until the signal aborts. */
  sleep(attemptId: AttemptId, signal: AbortSignal): Promise<void> {
    if (this.#turn === attemptId) this.#turn = null;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        if (this.#waiters.has(attemptId)) this.#waiters.set(attemptId, null);
        resolve();
      };
      this.#waiters.set(attemptId, wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  /** Wakes one who sleeps. */
  wake(attemptId: AttemptId): void {
    this.#waiters.get(attemptId)?.();
  }

  /** Takes the turn on a free scope, if it is this waiter's. */
  takeTurn(attemptId: AttemptId): boolean {
    if (this.#turn === null && this.#waiters.keys().next().value === attemptId) this.#turn = attemptId;
    return this.#turn === attemptId;
  }

  /** The scope is free: gives the turn to the first in line, unless somebody has it. */
  letNextOn(): void {
    if (this.#turn !== null) return;
    for (const [first, wake] of this.#waiters) {
      this.#turn = first;
      wake?.();
      return;
    }
  }

  /** There is an outcome to look at: everybody goes on. */
  letAllOn(): void {
    this.#turn = null;
    for (const wake of [...this.#waiters.values()]) wake?.();
  }

  /** Somebody has reserved the scope; whoever had the turn has used it, or has lost it to a newcomer. */
  reserved(by: AttemptId): void {
    this.#turn = null;
    this.#waiters.delete(by);
  }

  /** A waiter has ended or vanished. */
  leave(attemptId: AttemptId): void {
    const wake = this.#waiters.get(attemptId);
    this.#waiters.delete(attemptId);
    if (this.#turn === attemptId) this.#turn = null;
    wake?.();
  }
}
