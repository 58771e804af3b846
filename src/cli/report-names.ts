/** How `callgate run` can report. */
export const REPORTER_NAMES = ["pretty", "json", "junit", "github"] as const;

/** A way to report. */
export type ReporterName = (typeof REPORTER_NAMES)[number];
