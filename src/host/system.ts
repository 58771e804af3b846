import { randomBytes } from "node:crypto";
import type { Host } from "./host.ts";

/** A timer of the process that is set to longer than this goes off at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The host of a running process: its clock, its timers, its randomness. */
export function systemHost(): Host {
  return {
    now: () => Math.floor(Date.now() / 1000),
    monotonicMs: () => performance.now(),
    after: (delayMs, callback, holdsOpen) => {
      let timer: NodeJS.Timeout;
      const wait = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
        timer = setTimeout(
          leftMs > stepMs
            ? () => {
                wait(leftMs - stepMs);
              }
            : callback,
          stepMs,
        );
        if (!holdsOpen) timer.unref();
      };
      wait(delayMs);
      return () => {
        clearTimeout(timer);
      };
    },
    randomId: () => randomBytes(16).toString("hex"),
  };
}
