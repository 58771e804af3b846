import { randomBytes } from "node:crypto";
import type { Host } from "./host.ts";

/** The host of a running process: its clock, its timers, its randomness. */
export function systemHost(): Host {
  return {
    now: () => Math.floor(Date.now() / 1000),
    monotonicMs: () => performance.now(),
    after: (delayMs, callback, holdsOpen) => {
      const timer = setTimeout(callback, delayMs);
      if (!holdsOpen) timer.unref();
      return () => {
        clearTimeout(timer);
      };
    },
    randomId: () => randomBytes(16).toString("hex"),
  };
}
