import { createWriteStream, openSync, type WriteStream } from "node:fs";
import { CallgateError } from "../errors/callgate-error.ts";
import { namedFile } from "./files.ts";
import type { LineSink, LineSinkOptions } from "./line-sink.ts";

/** Opens a file to write texts to, one a line; what was in it is gone. Errors: FILE_UNWRITABLE. */
export function openLineFile(path: string, { longestQueue, onLoss }: LineSinkOptions): LineSink {
  const stream = openStream(path);
  stream.on("error", () => {
    onLoss("gone");
  });
  return {
    send(text) {
      if (stream.destroyed || stream.writableEnded) return;
      if (stream.writableLength + text.length > longestQueue) onLoss("full");
      else stream.write(`${text}\n`);
    },
    async end(withinMs) {
      if (stream.closed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onLoss("slow");
        stream.destroy();
      }, withinMs);
      stream.on("close", resolve);
      stream.end();
      await promise;
      clearTimeout(timer);
    },
  };
}

function openStream(path: string): WriteStream {
  try {
    return createWriteStream(path, { fd: openSync(path, "w") });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const { label } = typeof path === "string" ? namedFile(path) : { label: "" };
    const at = label === "" ? "the empty name" : label;
    throw new CallgateError("FILE_UNWRITABLE", { at, detail: `the system says ${reason}`, cause: error });
  }
}
