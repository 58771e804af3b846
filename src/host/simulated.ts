import type { Host } from "./host.ts";

/** A host whose time stands still until it is moved, and whose ids are counted: for scenarios and tests. */
export interface SimulatedHost extends Host {
  /** Sets the wall clock. Units: whole seconds since the Unix epoch. */
  setNow(seconds: number): void;
  /** Moves the monotonic clock on and calls back what has become due, in order. Units: milliseconds, not negative. */
  advance(milliseconds: number): void;
}

interface Alarm {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A simulated host. Ids are 32 hex digits that count up from one, so that a run is the same every time. */
export function simulatedHost(nowSeconds: number): SimulatedHost {
  let now = nowSeconds;
  let elapsedMs = 0;
  let ids = 0;
  const alarms = new Set<Alarm>();

  const nextDue = (untilMs: number): Alarm | null => {
    let next: Alarm | null = null;
    for (const alarm of alarms) {
      if (alarm.dueMs <= untilMs && (next === null || alarm.dueMs < next.dueMs)) next = alarm;
    }
    return next;
  };

  return {
    now: () => now,
    monotonicMs: () => elapsedMs,
    after: (delayMs, callback) => {
      const alarm = { dueMs: elapsedMs + delayMs, callback };
      alarms.add(alarm);
      return () => {
        alarms.delete(alarm);
      };
    },
    randomId: () => {
      ids += 1;
      return ids.toString(16).padStart(32, "0");
    },
    setNow: (seconds) => {
      now = seconds;
    },
    advance: (milliseconds) => {
      if (!(milliseconds >= 0)) throw new RangeError("time does not go back");
      const until = elapsedMs + milliseconds;
      for (let alarm = nextDue(until); alarm !== null; alarm = nextDue(until)) {
        alarms.delete(alarm);
        elapsedMs = Math.max(elapsedMs, alarm.dueMs);
        alarm.callback();
      }
      // A callback may have let more time pass than this.
      elapsedMs = Math.max(elapsedMs, until);
    },
  };
}
