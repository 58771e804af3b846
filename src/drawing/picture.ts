import type { TransitionTable } from "../engine/compile.ts";
import { actionTexts, guardText, type AnyBranch } from "./branch-text.ts";

/** What is said of events that are answered alike. */
export interface PictureLabel {
  readonly events: readonly string[];
  readonly guard: string | null;
  readonly actions: readonly string[];
}

/** One node. */
export interface PictureNode {
  /** Shape: letters, digits and underscores; no two nodes have the same. */
  readonly id: string;
  /** *several* stands for states that answer some events alike. An *end* stands beside each node that leads to it. */
  readonly kind: "state" | "several" | "end";
  /** The states that it stands for: exactly one, unless it is *several*. */
  readonly states: readonly string[];
}

/** All that leads from one node to another. */
export interface PictureEdge {
  readonly from: string;
  /** Equals `from` where the state is not left. */
  readonly to: string;
  readonly labels: readonly PictureLabel[];
}

/** A machine as nodes and edges, for every writer to draw: all of its states and all of its branches. */
export interface Picture {
  readonly name: string;
  /** The node in which a run starts. */
  readonly start: string;
  /** The states in the order of the machine, then *several*, then ends. */
  readonly nodes: readonly PictureNode[];
  /** In the order of the nodes from which they come, then of those to which they lead. */
  readonly edges: readonly PictureEdge[];
}

type AnyTable = TransitionTable<string, string, string>;

/** How one event is answered in one state. */
interface Answer {
  readonly state: string;
  readonly event: string;
  readonly branches: readonly AnyBranch[];
}

/** A node that answers events. */
interface Source extends PictureNode {
  readonly answers: readonly Answer[];
}

/**
 * Draws a machine up so that it can be read: parallel transitions are one edge, an end is repeated wherever it is
 * reached, and what several states answer alike without leading on is drawn once.
 */
export function pictureOf(table: AnyTable): Picture {
  const sources = sourcesOf(table);
  const edges = sources.flatMap((source) => edgesFrom(source, table));
  const reached = new Set(edges.map(({ to }) => to));
  const ends = sources
    .flatMap(({ id }) =>
      [...table.finals].map((state) => ({ id: endId(id, state), kind: "end", states: [state] }) as const),
    )
    .filter(({ id }) => reached.has(id));
  const nodes: readonly PictureNode[] = [...sources.map(({ id, kind, states }) => ({ id, kind, states })), ...ends];

  const ids = nodes.map(({ id }) => id);
  const inOrder = (a: PictureEdge, b: PictureEdge): number =>
    ids.indexOf(a.from) - ids.indexOf(b.from) || ids.indexOf(a.to) - ids.indexOf(b.to);
  return { name: table.name, start: table.initial, nodes, edges: edges.toSorted(inOrder) };
}

function sourcesOf(table: AnyTable): readonly Source[] {
  const answers = table.states.flatMap((state) => answersIn(state, table));
  const alike = Map.groupBy(answers, (answer) => likeness(answer, table));
  const shared = [...alike.values()].filter(({ length }) => length > 1);
  const together = new Set(shared.flat());
  const single = table.states
    .filter((state) => !table.finals.has(state))
    .map((state): Source => {
      const own = answers.filter((answer) => answer.state === state && !together.has(answer));
      return { id: state, kind: "state", states: [state], answers: own };
    });
  const ofSeveral = Map.groupBy(shared, (group) => group.map(({ state }) => state).join(" "));
  const several = [...ofSeveral].map(([names, groups], index): Source => {
    const oneOfEach = groups.flatMap((group) => group.slice(0, 1));
    return { id: `any__${index + 1}`, kind: "several", states: names.split(" "), answers: oneOfEach };
  });
  return [...single, ...several];
}

function answersIn(state: string, { rows }: AnyTable): readonly Answer[] {
  const own = rows.filter((row) => row.state === state);
  return [...Map.groupBy(own, ({ event }) => event)].map(([event, branches]) => ({ state, event, branches }));
}

/** The same for answers that may be drawn as one: those that lead on to another state stay where they belong. */
function likeness({ state, event, branches }: Answer, { finals }: AnyTable): string {
  const leadsOn = branches.some(({ target }) => target !== state && !finals.has(target));
  const ways = branches.map((row) => [row.guard, row.target === state ? null : row.target, actionTexts(row)]);
  return JSON.stringify([leadsOn ? state : null, event, ways]);
}

function edgesFrom({ id, answers }: Source, { finals }: AnyTable): readonly PictureEdge[] {
  const nodeOf = ({ state, target }: AnyBranch): string => {
    if (target === state) return id;
    return finals.has(target) ? endId(id, target) : target;
  };
  const arrows = answers.flatMap(({ event, branches }) =>
    branches.map((row) => ({
      to: nodeOf(row),
      label: { events: [event], guard: guardText(row, branches), actions: actionTexts(row) },
    })),
  );
  return [...Map.groupBy(arrows, ({ to }) => to)].map(([to, parallel]) => ({
    from: id,
    to,
    labels: joined(parallel.map(({ label }) => label)),
  }));
}

function joined(labels: readonly PictureLabel[]): readonly PictureLabel[] {
  const alike = Map.groupBy(labels, ({ guard, actions }) => JSON.stringify([guard, actions]));
  return [...alike.values()].flatMap((group) => {
    const events = group.flatMap((label) => label.events);
    return group.slice(0, 1).map(({ guard, actions }) => ({ events, guard, actions }));
  });
}

/** Two underscores: no name of a state has them. */
function endId(from: string, end: string): string {
  return `${from}__${end}`;
}
