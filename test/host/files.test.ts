import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentAllowsColor } from "../../src/host/environment.ts";
import { findFiles, namedFile, packageFiles, packageVersion, readFileWithin } from "../../src/host/files.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "callgate-files-"));
const inFolder = (...names: string[]): string => join(FOLDER, ...names);

beforeAll(() => {
  for (const name of ["b", "a/inner", "a/node_modules", "a/.hidden", "empty"])
    mkdirSync(inFolder(name), { recursive: true });
  for (const name of ["z.json", "a/2.json", "a/10.json", "a/notes.txt", "a/inner/1.json", "b/1.json"]) {
    writeFileSync(inFolder(name), name);
  }
  writeFileSync(inFolder("a/node_modules/package.json"), "{}");
  writeFileSync(inFolder("a/.hidden/secret.json"), "{}");
  mkdirSync(inFolder("a/folder.json"));
  symlinkSync(inFolder("z.json"), inFolder("b/link.json"));
  symlinkSync(inFolder("a"), inFolder("b/loop"));
  symlinkSync(inFolder("a"), inFolder("b/loop.json"));
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

describe("labels", () => {
  test.each([
    ["scenarios/a.json", "scenarios/a.json"],
    ["../a.json", "../a.json"],
    ["/somewhere/else/a.json", "a.json"],
  ])("%s is called %s", (path, label) => {
    expect(namedFile(path)).toEqual({ path, label });
  });
});

describe("finding", () => {
  const labels = async (...paths: string[]): Promise<string[]> =>
    (
      await findFiles(
        paths.map((path) => inFolder(path)),
        ".json",
      )
    ).map(({ label }) => label);

  test("a folder stands for its files and its folders' files, in order of names", async () => {
    expect(await labels("a")).toEqual(["a/10.json", "a/2.json", "a/inner/1.json"]);
  });

  test("a link to a file is the file; a link to a folder is passed over", async () => {
    expect(await labels("b")).toEqual(["b/1.json", "b/link.json"]);
  });

  test("what is named twice comes once, where it is named first", async () => {
    expect(await labels("z.json", "b", "a/inner/1.json", "a", "z.json")).toEqual([
      "z.json",
      "b/1.json",
      "1.json",
      "a/10.json",
      "a/2.json",
    ]);
  });

  test("a file is taken by whatever name it has", async () => {
    expect(await labels("a/notes.txt")).toEqual(["notes.txt"]);
  });

  test("a relative name stays as it is", async () => {
    const path = relative(process.cwd(), inFolder("a"));
    expect((await findFiles([path], ".json"))[2]?.label).toBe(join(path, "inner/1.json"));
  });

  test.each([
    ["missing.json", "FILE_NOT_FOUND", "missing.json"],
    ["z.json/below", "FILE_NOT_FOUND", "below"],
    ["empty", "NO_SCENARIOS", "empty"],
  ])("%s is %s, without the folder that it was looked for in", async (path, code, at) => {
    const failure: unknown = await findFiles([inFolder(path)], ".json").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, at });
    expect(String(failure)).not.toContain(basename(FOLDER));
  });
});

describe("reading", () => {
  const path = inFolder("bytes");
  beforeAll(() => {
    writeFileSync(path, "x".repeat(200_000));
  });

  test.each([
    [200_001, 200_000],
    [200_000, 200_000],
    [199_999, 200_000],
    [100_000, 100_001],
    [0, 1],
  ])("at most %i bytes: reads %i", async (maxBytes, length) => {
    expect(await readFileWithin(namedFile(path), maxBytes)).toHaveLength(length);
  });

  test("what has no end is read to the limit", async () => {
    expect(await readFileWithin(namedFile("/dev/zero"), 70_000)).toHaveLength(70_001);
  });

  test("a pipe is read as well", async () => {
    const pipe = inFolder("pipe");
    execFileSync("mkfifo", [pipe]);
    const reading = readFileWithin(namedFile(pipe), 10);
    writeFileSync(pipe, "0123456789");
    expect(Buffer.from(await reading).toString()).toBe("0123456789");
  });

  test.each([
    ["a folder", FOLDER, "FILE_UNREADABLE", "it is a folder"],
    ["nothing", inFolder("missing"), "FILE_NOT_FOUND", null],
    ["no name", "", "FILE_NOT_FOUND", null],
    ["a name that no file can have", "a\0b", "FILE_UNREADABLE", "the system says ERR_INVALID_ARG_VALUE"],
  ])("%s cannot be read", async (_name, given, code, detail) => {
    await expect(readFileWithin(namedFile(given), 10)).rejects.toMatchObject({ code, detail });
  });
});

describe("this package", () => {
  const ROOT = join(import.meta.dirname, "../..");

  test("knows its version", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(packageVersion()).toBe(version);
  });

  test("finds its own files, and calls them by their names in it", async () => {
    const files = await packageFiles("fixtures", ".json");
    expect(files).toContainEqual({ path: join(ROOT, "fixtures/tool-cases.json"), label: "fixtures/tool-cases.json" });
    await expect(packageFiles("no-such-folder", ".json")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });
});

describe("colours, by the environment", () => {
  test.each([
    [{}, true],
    [{ NO_COLOR: "" }, true],
    [{ NO_COLOR: "1" }, false],
    [{ NO_COLOR: "0" }, false],
    [{ TERM: "dumb" }, false],
    [{ TERM: "xterm" }, true],
  ])("%j: %s", (variables, allowed) => {
    const before = process.env;
    process.env = { ...variables };
    try {
      expect(environmentAllowsColor()).toBe(allowed);
    } finally {
      process.env = before;
    }
  });
});
