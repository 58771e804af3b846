import { simulatedHost, type SimulatedHost } from "../../src/host/simulated.ts";
import { START_SECONDS } from "./world.ts";

/** A simulated host that counts the alarms that keep a process alive. */
export function countingHost(): SimulatedHost & { readonly alarms: number } {
  const host = simulatedHost(START_SECONDS);
  const set = new Set<object>();
  return {
    ...host,
    after: (delayMs, callback, holdsOpen) => {
      const alarm = {};
      if (holdsOpen) set.add(alarm);
      const stop = host.after(
        delayMs,
        () => {
          set.delete(alarm);
          callback();
        },
        holdsOpen,
      );
      return () => {
        set.delete(alarm);
        stop();
      };
    },
    get alarms() {
      return set.size;
    },
  };
}
