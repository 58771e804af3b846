import { describe, expect, test } from "vitest";
import { writeMermaid } from "../../src/drawing/mermaid.ts";
import { pictureOf, type Picture } from "../../src/drawing/picture.ts";
import type { TransitionTable } from "../../src/engine/compile.ts";
import { isRefusalCode } from "../../src/errors/refusals.ts";
import { SUBJECTS } from "../engine/subjects.ts";
import { readMermaid, type ReadBranch } from "./read-mermaid.ts";

/** Every branch of a table, with all that makes it up. */
function branchesOf({ rows }: TransitionTable<string, string, string>): readonly string[] {
  return rows.map(({ state, event, branch, guard, target, changes, effects }) => {
    const actions = [...changes, ...effects].map(({ type, params = {} }) => [type, ...Object.values(params)].join(" "));
    return `${state} ${event} ${branch} | ${guard} | ${target} | ${actions.join(", ")}`;
  });
}

/** The same, recovered from a drawing. */
function branchesDrawn(drawn: readonly ReadBranch[]): readonly string[] {
  const cells = Map.groupBy(drawn, ({ state, event }) => `${state} ${event}`);
  return [...cells].flatMap(([cell, branches]) =>
    branches.map(({ guard, target, actions }) => {
      const asked = guard === "" || guard === "else" ? [] : guard.split(", ");
      const branch = asked.length === 0 ? branches.length - 1 : asked.length - 1;
      const last = asked.at(-1) ?? null;
      return `${cell} ${branch} | ${last} | ${target} | ${actionsWritten(actions)}`;
    }),
  );
}

function actionsWritten(drawn: string): string {
  if (drawn === "") return "";
  return drawn
    .split(", ")
    .map((action) => {
      if (isRefusalCode(action)) return `refuse ${action}`;
      if (["fresh", "local_replay", "receipt_reconciled"].includes(action)) return `succeed ${action}`;
      return action.replace(/\((.+)\)$/, " $1");
    })
    .join(", ");
}

describe.each(SUBJECTS)("the drawing of $name", ({ name, table }) => {
  const read = readMermaid(writeMermaid(pictureOf(table)));

  test("says every branch of the machine once, and no other", () => {
    expect(branchesDrawn(read.branches).toSorted()).toEqual(branchesOf(table).toSorted());
  });

  test("says no to exactly the guards that are asked before", () => {
    for (const { state, event, guard } of read.branches) {
      const above = guard.split(", ").slice(0, -1);
      const asked = table.rows
        .filter((row) => row.state === state && row.event === event)
        .map((row) => `not ${row.guard}`);
      expect({ state, event, above }).toEqual({ state, event, above: asked.slice(0, above.length) });
    }
  });

  test("says `else` where there is something else", () => {
    for (const { state, event, guard } of read.branches) {
      const isAlone = table.rows.filter((row) => row.state === state && row.event === event).length === 1;
      expect({ state, event, isAlone }).toEqual({ state, event, isAlone: guard === "" });
    }
  });

  test("shows every state, in the order of the machine, its start and its ends", () => {
    expect(read.title).toBe(`The machine ${name}`);
    expect(read.initial).toBe(table.initial);
    expect(read.states).toEqual(table.states.filter((state) => !table.finals.has(state)));
    expect(read.finals).toEqual(table.finals);
  });
});

describe("a name that Mermaid would take for something else", () => {
  const PICTURE: Picture = {
    name: "seed",
    start: "one",
    nodes: [
      { id: "one", kind: "state", states: ["one"] },
      { id: "one__two", kind: "end", states: ["two"] },
    ],
    edges: [{ from: "one", to: "one__two", labels: [{ events: ["it.went"], guard: "isSo", actions: ["doIt"] }] }],
  };
  const labelled = (label: object): Picture => ({
    ...PICTURE,
    edges: PICTURE.edges.map((edge) => ({ ...edge, labels: edge.labels.map((given) => ({ ...given, ...label })) })),
  });

  test("is the only thing that is refused", () => {
    expect(readMermaid(writeMermaid(PICTURE)).branches).toEqual([
      { state: "one", event: "it.went", guard: "isSo", target: "two", actions: "doIt" },
    ]);
  });

  test.each([
    ["an event", labelled({ events: ["it:went"] })],
    ["a guard", labelled({ guard: "is;so" })],
    ["an action", labelled({ actions: ["do-->it"] })],
    ["an action of several", labelled({ actions: ["doIt", "<b>"] })],
    ["the machine", { ...PICTURE, name: "se\ned" }],
    ["a state", { ...PICTURE, nodes: [{ id: "one", kind: "state", states: ['o"ne'] }] }],
    ["a word of its own", { ...PICTURE, nodes: [{ id: "note", kind: "state", states: ["note"] }] }],
  ] satisfies readonly (readonly [string, Picture])[])("is refused: %s", (_what, picture) => {
    expect(() => writeMermaid(picture)).toThrow(TypeError);
  });
});
