import { getShortestPaths } from "@xstate/graph";
import type { AnyMachineSnapshot } from "xstate";
import type { Subject } from "../engine/subjects.ts";
import { keyOf, ownEvents, pathMachine, type PathEvent } from "./path-events.ts";

/** The events of one run, from the start. */
export type Path = readonly PathEvent[];

/**
 * Runs that together take every edge, the shortest to each; none is the beginning of another. Two states are one if value
 * and the edge that led there are: with the context the traversal would not end, without the edge it leaves branches out.
 */
export function generatedPaths(subject: Subject): readonly Path[] {
  const paths = getShortestPaths(pathMachine(subject), {
    input: subject.contextIn(subject.table.initial),
    events: (snapshot: AnyMachineSnapshot) => ownEvents(subject, String(snapshot.value)),
    serializeState: (snapshot: AnyMachineSnapshot, event: unknown, previous?: AnyMachineSnapshot) =>
      JSON.stringify([snapshot.value, previous?.value, isPathEvent(event) ? keyOf(event) : null]),
    serializeEvent: (event: unknown) => (isPathEvent(event) ? keyOf(event) : ""),
    limit: 100_000,
  });
  // XState's own first event is no event of ours.
  return withoutPrefixes(paths.map(({ steps }) => steps.map(({ event }): unknown => event).filter(isPathEvent)));
}

function isPathEvent(event: unknown): event is PathEvent {
  return typeof event === "object" && event !== null && "held" in event;
}

function withoutPrefixes(paths: readonly Path[]): readonly Path[] {
  const textOf = (path: Path): string => path.map((event) => `${keyOf(event)};`).join("");
  const texts = paths.map(textOf);
  return paths.filter(
    (_path, index) => !texts.some((text, other) => other !== index && text.startsWith(texts[index] ?? "")),
  );
}
