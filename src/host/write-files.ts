import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CallgateError } from "../errors/callgate-error.ts";
import { namedFile } from "./files.ts";

/**
 * Writes files that are not there yet, all of them or none; folders that are missing are made.
 * @param files path from the folder, with slashes → text
 * Errors: INIT_FILE_EXISTS; FILE_UNWRITABLE. What was written until then is taken away again.
 */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const made: string[] = [];
  for (const [name, text] of files) {
    const path = join(folder, name);
    try {
      const firstMade = await makeFolder(dirname(path));
      if (firstMade !== undefined) made.push(firstMade);
      // Fails for whatever has that name, so nothing is ever written over, not even what came there just now.
      await writeFile(path, text, { flag: "wx" });
      made.push(path);
    } catch (error) {
      for (const ours of made.toReversed()) await rm(ours, { recursive: true, force: true });
      throw failureOf(error, folder, name);
    }
  }
}

/** Shape: the first folder that was not there. Errors: says EEXIST as ENOTDIR: what is there is no folder. */
async function makeFolder(path: string): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    throw Object.assign(new Error("not a folder", { cause: error }), { code: "ENOTDIR" });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

function failureOf(error: unknown, folder: string, name: string): CallgateError {
  const reason = codeOf(error);
  const at = join(namedFile(folder).label, name);
  if (reason === "EEXIST") return new CallgateError("INIT_FILE_EXISTS", { at, cause: error });
  return new CallgateError("FILE_UNWRITABLE", { at, detail: `the system says ${reason}`, cause: error });
}
