import { describe, expect, test } from "vitest";
import { branchesOf, mutated, type OpenConfig } from "../machines/mutants.ts";
import { OPERATION_SUBJECT, SUBJECTS } from "./subjects.ts";

const IN_DOUBT_OR_HELD: Readonly<Record<string, readonly string[]>> = {
  operation: ["unknown"],
  status_query: [],
  approval: ["granted", "reserved", "consumed"],
};

test.each(SUBJECTS)("$name rests in its ends, and where nothing is asked", ({ name, table }) => {
  expect(new Set(table.resting)).toEqual(new Set([...table.finals, ...(IN_DOUBT_OR_HELD[name] ?? [])]));
});

test("a state that is entered with recorded effects only is rested in", () => {
  const settled = (config: OpenConfig) => {
    for (const event of ["receipt.absent", "receipt.unavailable"]) {
      for (const branch of branchesOf(config, "querying", event)) branch.target = "conflict";
    }
  };
  const { table } = OPERATION_SUBJECT.around(mutated(OPERATION_SUBJECT.machine, settled));
  expect(table.resting).toContain("unknown");
});

describe("what is no table of the operation", () => {
  const first = (config: OpenConfig) => branchesOf(config, "proposed", "host.bound")[0] ?? {};
  const WRONG: readonly (readonly [string, string, string, (config: OpenConfig) => void])[] = [
    [
      "a target by id",
      "MACHINE_OUT_OF_DIALECT",
      "operation/proposed/host.bound",
      (config) => void (first(config).target = "#operation.rejected"),
    ],
    [
      "a target that is the state itself",
      "MACHINE_OUT_OF_DIALECT",
      "operation/proposed/host.bound",
      (config) => void (first(config).target = "proposed"),
    ],
    ["a start that is no state", "MACHINE_OUT_OF_DIALECT", "operation", (config) => void (config["initial"] = "limbo")],
    [
      "a state that is no word",
      "MACHINE_OUT_OF_DIALECT",
      "operation/limbo",
      (config) => void (config.states["limbo"] = { type: "final" }),
    ],
    [
      "an event that is no word",
      "MACHINE_OUT_OF_DIALECT",
      "operation/bound/tool.finished",
      (config) => void Object.assign(config.states["bound"]?.on ?? {}, { "tool.finished": { target: "rejected" } }),
    ],
    [
      "a guard that is not declared",
      "MACHINE_INCOMPLETE",
      "operation/proposed/host.bound",
      (config) => void (first(config).guard = "toString"),
    ],
    [
      "an action that is not implemented",
      "MACHINE_INCOMPLETE",
      "operation/proposed/host.bound",
      (config) => void (first(config).actions = ["toString"]),
    ],
  ];

  test.each(WRONG)("%s is %s at %s", (_what, code, at, put) => {
    const subject = OPERATION_SUBJECT.around(mutated(OPERATION_SUBJECT.machine, put));
    expect(() => subject.table).toThrow(expect.objectContaining({ code, at }));
  });
});
