import type { AttemptId } from "../protocol/ids.ts";

/** One step of one run, told to whoever watches. Names only: no argument, no output, no identity. */
export interface StepNotice {
  readonly machine: "operation" | "status_query";
  /** The run: an attempt, or a status query. */
  readonly run: AttemptId;
  /** Where the run was. */
  readonly state: string;
  readonly event: string;
  /** Where the event led. Counts only once it is stored, which it is when this is told. */
  readonly next: string;
  readonly effects: readonly string[];
  /** What was asked threw, so that the event is the cautious one. */
  readonly failed: boolean;
}

/** Watches steps. What it throws is swallowed: watching changes nothing. */
export type Observer = (notice: StepNotice) => void;
