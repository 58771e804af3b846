import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIAGRAM_NAMES, drawMermaid, drawPicture, drawStately } from "../../src/drawing/diagrams.ts";

const LAUNCHER = join(import.meta.dirname, "../../src/cli/launcher.js");

function svgOf(name: string): string {
  return readFileSync(join(import.meta.dirname, `../../diagrams/${name}.svg`), "utf8");
}

function diagram(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, "diagram", ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("callgate diagram", () => {
  test.each(DIAGRAM_NAMES)("%s is printed as it is drawn", (name) => {
    expect(diagram(name)).toEqual({ status: 0, stdout: drawMermaid(name), stderr: "" });
  });

  test.each(DIAGRAM_NAMES)("%s is printed as the SVG that the package has", (name) => {
    expect(diagram(name, "--format", "svg")).toEqual({ status: 0, stdout: svgOf(name), stderr: "" });
  });

  test.each([
    ["mermaid", drawMermaid("approval")],
    ["json", `${JSON.stringify(drawPicture("approval"), null, 2)}\n`],
    ["stately", `${JSON.stringify(drawStately("approval"), null, 2)}\n`],
  ])("prints what --format %s asks for", (format, stdout) => {
    expect(diagram("approval", "--format", format)).toEqual({ status: 0, stdout, stderr: "" });
  });

  test.each([
    ["a format that there is none of", ["approval", "--format", "png"], /mermaid, svg, json, stately/],
    ["a format of nothing", ["--format", "svg"], /--format needs the name of a machine/],
  ])("refuses %s", (_what, args, told) => {
    const { status, stdout, stderr } = diagram(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^callgate: USAGE: [^\n]+\n$/);
    expect(stderr).toMatch(told);
  });

  test.each(["svg", "json", "stately"])("knows no other machine in --format %s, and no file", (format) => {
    const { status, stdout, stderr } = diagram("../diagrams/approval", "--format", format);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^callgate: DIAGRAM_UNKNOWN: /);
  });

  test("names the machines where none is named", () => {
    expect(diagram()).toEqual({ status: 0, stdout: `${DIAGRAM_NAMES.join("\n")}\n`, stderr: "" });
  });

  test.each([
    [["approval", "--json"], { name: "approval", mermaid: drawMermaid("approval") }],
    [["approval", "--json", "--format", "svg"], { name: "approval", svg: svgOf("approval") }],
    [["approval", "--json", "--format", "json"], { name: "approval", json: drawPicture("approval") }],
    [["approval", "--json", "--format", "stately"], { name: "approval", stately: drawStately("approval") }],
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
