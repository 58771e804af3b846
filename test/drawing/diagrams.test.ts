import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIAGRAM_NAMES, drawMermaid, drawPicture, drawStately } from "../../src/drawing/diagrams.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { readMermaid } from "./read-mermaid.ts";

const MACHINES = globSync("*.ts", { cwd: join(import.meta.dirname, "../../machines") })
  .filter((file) => file !== "unprovided.ts")
  .map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));

describe("diagrams", () => {
  test("there is one of every machine", () => {
    expect(DIAGRAM_NAMES.toSorted()).toEqual(MACHINES.toSorted());
  });

  test.each(DIAGRAM_NAMES)("that of %s is of this machine", (name) => {
    expect(readMermaid(drawMermaid(name)).title).toBe(`The machine ${name}`);
  });

  test.each(["", "Operation", "operation ", "toString", "__proto__"])("there is none of %j", (name) => {
    const unknown = new CallgateError("DIAGRAM_UNKNOWN", { detail: `known are ${DIAGRAM_NAMES.join(", ")}` });
    for (const draw of [drawMermaid, drawPicture, drawStately]) expect(() => draw(name)).toThrow(unknown);
  });
});
