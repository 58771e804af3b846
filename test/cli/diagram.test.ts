import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIAGRAM_NAMES, drawMermaid } from "../../src/drawing/diagrams.ts";

const LAUNCHER = join(import.meta.dirname, "../../src/cli/launcher.js");

function diagram(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, "diagram", ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("callgate diagram", () => {
  test.each(DIAGRAM_NAMES)("%s is printed as it is drawn", (name) => {
    expect(diagram(name)).toEqual({ status: 0, stdout: drawMermaid(name), stderr: "" });
  });

  test("names the machines where none is named", () => {
    expect(diagram()).toEqual({ status: 0, stdout: `${DIAGRAM_NAMES.join("\n")}\n`, stderr: "" });
  });

  test.each([
    [["approval", "--json"], { name: "approval", mermaid: drawMermaid("approval") }],
    [["--json"], DIAGRAM_NAMES],
  ])("prints JSON for %j", (args, expected) => {
    const { status, stdout, stderr } = diagram(...args);
    expect({ status, stderr, printed: JSON.parse(stdout) }).toEqual({ status: 0, stderr: "", printed: expected });
  });

  test("tells the names that there are where the one given is unknown", () => {
    const { status, stdout, stderr } = diagram("delivery");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^callgate: DIAGRAM_UNKNOWN: [^\n]+\n$/);
    for (const name of DIAGRAM_NAMES) expect(stderr).toContain(name);
  });

  test("tells it as one JSON object where JSON is asked for", () => {
    const { status, stdout, stderr } = diagram("delivery", "--json");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ code: "DIAGRAM_UNKNOWN" });
  });
});
