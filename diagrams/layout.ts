import Elk, { type ElkNode, type ElkShape } from "elkjs/lib/elk.bundled.js";
import type { Picture, PictureEdge, PictureNode } from "../src/drawing/picture.ts";
import { labelLines, nodeLines, sizeOf, type Line, type Size } from "./drawn-text.ts";

/** Units: pixels from the top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lines of text with the room that was made for them. */
interface PlacedText extends Point, Size {
  readonly lines: readonly Line[];
}

/** A node where it stands. */
export interface PlacedNode extends PlacedText {
  readonly id: string;
  readonly kind: PictureNode["kind"] | "start";
}

/** An edge where it runs, and its label on it. */
export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  /** From the one node to the other, bends between. */
  readonly points: readonly Point[];
  /** Null on the edge that shows where a run starts. */
  readonly label: PlacedText | null;
}

/** A picture in which everything has its place. */
export interface PlacedPicture extends Size {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const START = "start__";

/** Units: pixels. */
const ROOM = { start: 12, besideText: 10, aroundText: 7, aroundLabel: 4 } as const;

/**
 * What the layout is told: chance has a seed, and parts that do not hang together stand below each other.
 */
const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.randomSeed": "1",
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.aspectRatio": "0.5",
  "elk.spacing.componentComponent": "28",
  "elk.spacing.nodeNode": "24",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "14",
  "elk.spacing.edgeLabel": "2",
  "elk.layered.spacing.nodeNodeBetweenLayers": "20",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
} as const;

/** A label stands on its edge, and the edge is broken by it: none can be taken for another's. */
const INLINE = { "elk.edgeLabels.inline": "true" } as const;

/** What hangs together with the start stands first. */
const FIRST = { "elk.priority": "100" } as const;

/** The way from state to state is the spine of the picture; ends stand at its sides. */
const STRAIGHT = { "elk.layered.priority.straightness": "20" } as const;

/** Gives every node, edge and label of a picture its place; labels and nodes stand apart. */
export async function layOut(picture: Picture): Promise<PlacedPicture> {
  const nodes = picture.nodes.map((node) => ({ node, lines: nodeLines(node, staysOf(picture, node)) }));
  const edges = picture.edges
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, labels }) => ({ id: `${from} ${to}`, from, to, lines: labelLines(labels) }));
  const ends = new Set(picture.nodes.filter(({ kind }) => kind === "end").map(({ id }) => id));
  const graph: ElkNode = {
    id: picture.name,
    layoutOptions: OPTIONS,
    children: [
      { id: START, width: ROOM.start, height: ROOM.start, layoutOptions: FIRST },
      ...nodes.map(({ node: { id }, lines }) => ({ id, ...widened(sizeOf(lines), ROOM.besideText, ROOM.aroundText) })),
    ],
    edges: [
      { id: START, sources: [START], targets: [picture.start] },
      ...edges.map(({ id, from, to, lines }) => ({
        id,
        ...(ends.has(to) ? {} : { layoutOptions: STRAIGHT }),
        sources: [from],
        targets: [to],
        labels: [{ text: id, layoutOptions: INLINE, ...widened(sizeOf(lines), ROOM.aroundLabel, ROOM.aroundLabel) }],
      })),
    ],
  };
  const laidOut: ElkNode = await new Elk.default().layout(graph);

  const nodeAt = placesOf(laidOut.children);
  const edgeAt = new Map(laidOut.edges?.map((edge) => [edge.id, edge]));
  const routeOf = (id: string): readonly Point[] => {
    const [section, ...more] = edgeAt.get(id)?.sections ?? [];
    if (section === undefined || more.length > 0) throw new TypeError(`${id} has not one way`);
    return [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(rounded);
  };
  return {
    width: Math.ceil(laidOut.width ?? 0),
    height: Math.ceil(laidOut.height ?? 0),
    nodes: [
      { id: START, kind: "start", lines: [], ...nodeAt(START) },
      ...nodes.map(({ node: { id, kind }, lines }) => ({ id, kind, lines, ...nodeAt(id) })),
    ],
    edges: [
      { from: START, to: picture.start, points: routeOf(START), label: null },
      ...edges.map(({ id, from, to, lines }) => {
        const [label] = edgeAt.get(id)?.labels ?? [];
        return { from, to, points: routeOf(id), label: { lines, ...placeOf(id, label) } };
      }),
    ],
  };
}

/** The places of shapes, by their ids. Errors: a TypeError for one that has none. */
function placesOf(shapes: readonly ElkNode[] = []): (id: string) => Point & Size {
  const byId = new Map(shapes.map((shape) => [shape.id, shape]));
  return (id) => placeOf(id, byId.get(id));
}

function placeOf(id: string, { x, y, width, height }: ElkShape = {}): Point & Size {
  if (x === undefined || y === undefined || width === undefined || height === undefined) {
    throw new TypeError(`${id} has no place`);
  }
  return { ...rounded({ x, y }), width, height };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

function staysOf({ edges }: Picture, { id }: PictureNode): PictureEdge["labels"] {
  return edges.find(({ from, to }) => from === id && to === id)?.labels ?? [];
}

function widened({ width, height }: Size, sideways: number, upAndDown: number): Size {
  return { width: width + 2 * sideways, height: height + 2 * upAndDown };
}
