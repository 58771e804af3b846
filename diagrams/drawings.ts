import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIAGRAM_NAMES, drawMermaid, drawPicture, drawStately } from "../src/drawing/diagrams.ts";
import { layOut } from "./layout.ts";
import { writeSvg } from "./svg.ts";

/** A file in which a drawing does not stand as the machine is now. */
export interface StaleFile {
  /** Shape: from the root of the project, with slashes. */
  readonly path: string;
  readonly problem: string;
  /** The whole text that should stand there; null where a person has to decide. */
  readonly text: string | null;
}

/** Where the README shows the operation. What stands between the two is replaced. */
export const README_MARKERS = {
  begin: "<!-- diagram:operation -->",
  end: "<!-- /diagram:operation -->",
} as const;

const DRAWN_BY = "Drawn by `npm run diagrams` from the machine itself.";

/** Every drawing of the project that is missing, old or left over. */
export async function staleFiles(root: string): Promise<readonly StaleFile[]> {
  const wanted = (await Promise.all(DIAGRAM_NAMES.map(filesOf))).flat();
  const drawn = wanted.flatMap(({ path, text }): readonly StaleFile[] => {
    if (!existsSync(join(root, path))) return [{ path, problem: "is missing", text }];
    return readFileSync(join(root, path), "utf8") === text ? [] : [{ path, problem: "is not as the machine is", text }];
  });
  const leftOver = globSync("diagrams/*.{mmd,svg,json}", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !wanted.some((drawing) => drawing.path === path))
    .map((path) => ({ path, problem: "belongs to no machine", text: null }));
  return [...drawn, ...leftOver, ...staleReadme(root)];
}

async function filesOf(name: string): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const picture = drawPicture(name);
  return [
    { path: `diagrams/${name}.mmd`, text: `%% ${DRAWN_BY}\n${drawMermaid(name)}` },
    // The layout gives the same numbers on every system: it is plain arithmetic, its chance has a seed, and the room of
    // a text follows from how many characters it has.
    { path: `diagrams/${name}.svg`, text: `<!-- ${DRAWN_BY} -->\n${writeSvg(picture, await layOut(picture))}` },
    { path: `diagrams/${name}.json`, text: `${JSON.stringify(drawStately(name), null, 2)}\n` },
  ];
}

function staleReadme(root: string): readonly StaleFile[] {
  const path = "README.md";
  if (!existsSync(join(root, path))) return [{ path, problem: "is missing", text: null }];
  const text = readFileSync(join(root, path), "utf8");
  const { begin, end } = README_MARKERS;
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  const standOnce = start === text.lastIndexOf(begin) && stop === text.lastIndexOf(end);
  if (start < 0 || stop < start || !standOnce) {
    return [{ path, problem: `needs these two lines, each once: ${begin} and ${end}`, text: null }];
  }
  const block = `${begin}\n\n\`\`\`mermaid\n${drawMermaid("operation")}\`\`\`\n\n`;
  const fresh = text.slice(0, start) + block + text.slice(stop);
  return text === fresh ? [] : [{ path, problem: "does not show the operation as it is", text: fresh }];
}
