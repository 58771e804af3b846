import { DIAGRAM_NAMES, drawMermaid, drawPicture, drawStately } from "../drawing/diagrams.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { packageFile, readFileWithin } from "../host/files.ts";
import type { DiagramFormat } from "./diagram-formats.ts";
import { print } from "./output.ts";
import { jsonText } from "./text.ts";

/** What `callgate diagram` is told. */
export interface DiagramCommand {
  readonly json: boolean;
  readonly format: DiagramFormat | undefined;
}

/**
 * Prints a machine, or the names of the machines where none is named. Shape: 0.
 * Errors: DIAGRAM_UNKNOWN; USAGE for a format of nothing.
 */
export async function diagram(name: string | undefined, { json, format }: DiagramCommand): Promise<number> {
  if (name === undefined) {
    if (format !== undefined) throw new CallgateError("USAGE", { detail: "--format needs the name of a machine" });
    await print(json ? jsonText(DIAGRAM_NAMES) : DIAGRAM_NAMES.map((known) => `${known}\n`).join(""));
    return 0;
  }
  const drawn = format ?? "mermaid";
  const drawing = await WRITERS[drawn](name);
  if (json) await print(jsonText({ name, [drawn]: drawing }));
  else await print(typeof drawing === "string" ? drawing : jsonText(drawing));
  return 0;
}

/** Each gives a text, or JSON data. Errors: DIAGRAM_UNKNOWN. */
const WRITERS = {
  mermaid: drawMermaid,
  svg: readSvg,
  json: drawPicture,
  stately: drawStately,
} as const satisfies Record<DiagramFormat, (name: string) => unknown>;

/** The layout is made in development; the package has the pictures that came of it. */
async function readSvg(name: string): Promise<string> {
  // Only a machine's own name becomes a part of a path.
  const { name: known } = drawPicture(name);
  const bytes = await readFileWithin(packageFile(`diagrams/${known}.svg`), Number.MAX_SAFE_INTEGER);
  return new TextDecoder().decode(bytes);
}
