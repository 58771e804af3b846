import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callgate } from "./command.ts";
import { filesBelow, installPacked, shellIn } from "./packed-package.ts";

const ROOT = mkdtempSync(join(tmpdir(), "callgate-init-"));
const WRITTEN = [".github/workflows/callgate.yml", "gate.mts", "scenarios/notes.json"];
const WORKFLOW = WRITTEN[0] ?? "";

afterAll(() => {
  rmSync(ROOT, { recursive: true });
});

let count = 0;
let folder: string;

beforeEach(() => {
  count += 1;
  folder = join(ROOT, `folder-${count}`);
  mkdirSync(folder);
});

const ciStepOf = (path: string): string => /^ +- run: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? "false";

describe("from the package as it is packed", () => {
  const installed = join(ROOT, "installed");

  beforeAll(() => {
    mkdirSync(installed);
    installPacked(installed);
  }, 120_000);

  test("what is written passes: by hand as the README says, by its CI step, and for the compiler", () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const [, lines = ""] = /^## Test your own tools in CI\n\n```sh\n(.*?)```$/ms.exec(readme) ?? [];
    const [init, run, ...others] = lines
      .trimEnd()
      .split("\n")
      .map((line) => shellIn(installed, line));
    if (init === undefined || run === undefined) expect.fail("the README has no such lines");
    expect(others).toEqual([]);
    expect([init.status, init.stderr]).toEqual([0, ""]);
    expect(filesBelow(installed)).toEqual(WRITTEN);
    expect([run.status, run.stderr, run.stdout.endsWith("3 cases, 11 steps: all passed\n")]).toEqual([0, "", true]);

    const step = ciStepOf(join(installed, WORKFLOW));
    const reporters = "--reporter pretty --reporter github";
    expect(step).toMatch(
      new RegExp(`^npx --yes callgate@\\d+\\.\\d+\\.\\d+ run --gate gate\\.mts scenarios ${reporters}$`),
    );
    const ci = shellIn(installed, step);
    expect([ci.status, ci.stderr, ci.stdout]).toEqual([0, "", run.stdout]);

    const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    const options = "--noEmit --strict --module nodenext --target es2024 --skipLibCheck";
    const types = shellIn(installed, `node '${compiler}' ${options} gate.mts`);
    expect([types.status, types.stdout]).toEqual([0, ""]);
  }, 60_000);

  test("an editor finds the schema of the scenarios that are written, and a program the same", () => {
    const path = join(installed, "scenarios/notes.json");
    const { $schema } = JSON.parse(readFileSync(path, "utf8")) as { $schema: string };
    const schema = readFileSync(join(path, "..", $schema), "utf8");
    const program = (version: string): string =>
      `import schema from "callgate/schemas/${version}.json" with { type: "json" }; console.log(JSON.stringify(schema));`;
    const [own, sample] = ["callgate-scenarios-v1", "tool-cases-v2"].map((version) =>
      shellIn(installed, `node --input-type=module --eval '${program(version)}'`),
    );
    expect(JSON.parse(own?.stdout ?? "")).toEqual(JSON.parse(schema));
    expect(JSON.parse(sample?.stdout ?? "")).toMatchObject({ title: "tool-cases-v2" });
  });

  test("a program takes the same module, and gets the same types", () => {
    const program = `
      import { openGate } from "callgate";
      import definition from "./gate.mts";
      const gate = await openGate(definition);
      console.log(gate.registry.tools.map(({ name }) => name).join());
      await gate.close();
    `;
    writeFileSync(join(installed, "program.mts"), program);
    expect(shellIn(installed, "node program.mts")).toMatchObject({
      status: 0,
      stdout: "read_note,add_note\n",
      stderr: "",
    });
  });

  test("a scenario that is broken makes the CI step fail", () => {
    const path = join(installed, "scenarios/notes.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"code": "OK"', '"code": "NOT_FOUND"'));
    const { status, stdout } = shellIn(installed, ciStepOf(join(installed, WORKFLOW)));
    const [, file, line] = /^::error file=(.*?),line=(\d+),title=added-once%2C added::/m.exec(stdout) ?? [];
    expect([status, file]).toEqual([1, "scenarios/notes.json"]);
    // The line after the one that opens the step.
    expect(readFileSync(path, "utf8").split("\n")[Number(line)]).toContain('"step_id": "added"');
  });
});

describe("what is written", () => {
  test("into the current folder, a folder that is there, and one that is made", () => {
    expect(callgate(["init"], { cwd: folder }).status).toBe(0);
    mkdirSync(join(folder, "there"));
    for (const name of ["there", "made/below"]) {
      expect(callgate(["init", name], { cwd: folder }).stdout).toContain(`cd ${name}\n`);
      expect(filesBelow(join(folder, name))).toEqual(WRITTEN);
    }
  });

  test("--json names the files", () => {
    const { status, stdout } = callgate(["init", "--json"], { cwd: folder });
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as { files: string[] }).files.toSorted()).toEqual(WRITTEN);
  });

  test.each(WRITTEN)("nothing where %s is there: exit 2, the file is named and stays as it was", (name) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "mine");
    const { status, stdout, stderr } = callgate(["init"], { cwd: folder });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^callgate: INIT_FILE_EXISTS: .*\n$/);
    expect(stderr).toContain(`(at ${name})`);
    expect(filesBelow(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), "utf8")).toBe("mine");
  });

  test("nothing through a link that leads elsewhere", () => {
    symlinkSync(join(ROOT, "elsewhere"), join(folder, "gate.mts"));
    expect(callgate(["init"], { cwd: folder }).stderr).toContain("INIT_FILE_EXISTS");
    expect(existsSync(join(ROOT, "elsewhere"))).toBe(false);
  });

  test("nothing where a folder cannot be made: what was written and made is taken away", () => {
    writeFileSync(join(folder, "scenarios"), "a file");
    const { status, stderr } = callgate(["init", join(folder, ".")], { cwd: ROOT });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^callgate: FILE_UNWRITABLE: .*\n$/);
    expect(stderr).not.toContain(ROOT);
    expect(filesBelow(folder)).toEqual(["scenarios"]);
    expect(existsSync(join(folder, ".github"))).toBe(false);
  });

  test("nothing into a file", () => {
    writeFileSync(join(folder, "file"), "");
    const { status, stderr } = callgate(["init", "file"], { cwd: folder });
    expect([status, stderr.split(": ")[1]]).toEqual([2, "FILE_UNWRITABLE"]);
  });
});
