import { registerHooks } from "node:module";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CallgateError } from "../errors/callgate-error.ts";
import { thrownText } from "../errors/thrown-text.ts";

const EXTENSION = /\.[mc]?[jt]s$/;
const OWN_NAME = "callgate";
const PATIENCE_MS = 20_000;

/** This program's own public door: beside the sources it is TypeScript, beside the built code JavaScript. */
const PUBLIC_DOOR = new URL(`../index${import.meta.url.slice(-3)}`, import.meta.url).href;

let isAnswering = false;

/**
 * Loads a module that somebody else wrote. What it imports as `callgate` is the program that runs: a second copy would
 * not know the tools that the first one has checked.
 * Shape: its exports.
 * Errors: GATE_FILE_NOT_FOUND; GATE_FILE_INVALID.
 */
export async function loadGateFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    (error: unknown) => {
      throw new CallgateError("GATE_FILE_NOT_FOUND", { cause: error });
    },
  );
  if (!isFile || !EXTENSION.test(path)) {
    throw new CallgateError("GATE_FILE_INVALID", { detail: "it is no file that ends in .js, .mjs, .ts or .mts" });
  }
  answerOwnName();
  // A module may wait at its top level; one that waits for ever would end the process without a word.
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const patience = setTimeout(() => {
    reject(new Error(`it is still not there after ${PATIENCE_MS / 1_000} s`));
  }, PATIENCE_MS);
  try {
    const loading = import(pathToFileURL(resolve(path)).href) as Promise<Readonly<Record<string, unknown>>>;
    return await Promise.race([loading, tooLate]);
  } catch (error) {
    // What defineGate or defineTool says of it is told as it is.
    if (error instanceof CallgateError) throw error;
    const detail = `it cannot be loaded: ${thrownText(error)}`;
    throw new CallgateError("GATE_FILE_INVALID", { detail, cause: error });
  } finally {
    clearTimeout(patience);
  }
}

function answerOwnName(): void {
  if (isAnswering) return;
  isAnswering = true;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === OWN_NAME ? PUBLIC_DOOR : specifier, context),
  });
}
