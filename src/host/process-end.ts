/** What still holds the process has this long to let go of it; what is still to be printed then is waited for. */
const GRACE_MS = 3_000;

/**
 * Lets the process end although other people's code may hold it open for ever. One that nothing holds ends by itself, as
 * soon as its work is done; the exit status is the one that is set by then.
 */
export function endProcessAnyway(): void {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) endProcessAnyway();
    else process.exit();
  }, GRACE_MS).unref();
}

/** Ends the process at once, whatever goes on in it. */
export function endProcess(status: number): never {
  process.exit(status);
}
