import type { Picture, PictureEdge, PictureLabel, PictureNode } from "./picture.ts";

/** How to read it, in the picture itself. */
const LEGEND = ["event [guard] / actions", "inside a box, it stays", "thick border, an end"];

const BREAK = "<br/>";

/** What every version of Mermaid takes for text, wherever it stands. */
const PLAIN = /^[\w .,()[\]/]+$/;

/** Words that Mermaid keeps for itself. */
const RESERVED = /^(as|class|classDef|click|default|direction|end|href|note|scale|state|style)$/;

/**
 * Writes a picture as a Mermaid state diagram.
 * Errors: a TypeError for a name that Mermaid would take for something else.
 */
export function writeMermaid({ name, start, nodes, edges }: Picture): string {
  const ends = new Set(nodes.filter(({ kind }) => kind === "end").flatMap(({ states }) => states));
  const staying = new Map(edges.filter(({ from, to }) => from === to).map(({ from, labels }) => [from, labels]));
  const leaving = edges.filter(({ from, to }) => from !== to);
  const lines = [
    `accTitle: ${plain(`The machine ${name}`)}`,
    `accDescr: ${plain(`It starts in ${start} and ends in ${[...ends].join(", ")}.`)}`,
    "classDef several stroke-dasharray:4",
    "classDef final stroke-width:3px",
    "classDef legend fill:none,stroke:none",
    `state "${LEGEND.map(plain).join(BREAK)}" as legend__`,
    "class legend__ legend",
    ...nodes.flatMap((node) => nodeLines(node, staying.get(node.id) ?? [])),
    `[*] --> ${start}`,
    ...leaving.map(edgeLine),
  ];
  return ["stateDiagram-v2", ...lines.map((line) => `  ${line}`), ""].join("\n");
}

function nodeLines({ id, kind, states }: PictureNode, stays: readonly PictureLabel[]): readonly string[] {
  if (RESERVED.test(id)) throw new TypeError(`${id} is a word of Mermaid's own`);
  const title = kind === "several" ? `any of ${states.join(", ")}` : states.join();
  return [
    // A lone description would stand instead of the name, not below it.
    plain(title) === id && stays.length === 0 ? id : `${id} : ${title}`,
    ...stays.map((label) => `${id} : ${labelText(label, " ")}`),
    ...(kind === "state" ? [] : [`class ${id} ${kind === "end" ? "final" : kind}`]),
  ];
}

function edgeLine({ from, to, labels }: PictureEdge): string {
  // Broken where it can be, for Mermaid makes room for a whole line; a blank line between two labels.
  return `${from} --> ${to} : ${labels.map((label) => labelText(label, BREAK)).join(BREAK + BREAK)}`;
}

function labelText({ events, guard, actions }: PictureLabel, space: string): string {
  const when = events.map(plain).join(`,${space}`) + (guard === null ? "" : ` [${plain(guard)}]`);
  return actions.length === 0 ? when : `${when} /${space}${actions.map(plain).join(", ")}`;
}

function plain(text: string): string {
  if (!PLAIN.test(text)) throw new TypeError(`Mermaid would misread ${JSON.stringify(text)}`);
  return text;
}
