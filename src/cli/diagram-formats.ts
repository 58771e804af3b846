/** In what a machine can be printed. */
export const DIAGRAM_FORMATS = ["mermaid", "svg", "json", "stately"] as const;

/** One of them. */
export type DiagramFormat = (typeof DIAGRAM_FORMATS)[number];
