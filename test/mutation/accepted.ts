import { readFileSync } from "node:fs";
import type { MutantName } from "./report.ts";

/** A mutant that no test can notice, or none should. */
export interface AcceptedSurvivor extends MutantName {
  /** How many mutants of that name survive; default 1. */
  readonly times?: number;
  /** Why it is no fault of the tests. */
  readonly reason: string;
}

const LIST = new URL("survivors.json", import.meta.url);

/** The committed list of survivors that are accepted. */
export function acceptedSurvivors(): readonly AcceptedSurvivor[] {
  return JSON.parse(readFileSync(LIST, "utf8")) as AcceptedSurvivor[];
}
