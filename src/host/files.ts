import { existsSync, readFileSync } from "node:fs";
import { open, readdir, readFile, realpath, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { CallgateError } from "../errors/callgate-error.ts";

const BLOCK_BYTES = 65_536;

/** A file that is to be read. */
export interface NamedFile {
  readonly path: string;
  /** How it is called in reports and errors. Never an absolute path. */
  readonly label: string;
}

/** A file by the name that its user gave it. */
export function namedFile(path: string): NamedFile {
  return { path, label: isAbsolute(path) ? basename(path) : path };
}

/**
 * The bytes of a file, read no further than one byte past the limit: a longer one shows, however long it is.
 * Errors: FILE_NOT_FOUND; FILE_UNREADABLE.
 */
export async function readFileWithin(file: NamedFile, maxBytes: number): Promise<Uint8Array> {
  return guarded(file, async () => {
    const handle = await open(file.path);
    try {
      return await collect(blocksOf(handle, maxBytes + 1), maxBytes);
    } finally {
      await handle.close();
    }
  });
}

/** The bytes of the standard input, read not much further than the limit. Errors: FILE_UNREADABLE. */
export async function readStandardInputWithin(maxBytes: number): Promise<Uint8Array> {
  return guarded({ path: "-", label: "standard input" }, () => collect(process.stdin, maxBytes));
}

/**
 * The files that names stand for: a file itself, or all files of a folder and its folders that end so, in order of
 * their names. Hidden folders, `node_modules` and links to folders are passed over. A file that is named twice comes once.
 * Errors: FILE_NOT_FOUND; FILE_UNREADABLE; NO_SCENARIOS for a folder without any.
 */
export async function findFiles(paths: readonly string[], extension: string): Promise<readonly NamedFile[]> {
  const found = new Map<string, NamedFile>();
  for (const path of paths) {
    const named = namedFile(path);
    await guarded(named, async () => {
      const files = (await stat(path)).isDirectory() ? await filesIn(named, extension) : [named];
      for (const file of files) {
        const identity = await realpath(file.path);
        if (!found.has(identity)) found.set(identity, file);
      }
    });
  }
  return [...found.values()];
}

/** The version of this package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string };
  return version;
}

/** A file of this package, by its path from the folder of the package. */
export function packageFile(path: string): NamedFile {
  return { path: join(packageFolder(), path), label: path };
}

/**
 * The files of a folder of this package, and of its folders, that end so, in order of their names.
 * Errors: FILE_NOT_FOUND; NO_SCENARIOS.
 */
export async function packageFiles(folder: string, extension: string): Promise<readonly NamedFile[]> {
  return filesIn({ path: join(packageFolder(), folder), label: folder }, extension);
}

/** The text of a file of this package. Errors: FILE_NOT_FOUND; FILE_UNREADABLE. */
export async function packageText(name: string): Promise<string> {
  const file = { path: join(packageFolder(), name), label: name };
  return guarded(file, () => readFile(file.path, "utf8"));
}

async function filesIn(folder: NamedFile, extension: string): Promise<readonly NamedFile[]> {
  const files = await filesBelow(folder, extension);
  if (files.length === 0) throw new CallgateError("NO_SCENARIOS", { at: labelled(folder) });
  return files;
}

async function filesBelow(folder: NamedFile, extension: string): Promise<NamedFile[]> {
  const entries = await guarded(folder, () => readdir(folder.path, { withFileTypes: true }));
  const files: NamedFile[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = { path: join(folder.path, entry.name), label: join(folder.label, entry.name) };
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") && entry.name !== "node_modules") {
        files.push(...(await filesBelow(below, extension)));
      }
    } else if (entry.name.endsWith(extension) && !(await guarded(below, () => stat(below.path))).isDirectory()) {
      files.push(below);
    }
  }
  return files;
}

/** Block by block: a file may be a pipe, and the streams of Node take longer to load than most files to be read. */
async function* blocksOf(handle: FileHandle, mostBytes: number): AsyncGenerator<Uint8Array> {
  for (let left = mostBytes; left > 0;) {
    const block = Buffer.allocUnsafe(Math.min(left, BLOCK_BYTES));
    const { bytesRead } = await handle.read(block);
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield block.subarray(0, bytesRead);
  }
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Sources and built code stand at different depths; both stand below the one package.json. */
function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new CallgateError("INTERNAL", { detail: "the package has lost its package.json" });
    folder = parent;
  }
  return folder;
}

async function guarded<Result>(file: NamedFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallgateError) throw error;
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const at = labelled(file);
    if (reason === "ENOENT" || reason === "ENOTDIR") throw new CallgateError("FILE_NOT_FOUND", { at, cause: error });
    const detail = reason === "EISDIR" ? "it is a folder" : `the system says ${reason}`;
    throw new CallgateError("FILE_UNREADABLE", { at, detail, cause: error });
  }
}

function labelled({ label }: NamedFile): string {
  return label === "" ? "the empty name" : label;
}
