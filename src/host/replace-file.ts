import { randomUUID } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CallgateError } from "../errors/callgate-error.ts";
import { namedFile } from "./files.ts";

/**
 * Writes a file, in place of one that is there: all of it, or it stays as it was. A link stays one, and a device or pipe
 * is written to.
 * Errors: FILE_UNWRITABLE.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    const isPlain = await stat(target).then(
      (found) => found.isFile(),
      () => true,
    );
    await (isPlain ? writeWhole(target, text) : writeFile(target, text));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const { label } = namedFile(path);
    const at = label === "" ? "the empty name" : label;
    throw new CallgateError("FILE_UNWRITABLE", { at, detail: `the system says ${reason}`, cause: error });
  }
}

/** By a new file beside it, which then takes its name. */
async function writeWhole(target: string, text: string): Promise<void> {
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
