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
  const WRONG: readonly (readonly [string, string, string, (config: OpenConfig) => void, string])[] = [
    [
      "a target by id",
      "MACHINE_OUT_OF_DIALECT",
      "operation/proposed/host.bound",
      (config) => void (first(config).target = "#operation.rejected"),
      "the target is not a state",
    ],
    [
      "a target that is the state itself",
      "MACHINE_OUT_OF_DIALECT",
      "operation/proposed/host.bound",
      (config) => void (first(config).target = "proposed"),
      "a branch stays by having no target",
    ],
    [
      "a start that is no state",
      "MACHINE_OUT_OF_DIALECT",
      "operation",
      (config) => void (config["initial"] = "limbo"),
      "the initial state is not a state",
    ],
    [
      "a machine that lacks a state",
      "MACHINE_OUT_OF_DIALECT",
      "operation/joined",
      (config) => {
        Reflect.deleteProperty(config.states, "joined");
        for (const state of Object.values(config.states)) {
          for (const branches of Object.values(state.on ?? {})) {
            for (const branch of [branches].flat() as { target?: string }[]) {
              if (branch.target === "joined") branch.target = "rejected";
            }
          }
        }
      },
      "the machine lacks the state",
    ],
    [
      "a state that is no word",
      "MACHINE_OUT_OF_DIALECT",
      "operation/limbo",
      (config) => void (config.states["limbo"] = { type: "final" }),
      "the state is not a word of this machine",
    ],
    [
      "an event that is no word",
      "MACHINE_OUT_OF_DIALECT",
      "operation/bound/tool.finished",
      (config) => void Object.assign(config.states["bound"]?.on ?? {}, { "tool.finished": { target: "rejected" } }),
      "the event is not in the alphabet",
    ],
    [
      "a guard that is not declared",
      "MACHINE_INCOMPLETE",
      "operation/proposed/host.bound",
      (config) => void (first(config).guard = "toString"),
      "toString is not a guard of the machine",
    ],
    [
      "an action that is not implemented",
      "MACHINE_INCOMPLETE",
      "operation/proposed/host.bound",
      (config) => void (first(config).actions = ["toString"]),
      "toString is neither a change nor an effect",
    ],
  ];

  test.each(WRONG)("%s is %s at %s", (_what, code, at, put, detail) => {
    const subject = OPERATION_SUBJECT.around(mutated(OPERATION_SUBJECT.machine, put));
    expect(() => subject.table).toThrow(expect.objectContaining({ code, at, detail }));
  });
});
