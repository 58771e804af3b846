import * as outerGraph from "@xstate/graph";
import type { AnyMachineSnapshot, MachineContext } from "xstate";
import * as innerGraph from "xstate/graph";
import { describe, expect, test } from "vitest";
import { OPERATION_SUBJECT, SUBJECTS, type Subject } from "../engine/subjects.ts";
import { allEvents, keyOf, ownEvents, pathMachine, type PathEvent } from "./path-events.ts";

interface Edge {
  readonly from: string;
  readonly event: string;
  readonly to: string;
}

type GraphPackage = Pick<typeof innerGraph, "adjacencyMapToArray" | "getAdjacencyMap">;

/** Where every event leads from every state that can be reached, as one of the two packages finds it. */
function edgesBy({ adjacencyMapToArray, getAdjacencyMap }: GraphPackage, subject: Subject): readonly Edge[] {
  const map = getAdjacencyMap<AnyMachineSnapshot, PathEvent, MachineContext>(pathMachine(subject), {
    input: subject.contextIn(subject.table.initial),
    events: allEvents(subject),
    serializeState: (snapshot) => String(snapshot.value),
    serializeEvent: keyOf,
    limit: 100_000,
  });
  return adjacencyMapToArray(map).map(({ state, event, nextState }) => ({
    from: String(state.value),
    event: keyOf(event),
    to: String(nextState.value),
  }));
}

describe.each(SUBJECTS)("$name", (subject) => {
  const edges = edgesBy(innerGraph, subject);

  test("is the same graph for both packages", () => {
    expect(edges).not.toEqual([]);
    expect(new Set(edgesBy(outerGraph, subject).map(textOf))).toEqual(new Set(edges.map(textOf)));
  });

  test("reaches every state, and feeds each every event", () => {
    const events = allEvents(subject).length;
    expect(edges.length).toBe(subject.table.states.length * events);
    expect(new Set(edges.map(({ from }) => from))).toEqual(new Set(subject.table.states));
  });

  test("moves only where the table moves", () => {
    const rows = subject.table.rows.filter((row) => row.target !== row.state);
    const moves = new Set(
      edges
        .filter(({ from, to }) => from !== to)
        .map(({ from, event, to }) => `${from} ${event.split(" ", 1)[0]} ${to}`),
    );
    expect(moves).toEqual(new Set(rows.map(({ state, event, target }) => `${state} ${event} ${target}`)));
  });
});

test("of every event in every state, only the query leads out of unknown, and only to querying", () => {
  const out = edgesBy(innerGraph, OPERATION_SUBJECT).filter(({ from, to }) => from === "unknown" && to !== "unknown");
  expect(out).toEqual([{ from: "unknown", event: "status.queried queryMatches", to: "querying" }]);
  expect(ownEvents(OPERATION_SUBJECT, "unknown").map(keyOf)).toEqual(["status.queried", "status.queried queryMatches"]);
});

function textOf({ from, event, to }: Edge): string {
  return `${from} ${event} ${to}`;
}
