import type { PictureLabel, PictureNode } from "../src/drawing/picture.ts";
import { isRefusalCode } from "../src/errors/refusals.ts";
import type { Delivery } from "../src/protocol/result.ts";

/** What a piece of text is; each kind looks different. */
export type PieceKind = "state" | "event" | "guard" | "action" | "code" | "delivery" | "note";

/** Text of one kind. */
export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

/** One line of text; without pieces, it is a space between paragraphs. */
export type Line = readonly Piece[];

/** Units: pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Units: pixels. Text is set in a fixed pitch, so that its room is known wherever it is shown. */
export const FONT = {
  size: 12,
  lineHeight: 16,
  /** Of a paragraph's end. */
  gapHeight: 7,
  /** Wider than in any common font of fixed pitch, bold among them. */
  characterWidth: 7.4,
} as const;

const LONGEST_LINE = 34;

const DELIVERIES = { fresh: true, local_replay: true, receipt_reconciled: true } as const satisfies Record<
  Delivery,
  true
>;

/** The room that lines take. */
export function sizeOf(lines: readonly Line[]): Size {
  const longest = Math.max(0, ...lines.map(lengthOf));
  return {
    width: Math.ceil(longest * FONT.characterWidth),
    height: lines.reduce((height, line) => height + lineHeightOf(line), 0),
  };
}

/** How far the next line is below this one. */
export function lineHeightOf(line: Line): number {
  return line.length === 0 ? FONT.gapHeight : FONT.lineHeight;
}

/** What leads from one node to another, in words. */
export function labelLines(labels: readonly PictureLabel[]): readonly Line[] {
  return labels.flatMap((label, index) => [...(index === 0 ? [] : [[]]), ...linesOfLabel(label)]);
}

/** What stands in a node: its name, and what it stays for. */
export function nodeLines({ kind, states }: PictureNode, stays: readonly PictureLabel[]): readonly Line[] {
  const names = states.map((text): Piece => ({ kind: "state", text }));
  const title = kind === "several" ? [[{ kind: "note", text: "any of" } as const], ...wrapped(names)] : [names];
  return stays.length === 0 ? title : [...title, [], ...labelLines(stays)];
}

function linesOfLabel({ events, guard, actions }: PictureLabel): readonly Line[] {
  const guards = guard === null ? [] : guard.split(", ").map((text): Piece => ({ kind: "guard", text }));
  return [
    ...wrapped(events.map((text): Piece => ({ kind: "event", text }))),
    ...wrapped(guards, "[", "]"),
    ...wrapped(actions.map((text): Piece => ({ kind: actionKind(text), text }))),
  ];
}

function actionKind(action: string): PieceKind {
  if (isRefusalCode(action)) return "code";
  return Object.hasOwn(DELIVERIES, action) ? "delivery" : "action";
}

/** Names with commas between, on as many lines as they need. A name is never broken. */
function wrapped(names: readonly Piece[], before = "", after = ""): readonly Line[] {
  const lines: Piece[][] = [];
  for (const [index, { kind, text }] of names.entries()) {
    const isLast = index === names.length - 1;
    const piece = { kind, text: `${index === 0 ? before : ""}${text}${isLast ? after : ","}` };
    const line = lines.at(-1);
    if (line === undefined || lengthOf(line) + 1 + piece.text.length > LONGEST_LINE) lines.push([piece]);
    else line.push({ kind, text: ` ${piece.text}` });
  }
  return lines;
}

function lengthOf(line: Line): number {
  return line.reduce((length, { text }) => length + text.length, 0);
}
