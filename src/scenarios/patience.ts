import type { CallgateError } from "../errors/callgate-error.ts";
import { systemHost } from "../host/system.ts";

/**
 * Waits in real time for what other people's code does, but not for ever: the clock of a case stands still.
 * Errors: what the work throws; what `tooLate` gives, once the patience is over.
 */
export async function patiently<Result>(
  patienceMs: number,
  work: () => Promise<Result>,
  tooLate: () => CallgateError,
): Promise<Result> {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  const forget = systemHost().after(
    patienceMs,
    () => {
      reject(tooLate());
    },
    true,
  );
  try {
    return await Promise.race([work(), stuck]);
  } finally {
    forget();
  }
}
