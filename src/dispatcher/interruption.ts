import type { Host } from "../host/host.ts";

/** Why a call is to go no further. */
export type InterruptionEvent = "deadline.passed" | "call.cancelled";

/** How a raced piece of work ended. */
export type Raced<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "interrupted"; readonly event: InterruptionEvent };

/** The deadline of one call and its caller's own signal, as one thing to ask, to race against and to hand on. */
export class Interruption {
  readonly #host: Host;
  readonly #deadlineAtMs: number;
  readonly #callerSignal: AbortSignal | null;
  readonly #stopTimer: () => void;
  #event: InterruptionEvent | null = null;
  #controller: AbortController | null = null;
  #announce: ((event: InterruptionEvent) => void) | null = null;
  #announced: Promise<InterruptionEvent> | null = null;

  /** @param deadlineMs counted from now */
  constructor(host: Host, deadlineMs: number, callerSignal: AbortSignal | null) {
    this.#host = host;
    this.#deadlineAtMs = host.monotonicMs() + deadlineMs;
    this.#callerSignal = callerSignal;
    const onDeadline = (): void => {
      this.#interrupt("deadline.passed");
    };
    this.#stopTimer = host.after(deadlineMs, onDeadline, true);
    callerSignal?.addEventListener("abort", this.#onAbort, { once: true });
    if (callerSignal?.aborted === true) this.#onAbort();
  }

  /** What has interrupted the call, if anything has. Also sees a deadline whose timer could not fire yet. */
  get event(): InterruptionEvent | null {
    if (this.#event === null && this.#host.monotonicMs() >= this.#deadlineAtMs) this.#interrupt("deadline.passed");
    return this.#event;
  }

  /** Aborts when the call is interrupted. Made when first asked for: most checks never look at it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.event !== null) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /**
   * Does the work unless the call is interrupted already, and waits for it until it is.
   * Errors: what the work throws, if it throws first. Work that loses goes on unheard.
   */
  async race<Value>(work: () => Value | PromiseLike<Value>): Promise<Raced<Value>> {
    const before = this.event;
    if (before !== null) return { kind: "interrupted", event: before };
    const value = work();
    if (typeof value !== "object" || value === null) return { kind: "done", value };
    const done = Promise.resolve(value).then((settled): Raced<Value> => ({ kind: "done", value: settled }));
    const interrupted = this.#whenInterrupted().then((event): Raced<Value> => ({ kind: "interrupted", event }));
    return Promise.race([done, interrupted]);
  }

  /** Lets go of timer and listener. The signal stays as it is. */
  end(): void {
    this.#stopTimer();
    this.#callerSignal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => {
    this.#interrupt("call.cancelled");
  };

  #whenInterrupted(): Promise<InterruptionEvent> {
    this.#announced ??= new Promise((resolve) => {
      this.#announce = resolve;
      if (this.#event !== null) resolve(this.#event);
    });
    return this.#announced;
  }

  #interrupt(event: InterruptionEvent): void {
    if (this.#event !== null) return;
    this.#event = event;
    this.#announce?.(event);
    this.#controller?.abort();
  }
}
