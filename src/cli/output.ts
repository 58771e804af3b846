import { CallgateError } from "../errors/callgate-error.ts";

/**
 * Writes to the standard output, and waits until it is written. A reader that has gone away is no failure: what is left
 * is not wanted.
 * Errors: OUTPUT_FAILED.
 */
export async function print(text: string): Promise<void> {
  const reason = await write(process.stdout, text);
  if (reason !== null && reason !== "EPIPE") {
    throw new CallgateError("OUTPUT_FAILED", { detail: `the system says ${reason}` });
  }
}

/** Writes to the standard error output; where that fails, there is nobody left to tell. */
export async function printError(text: string): Promise<void> {
  await write(process.stderr, text);
}

/** Null when it was written, else the system's code of the reason. */
function write(stream: NodeJS.WriteStream, text: string): Promise<string | null> {
  return new Promise((resolve) => {
    const onError = (error: Error): void => {
      resolve("code" in error ? String(error.code) : "unknown");
    };
    // The stream tells it twice, and an error that nobody listens to ends the process. Nothing is written after it.
    stream.on("error", onError);
    stream.write(text, (error) => {
      if (error === null || error === undefined) {
        stream.off("error", onError);
        resolve(null);
      } else {
        onError(error);
      }
    });
  });
}
