import { environmentIsAttended } from "../host/attended.ts";
import { printError } from "./output.ts";

/** Tells somebody who waits how far a run has come. */
export interface Progress {
  /** Units: cases, of all. */
  show(done: number, all: number): Promise<void>;
  /** Leaves nothing of it on the terminal. */
  clear(): Promise<void>;
}

const SILENT: Progress = { show: () => Promise.resolve(), clear: () => Promise.resolve() };

/** Progress on the standard error output, where that is a terminal with somebody before it; else none. */
export function terminalProgress(): Progress {
  return process.stderr.isTTY && environmentIsAttended() ? progressLine(printError) : SILENT;
}

/** Progress on one line that is written over and over; no codes that a terminal would have to know. */
export function progressLine(write: (text: string) => Promise<void>): Progress {
  let width = 0;
  return {
    async show(done, all) {
      const line = `case ${done + 1} of ${all}`;
      width = Math.max(width, line.length);
      await write(`\r${line}`);
    },
    async clear() {
      if (width > 0) await write(`\r${" ".repeat(width)}\r`);
      width = 0;
    },
  };
}
