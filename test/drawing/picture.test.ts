import { describe, expect, test } from "vitest";
import { pictureOf, type PictureEdge } from "../../src/drawing/picture.ts";
import type { TransitionRow, TransitionTable } from "../../src/engine/compile.ts";

type Table = TransitionTable<string, string, string>;

/**
 * A table in short.
 * Shape: each line is `state event guard target action…`; `-` is no guard; the ends are in capitals.
 */
function tableOf(...lines: readonly string[]): Table {
  const rows: TransitionRow<string, string, string>[] = [];
  for (const line of lines) {
    const [state = "", event = "", guard = "", target = "", ...actions] = line.split(" ");
    const branch = rows.filter((row) => row.state === state && row.event === event).length;
    const changes = actions.map((type) => ({ type, params: {} }));
    rows.push({ state, event, branch, guard: guard === "-" ? null : guard, target, changes, effects: [] });
  }
  const states = [...new Set(rows.flatMap(({ state, target }) => [state, target]))];
  const finals = new Set(states.filter((state) => state === state.toUpperCase()));
  return { name: "seed", initial: "a", states, finals, resting: finals, rows };
}

/** The edges of a picture in short. */
function edgesOf(table: Table): readonly string[] {
  return pictureOf(table).edges.map(edgeText);
}

function edgeText({ from, to, labels }: PictureEdge): string {
  const texts = labels.map(({ events, guard, actions }) =>
    `${events.join("+")} [${guard}] ${actions.join("+")}`.trim(),
  );
  return `${from} > ${to}: ${texts.join(" | ")}`;
}

describe("a picture", () => {
  test("joins parallel transitions, and in them the events that are answered alike", () => {
    expect(edgesOf(tableOf("a x - b go", "a y - b go", "a z - b stop"))).toEqual([
      "a > b: x+y [null] go | z [null] stop",
    ]);
  });

  test("keeps apart what differs in guard or action alone", () => {
    const table = tableOf("a x p b go", "a x - a", "a y q b go", "a y - a", "a z p b", "a z - a");
    expect(edgesOf(table)).toEqual(["a > a: x+y+z [else]", "a > b: x [p] go | y [q] go | z [p]"]);
  });

  test("says of each branch all that must not hold before it", () => {
    expect(edgesOf(tableOf("a x p b", "a x q c", "a x r d", "a x - a"))).toEqual([
      "a > a: x [else]",
      "a > b: x [p]",
      "a > c: x [not p, q]",
      "a > d: x [not p, not q, r]",
    ]);
  });

  test("draws an end beside each node that leads to it", () => {
    const { nodes, edges } = pictureOf(tableOf("a x - b", "a y - END", "b z - END"));
    expect(edges.map(edgeText)).toEqual(["a > b: x [null]", "a > a__END: y [null]", "b > b__END: z [null]"]);
    expect(nodes).toEqual([
      { id: "a", kind: "state", states: ["a"] },
      { id: "b", kind: "state", states: ["b"] },
      { id: "a__END", kind: "end", states: ["END"] },
      { id: "b__END", kind: "end", states: ["END"] },
    ]);
  });

  test("draws once what several states answer alike and are led to an end by", () => {
    const { nodes, edges } = pictureOf(tableOf("a x - b", "a y - END", "b y - END", "a z - END", "b z - END"));
    expect(edges.map(edgeText)).toEqual(["a > b: x [null]", "any__1 > any__1__END: y+z [null]"]);
    expect(nodes.filter(({ kind }) => kind !== "state")).toEqual([
      { id: "any__1", kind: "several", states: ["a", "b"] },
      { id: "any__1__END", kind: "end", states: ["END"] },
    ]);
  });

  test("draws once what several states stay for", () => {
    expect(edgesOf(tableOf("a x - b", "a y p a wait", "a y - END", "b y p b wait", "b y - END"))).toEqual([
      "a > b: x [null]",
      "any__1 > any__1: y [p] wait",
      "any__1 > any__1__END: y [else]",
    ]);
  });

  test.each([
    ["that lead on", ["a x - c", "b x - c"], ["a > c: x [null]", "b > c: x [null]"]],
    ["of which one stays and one comes", ["a x - b", "b x - b"], ["a > b: x [null]", "b > b: x [null]"]],
    ["that end differently", ["a x - END", "b x - HALT"], ["a > a__END: x [null]", "b > b__HALT: x [null]"]],
    ["that do different things", ["a x - END p", "b x - END q"], ["a > a__END: x [null] p", "b > b__END: x [null] q"]],
    [
      "of which one branch differs",
      ["a x p END", "a x - END go", "b x q END", "b x - END go"],
      ["a > a__END: x [p] | x [else] go", "b > b__END: x [q] | x [else] go"],
    ],
  ])("leaves to their states answers %s", (_what, lines, edges) => {
    expect(edgesOf(tableOf(...lines))).toEqual(edges);
  });

  test("has edges in the order of its nodes, ends last", () => {
    expect(edgesOf(tableOf("a v - END", "a w - b", "b x - HALT", "b y - c", "b z - a", "c v - c"))).toEqual([
      "a > b: w [null]",
      "a > a__END: v [null]",
      "b > a: z [null]",
      "b > c: y [null]",
      "b > b__HALT: x [null]",
      "c > c: v [null]",
    ]);
  });
});
