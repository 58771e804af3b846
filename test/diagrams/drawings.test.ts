import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { README_MARKERS, staleFiles } from "../../diagrams/drawings.ts";
import { readMermaid } from "../drawing/read-mermaid.ts";

const PROJECT_ROOT = join(import.meta.dirname, "../..");
const { begin, end } = README_MARKERS;

test("every drawing of the project is fresh", async () => {
  expect(await staleFiles(PROJECT_ROOT)).toEqual([]);
});

describe("in a project", () => {
  let root: string;
  const inRoot = (path: string): string => join(root, path);
  const problems = async (): Promise<readonly string[]> =>
    (await staleFiles(root)).map(({ path, problem }) => `${path} ${problem}`);
  const redraw = async (): Promise<void> => {
    for (const { path, text } of await staleFiles(root)) if (text !== null) writeFileSync(inRoot(path), text);
  };

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "callgate-drawings-"));
    cpSync(join(PROJECT_ROOT, "diagrams"), inRoot("diagrams"), { recursive: true });
    writeFileSync(inRoot("README.md"), `# A title\n\n${begin}\n${end}\n\nA text.\n`);
    await redraw();
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  test("what was redrawn is fresh", async () => {
    expect(await staleFiles(root)).toEqual([]);
  });

  test.each(
    ["operation", "status_query", "approval"].flatMap((name) => [`${name}.mmd`, `${name}.svg`, `${name}.json`]),
  )("one byte of %s is enough to be stale, and is mended", async (file) => {
    const path = `diagrams/${file}`;
    const fresh = readFileSync(inRoot(path), "utf8");
    writeFileSync(inRoot(path), `${fresh}\n`);
    expect(await problems()).toEqual([`${path} is not as the machine is`]);
    await redraw();
    expect(readFileSync(inRoot(path), "utf8")).toBe(fresh);
  });

  test.each(["mmd", "svg", "json"])("a drawing that is missing is drawn: %s", async (format) => {
    rmSync(inRoot(`diagrams/approval.${format}`));
    expect(await problems()).toEqual([`diagrams/approval.${format} is missing`]);
    await redraw();
    expect(await staleFiles(root)).toEqual([]);
  });

  test.each(["mmd", "svg", "json"])("a drawing of no machine is told, and left to a person: %s", async (format) => {
    const path = `diagrams/delivery.${format}`;
    writeFileSync(inRoot(path), "");
    await redraw();
    expect(await staleFiles(root)).toEqual([{ path, problem: "belongs to no machine", text: null }]);
  });

  test("the README shows the operation between its markers, and keeps what stands around them", async () => {
    const readme = readFileSync(inRoot("README.md"), "utf8");
    const [before, shown, after] = readme.split(new RegExp(`${begin}|${end}`));
    expect([before, after]).toEqual(["# A title\n\n", "\n\nA text.\n"]);
    const drawing = /^\n\n```mermaid\n(.*)```\n\n$/s.exec(shown ?? "")?.[1] ?? "";
    expect(readMermaid(drawing).title).toBe("The machine operation");
    writeFileSync(inRoot("README.md"), readme.replace("proposed --> bound", "proposed --> executing"));
    expect(await problems()).toEqual(["README.md does not show the operation as it is"]);
    await redraw();
    expect(readFileSync(inRoot("README.md"), "utf8")).toBe(readme);
  });

  test.each([
    ["no markers", "# A title\n"],
    ["no end", `${begin}\n`],
    ["no beginning", `${end}\n`],
    ["the end before the beginning", `${end}\n${begin}\n`],
    ["two beginnings", `${begin}\n${begin}\n${end}\n`],
    ["two ends", `${begin}\n${end}\n${end}\n`],
    ["an end on both sides of the beginning", `${end}\n${begin}\n${end}\n`],
  ])("a README with %s is told, and left to a person", async (_what, text) => {
    writeFileSync(inRoot("README.md"), text);
    const problem = `needs these two lines, each once: ${begin} and ${end}`;
    expect(await staleFiles(root)).toEqual([{ path: "README.md", problem, text: null }]);
  });

  test("no README is told as well", async () => {
    rmSync(inRoot("README.md"));
    expect(await staleFiles(root)).toEqual([{ path: "README.md", problem: "is missing", text: null }]);
  });

  describe("the script", () => {
    const draw = (...options: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [inRoot("diagrams/draw.ts"), ...options], {
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };

    beforeEach(() => {
      writeFileSync(inRoot("package.json"), '{ "type": "module" }');
      for (const folder of ["src", "node_modules"]) symlinkSync(join(PROJECT_ROOT, folder), inRoot(folder));
      writeFileSync(inRoot("diagrams/approval.mmd"), "");
      writeFileSync(inRoot("README.md"), "# A title\n");
    });

    const README_PROBLEM = `README.md needs these two lines, each once: ${begin} and ${end}\n`;

    test("checks, names what is stale, and changes nothing", () => {
      expect(draw("--check")).toEqual({
        status: 1,
        stdout: "",
        stderr: `diagrams/approval.mmd is not as the machine is: npm run diagrams\n${README_PROBLEM}`,
      });
      expect(readFileSync(inRoot("diagrams/approval.mmd"), "utf8")).toBe("");
    });

    test("draws what it can, and still fails for the rest", () => {
      const stdout = "diagrams/approval.mmd is not as the machine is: drawn\n";
      expect(draw()).toEqual({ status: 1, stdout, stderr: README_PROBLEM });
      writeFileSync(inRoot("README.md"), `${begin}\n${end}\n`);
      expect(draw()).toEqual({
        status: 0,
        stdout: "README.md does not show the operation as it is: drawn\n",
        stderr: "",
      });
      expect(draw("--check")).toEqual({ status: 0, stdout: "", stderr: "" });
    });

    test.each([[["--chek"]], [["--check", "approval"]]])("takes no option but one: %j", (options) => {
      expect(draw(...options)).toEqual({ status: 2, stdout: "", stderr: "usage: node diagrams/draw.ts [--check]\n" });
    });
  });
});
