import type { Host } from "../host/host.ts";

/** Who runs recovery: when a gate is opened, when it is asked to, and when a lease has run out. */
export class RecoveryWatch {
  readonly #host: Host;
  readonly #recover: () => Promise<void>;
  readonly #retryMs: number;
  readonly #running = new Set<Promise<void>>();
  #opening: Promise<void> | null = null;
  #alarm: { readonly dueMs: number; readonly stop: () => void } | null = null;
  #isStopped = false;

  /** @param retryMs after how long a ledger that was away is asked again */
  constructor(host: Host, recover: () => Promise<void>, retryMs: number) {
    this.#host = host;
    this.#recover = recover;
    this.#retryMs = retryMs;
  }

  /** Runs recovery. Errors: as recovery. */
  run(): Promise<void> {
    const running = this.#recover();
    const forget = (): void => {
      this.#running.delete(running);
    };
    this.#running.add(running);
    running.then(forget, forget);
    return running;
  }

  /** Runs recovery once for all who ask; if it fails, whoever asks next tries again. Errors: as recovery. */
  runFirst(): Promise<void> {
    this.#opening ??= this.run().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** Sees to it that recovery runs when this time has passed. One alarm is enough: recovery itself says when to look again. */
  runAfter(delayMs: number): void {
    const dueMs = this.#host.monotonicMs() + delayMs + 1;
    if (this.#isStopped || (this.#alarm !== null && this.#alarm.dueMs <= dueMs)) return;
    this.#alarm?.stop();
    this.#alarm = { dueMs, stop: this.#host.after(delayMs + 1, this.#onAlarm, false) };
  }

  /** Sets no alarm any more, and waits for what runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#alarm?.stop();
    this.#alarm = null;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  readonly #onAlarm = (): void => {
    this.#alarm = null;
    this.run().catch(() => {
      this.runAfter(this.#retryMs);
    });
  };
}
