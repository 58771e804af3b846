import type { Picture } from "../src/drawing/picture.ts";
import { FONT, lineHeightOf, sizeOf, type Line, type Piece, type Size } from "./drawn-text.ts";
import type { PlacedEdge, PlacedNode, PlacedPicture, Point } from "./layout.ts";

/** Units: pixels. */
const MARGIN = 16;
const CORNER = 6;

/** Where the baseline of a line is below its top. */
const BASELINE = 12;

/** Each colour in light and in dark; every text can be told from canvas and box. */
const COLOURS = {
  canvas: ["#ffffff", "#0d1117"],
  box: ["#eef3f8", "#1c2530"],
  edge: ["#57606a", "#8b949e"],
  ink: ["#1f2328", "#e6edf3"],
  guard: ["#6639ba", "#c297ff"],
  code: ["#b3202c", "#ff8f88"],
  delivery: ["#116329", "#56d364"],
  note: ["#57606a", "#9da7b1"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

const STYLE = `
    svg { ${coloursOf(0)} }
    @media (prefers-color-scheme: dark) { svg { ${coloursOf(1)} } }
    text { font: ${FONT.size}px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: var(--ink); white-space: pre; }
    .canvas, .label { fill: var(--canvas); }
    .node { fill: var(--box); stroke: var(--edge); }
    .several { stroke-dasharray: 5 3; }
    .end { fill: var(--canvas); stroke: var(--ink); stroke-width: 2.5; }
    .start { fill: var(--ink); stroke: none; }
    .edge { fill: none; stroke: var(--edge); stroke-width: 1.25; }
    .arrow { fill: var(--edge); }
    .state, .event { font-weight: bold; }
    .guard { fill: var(--guard); }
    .code { fill: var(--code); }
    .delivery { fill: var(--delivery); }
    .note { fill: var(--note); }
  `;

/** How to read it, in the picture itself. */
const LEGEND: readonly Line[] = [
  [
    { kind: "event", text: "event" },
    { kind: "guard", text: " [guard]" },
    { kind: "code", text: " CODE" },
    { kind: "delivery", text: " delivery" },
    { kind: "action", text: " action" },
  ],
  [{ kind: "note", text: "thick border: an end; dashed border: the same for each state" }],
  [{ kind: "note", text: "below the name in a box: what it stays for" }],
];

/** Writes a picture, everything in its place, as an SVG that needs nothing else: no script, no font, no style of a page. */
export function writeSvg({ name, start, nodes }: Picture, { width, height, ...placed }: PlacedPicture): string {
  const ends = new Set(nodes.filter(({ kind }) => kind === "end").flatMap(({ states }) => states));
  const header: readonly Line[] = [[{ kind: "state", text: name }], [], ...LEGEND];
  const headerSize = sizeOf(header);
  const top = headerSize.height + 2 * MARGIN;
  const size = {
    width: Math.max(width, headerSize.width) + 2 * MARGIN,
    height: top + height + MARGIN,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="picture-title picture-description">`,
    `  <title id="picture-title">${escaped(`The machine ${name}`)}</title>`,
    `  <desc id="picture-description">${escaped(`It starts in ${start} and ends in ${[...ends].join(", ")}.`)}</desc>`,
    `  <style>${STYLE}</style>`,
    `  <marker id="picture-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker>`,
    `  <rect class="canvas" width="${size.width}" height="${size.height}"/>`,
    ...textLines(header, { x: MARGIN, y: MARGIN }, "start"),
    `  <g transform="translate(${MARGIN} ${top})">`,
    ...placed.edges.flatMap(edgeGroup),
    ...placed.nodes.flatMap(nodeGroup),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function nodeGroup({ id, kind, lines, ...place }: PlacedNode): readonly string[] {
  const { x, y, width, height } = place;
  if (kind === "start") {
    const radius = width / 2;
    return [`    <circle class="start" cx="${x + radius}" cy="${y + radius}" r="${radius}"/>`];
  }
  const classes = kind === "state" ? "node" : `node ${kind}`;
  const corner = kind === "end" ? height / 2 : CORNER;
  return [
    `    <g id="${escaped(id)}">`,
    `      <rect class="${classes}" ${boxText(place)} rx="${corner}"/>`,
    ...centred(lines, place),
    "    </g>",
  ];
}

function edgeGroup({ from, to, points, label }: PlacedEdge): readonly string[] {
  const [first, ...others] = points;
  if (first === undefined) throw new TypeError("an edge leads nowhere");
  return [
    `    <g id="${escaped(`${from}.${to}`)}">`,
    `      <path class="edge" marker-end="url(#picture-arrow)" d="M${pointText(first)}L${others.map(pointText).join(" ")}"/>`,
    ...(label === null ? [] : [`      <rect class="label" ${boxText(label)}/>`, ...centred(label.lines, label)]),
    "    </g>",
  ];
}

function centred(lines: readonly Line[], { x, y, width, height }: Point & Size): readonly string[] {
  return textLines(lines, { x: x + width / 2, y: y + (height - sizeOf(lines).height) / 2 }, "middle");
}

function textLines(lines: readonly Line[], { x, y }: Point, anchor: "start" | "middle"): readonly string[] {
  let top = y;
  const indent = anchor === "start" ? "  " : "      ";
  return lines.flatMap((line) => {
    const baseline = top + BASELINE;
    top += lineHeightOf(line);
    if (line.length === 0) return [];
    return [`${indent}<text x="${x}" y="${baseline}" text-anchor="${anchor}">${line.map(pieceSpan).join("")}</text>`];
  });
}

function pieceSpan({ kind, text }: Piece): string {
  return `<tspan class="${kind}">${escaped(text)}</tspan>`;
}

function boxText({ x, y, width, height }: Point & Size): string {
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
}

function pointText({ x, y }: Point): string {
  return `${x} ${y}`;
}

function coloursOf(theme: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, colours]) => `--${name}: ${colours[theme]};`)
    .join(" ");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
