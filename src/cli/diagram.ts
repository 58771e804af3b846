import { DIAGRAM_NAMES, drawMermaid } from "../drawing/diagrams.ts";
import { print } from "./output.ts";
import { jsonText } from "./text.ts";

/**
 * Prints a machine as a Mermaid state diagram, or the names of the machines where none is named. Shape: 0.
 * Errors: DIAGRAM_UNKNOWN.
 */
export async function diagram(name: string | undefined, { json }: { readonly json: boolean }): Promise<number> {
  if (name === undefined) {
    await print(json ? jsonText(DIAGRAM_NAMES) : DIAGRAM_NAMES.map((known) => `${known}\n`).join(""));
  } else {
    const mermaid = drawMermaid(name);
    await print(json ? jsonText({ name, mermaid }) : mermaid);
  }
  return 0;
}
