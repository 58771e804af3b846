import { describe, expect, test } from "vitest";
import { layOut } from "../../diagrams/layout.ts";
import { writeSvg } from "../../diagrams/svg.ts";
import { DIAGRAM_NAMES, drawPicture } from "../../src/drawing/diagrams.ts";
import type { Picture, PictureLabel } from "../../src/drawing/picture.ts";
import { isRefusalCode } from "../../src/errors/refusals.ts";
import { elementsOf, numberOf, readSvg, textIn, type SvgElement } from "./read-svg.ts";

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Drawn {
  readonly id: string;
  readonly box: Box;
  readonly group: SvgElement;
}

/** Units: pixels. A wide one of the fonts of fixed pitch that are asked for. */
const WIDEST_CHARACTER = 0.61 * 12;

const NAMES_OF_MARKUP: Picture = {
  name: 'a < b & "c"',
  start: "a",
  nodes: [
    { id: "a", kind: "state", states: ["<a>"] },
    { id: "a__b", kind: "end", states: ["b&amp;"] },
  ],
  edges: [
    { from: "a", to: "a", labels: [{ events: ["e"], guard: "p > q", actions: [] }] },
    { from: "a", to: "a__b", labels: [{ events: ['"f"'], guard: "else", actions: ["NOT_FOUND", "</text>"] }] },
  ],
};

const PICTURES = [...DIAGRAM_NAMES.map(drawPicture), NAMES_OF_MARKUP];
const DRAWINGS = await Promise.all(
  PICTURES.map(async (picture) => ({ ...readDrawing(writeSvg(picture, await layOut(picture))), picture })),
);

function readDrawing(text: string) {
  const svg = readSvg(text);
  const groups = elementsOf(svg).filter(({ name, attributes }) => name === "g" && attributes.has("id"));
  const boxed = groups.flatMap((group): readonly Drawn[] => {
    const rect = childOf(group, "rect");
    return rect === undefined ? [] : [{ id: idOf(group), box: boxOf(rect), group }];
  });
  return {
    svg,
    name: textIn(elementsOf(svg).find(({ name }) => name === "title") ?? svg),
    nodes: boxed.filter(({ id }) => !id.includes(".")),
    labels: boxed.filter(({ id }) => id.includes(".")),
    lines: groups.flatMap((group) => {
      const path = childOf(group, "path");
      return path === undefined ? [] : [{ id: idOf(group), points: pointsOf(path) }];
    }),
  };
}

function childOf({ children }: SvgElement, name: string): SvgElement | undefined {
  return children.find((child): child is SvgElement => typeof child === "object" && child.name === name);
}

function idOf({ attributes }: SvgElement): string {
  return attributes.get("id") ?? "";
}

function boxOf(rect: SvgElement): Box {
  const [left, top] = [numberOf(rect, "x"), numberOf(rect, "y")];
  return { left, top, right: left + numberOf(rect, "width"), bottom: top + numberOf(rect, "height") };
}

function pointsOf({ attributes }: SvgElement): readonly Box[] {
  const numbers = (attributes.get("d") ?? "").split(/[ ML]+/).flatMap((text) => (text === "" ? [] : [Number(text)]));
  return Array.from({ length: numbers.length / 2 }, (_, index) => {
    const [x = NaN, y = NaN] = numbers.slice(2 * index);
    return { left: x, right: x, top: y, bottom: y };
  });
}

/** A line from bend to bend, as boxes without width. */
function segmentsOf(points: readonly Box[]): readonly Box[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    return {
      left: Math.min(from.left, to.left),
      right: Math.max(from.right, to.right),
      top: Math.min(from.top, to.top),
      bottom: Math.max(from.bottom, to.bottom),
    };
  });
}

/** Whether two boxes share more than a border; a line may be one of them. */
function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

/** The lines of text of a group, each a line of its own, as one text. */
function wordsIn({ children }: SvgElement): string {
  return children
    .flatMap((child) => (typeof child === "object" && child.name === "text" ? [textIn(child)] : []))
    .join(" ");
}

function wordsOf(labels: readonly PictureLabel[]): string {
  return labels
    .map(({ events, guard, actions }) =>
      [
        events.join(", "),
        ...(guard === null ? [] : [`[${guard}]`]),
        ...(actions.length === 0 ? [] : [actions.join(", ")]),
      ].join(" "),
    )
    .join(" ");
}

describe.each(DRAWINGS)("the picture: $name", ({ svg, name, nodes, labels, lines, picture }) => {
  const boxes = [...nodes, ...labels];

  test("says on each edge all that leads along it, and nothing else", () => {
    const leaving = picture.edges.filter(({ from, to }) => from !== to);
    expect(new Map(labels.map(({ id, group }) => [id, wordsIn(group)]))).toEqual(
      new Map(leaving.map((edge) => [`${edge.from}.${edge.to}`, wordsOf(edge.labels)])),
    );
  });

  test("says in each node what it stands for, and what it stays for", () => {
    expect(new Map(nodes.map(({ id, group }) => [id, wordsIn(group)]))).toEqual(
      new Map(
        picture.nodes.map(({ id, kind, states }) => {
          const stays = picture.edges.filter(({ from, to }) => from === id && to === id);
          const title = `${kind === "several" ? "any of " : ""}${states.join(", ")}`;
          return [id, [title, ...stays.map((edge) => wordsOf(edge.labels))].join(" ")];
        }),
      ),
    );
  });

  test("shows by their look which nodes are ends, and which stand for several", () => {
    const looks = nodes.map(({ id, group }) => [id, childOf(group, "rect")?.attributes.get("class")]);
    const kinds = picture.nodes.map(({ id, kind }) => [id, kind === "state" ? "node" : `node ${kind}`]);
    expect(new Map(looks as [string, string][])).toEqual(new Map(kinds as [string, string][]));
  });

  test("marks every code as one, and nothing else", () => {
    for (const span of labels.flatMap(({ group }) => elementsOf(group)).filter((element) => element.name === "tspan")) {
      const isCode = isRefusalCode(textIn(span).replace(/^ |,$/g, ""));
      expect([textIn(span), span.attributes.get("class") === "code"]).toEqual([textIn(span), isCode]);
    }
  });

  test("has no two boxes that overlap", () => {
    const overlaps = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap((other) => (overlap(one.box, other.box) ? [`${one.id} and ${other.id}`] : [])),
    );
    expect(overlaps).toEqual([]);
  });

  test("has no line through a node, or through another's label", () => {
    const crossings = lines.flatMap(({ id, points }) =>
      boxes.flatMap((box) =>
        box.id !== id && segmentsOf(points).some((segment) => overlap(segment, box.box)) ? [`${id}: ${box.id}`] : [],
      ),
    );
    expect(crossings).toEqual([]);
  });

  test("leads every line from its node through its label to its node", () => {
    const touches = (point: Box | undefined, box: Box | undefined): boolean =>
      point !== undefined &&
      box !== undefined &&
      point.left >= box.left &&
      point.right <= box.right &&
      point.top >= box.top - 1 &&
      point.bottom <= box.bottom + 1;
    const nodeBox = (id: string | undefined): Box | undefined => nodes.find((node) => node.id === id)?.box;
    for (const { id, points } of lines) {
      const [from, to] = id.split(".");
      const label = labels.find((one) => one.id === id);
      const isFirst = from === "start__";
      expect([id, isFirst || touches(points[0], nodeBox(from)), touches(points.at(-1), nodeBox(to))]).toEqual([
        id,
        true,
        true,
      ]);
      expect([id, label === undefined]).toEqual([id, isFirst]);
      if (label !== undefined) {
        expect([id, segmentsOf(points).some((segment) => overlap(segment, label.box))]).toEqual([id, true]);
      }
    }
  });

  test("has room for every text", () => {
    for (const { id, box, group } of boxes) {
      for (const text of elementsOf(group).filter((element) => element.name === "text")) {
        const half = (textIn(text).length * WIDEST_CHARACTER) / 2;
        const [x, y] = [numberOf(text, "x"), numberOf(text, "y")];
        const fits = x - half >= box.left && x + half <= box.right && y - 10 >= box.top && y + 3 <= box.bottom;
        expect([id, textIn(text), fits]).toEqual([id, textIn(text), true]);
      }
    }
  });

  test("has lines of text that a reader takes in at once", () => {
    const texts = boxes.flatMap(({ group }) => elementsOf(group)).filter((element) => element.name === "text");
    // A single name is never broken.
    expect(texts.map(textIn).filter((text) => text.includes(" ") && text.length > 34)).toEqual([]);
  });

  test("holds all of it, and is not wider than a page", () => {
    const place = elementsOf(svg).find(({ attributes }) => attributes.has("transform"));
    const [x = NaN, y = NaN] = (place?.attributes.get("transform") ?? "").match(/\d+/g)?.map(Number) ?? [];
    for (const { id, box } of boxes) {
      const isInside =
        box.left >= 0 &&
        box.top >= 0 &&
        x + box.right <= numberOf(svg, "width") &&
        y + box.bottom <= numberOf(svg, "height");
      expect([id, isInside]).toEqual([id, true]);
    }
    expect(numberOf(svg, "width")).toBeLessThanOrEqual(1000);
    expect(svg.attributes.get("viewBox")).toBe(`0 0 ${numberOf(svg, "width")} ${numberOf(svg, "height")}`);
  });

  test("says what it is to those who do not see it", () => {
    const byId = new Map(elementsOf(svg).map((element) => [element.attributes.get("id"), element]));
    const told = (svg.attributes.get("aria-labelledby") ?? "").split(" ").map((id) => byId.get(id));
    const ends = picture.nodes.filter(({ kind }) => kind === "end").flatMap(({ states }) => states);
    expect(told.map((element) => element?.name)).toEqual(["title", "desc"]);
    expect(name).toBe(`The machine ${picture.name}`);
    for (const end of ends) expect(textIn(told[1] ?? svg)).toContain(end);
    expect(svg.attributes.get("role")).toBe("img");
  });

  test("gives no two things one id", () => {
    const ids = elementsOf(svg).flatMap(({ attributes }) => attributes.get("id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("needs nothing from elsewhere, and runs nothing", () => {
    const names = new Set(elementsOf(svg).map((element) => element.name));
    const known = ["svg", "title", "desc", "style", "marker", "path", "rect", "text", "tspan", "g", "circle"];
    expect([...names].filter((element) => !known.includes(element))).toEqual([]);
    const attributes = elementsOf(svg).flatMap((element) => [...element.attributes]);
    expect(attributes.filter(([attribute]) => /^on|href|^style$/.test(attribute))).toEqual([]);
    const reaches = [
      ...attributes.filter(([attribute]) => attribute !== "xmlns").map(([, value]) => value),
      styleOf(svg),
    ];
    for (const text of reaches) expect(text.replace("url(#picture-arrow)", "")).not.toMatch(/url|import|https?:/);
  });
});

function styleOf(svg: SvgElement): string {
  return elementsOf(svg)
    .filter(({ name }) => name === "style")
    .map(textIn)
    .join("");
}

/** Source: WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [red = NaN, green = NaN, blue = NaN] = (colour.match(/[0-9a-f]{2}/g) ?? []).map((hex) => {
      const share = Number.parseInt(hex, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [darker = NaN, lighter = NaN] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe("the colours", () => {
  const style = DRAWINGS.map(({ svg }) => styleOf(svg))[0] ?? "";
  const [light, dark] = [...style.matchAll(/svg \{([^}]*)\}/g)].map(
    ([, declared = ""]) =>
      new Map([...declared.matchAll(/--([a-z]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex])),
  );

  test("are named in light and in dark, and every one is used", () => {
    const used = new Set([...style.matchAll(/var\(--([a-z]+)\)/g)].map(([, name]) => name));
    expect(new Set(light?.keys())).toEqual(used);
    expect(new Set(dark?.keys())).toEqual(used);
    expect(style).toMatch(/@media \(prefers-color-scheme: dark\) \{ svg \{/);
  });

  test.each([
    ["light", light],
    ["dark", dark],
  ])("in %s can be told from what they stand on", (_theme, colours) => {
    const between = (one: string, other: string): number =>
      contrast(colours?.get(one) ?? "", colours?.get(other) ?? "");
    for (const text of ["ink", "guard", "code", "delivery", "note"]) {
      for (const ground of ["canvas", "box"])
        expect([text, ground, between(text, ground) >= 4.5]).toEqual([text, ground, true]);
    }
    expect(between("edge", "canvas")).toBeGreaterThanOrEqual(3);
  });

  test("are different in light and in dark", () => {
    expect([light?.get("canvas"), dark?.get("canvas")]).toEqual(["#ffffff", "#0d1117"]);
  });
});
