import type { Diagnostic } from "../dispatcher/diagnostic.ts";
import type { Place } from "../json/place.ts";
import type { ValidationError } from "../packages/validation-error.ts";
import type { Binding } from "../protocol/result.ts";
import type { GateAnswer, ScenarioAnswer } from "./document.ts";

/** One member of an answer that is not as expected. */
export interface Difference {
  readonly member: keyof ScenarioAnswer | keyof GateAnswer;
  readonly expected: unknown;
  readonly received: unknown;
}

/** Why a step did not pass. */
export interface StepFailure {
  /** Where the step stands in its file. */
  readonly place: Place;
  /** Empty when only the package is not valid. */
  readonly differences: readonly Difference[];
  /**
   * The first state of the step's own lifecycle from which the expected code and delivery could no longer be reached in
   * the machine; null where they could be to the end.
   */
  readonly lost_in: string | null;
}

/** What the gate tells its host of a step: what it is about, and every problem. */
export type StepDiagnostic = Pick<Diagnostic, "subject" | "problems">;

/** What one step came to. */
export interface StepReport {
  readonly step_id: string;
  readonly passed: boolean;
  readonly actual_code: ScenarioAnswer["code"];
  readonly status: ScenarioAnswer["status"];
  readonly outcome: ScenarioAnswer["outcome"];
  readonly recovery: ScenarioAnswer["recovery"];
  readonly delivery: ScenarioAnswer["delivery"];
  readonly data: ScenarioAnswer["data"];
  readonly side_effect_count: number;
  /** States of the step's own run. */
  readonly lifecycle: readonly string[];
  /** A query's: states of the operation that it asked about, as far as it has come; null where there is none. */
  readonly owner_lifecycle: readonly string[] | null;
  readonly digests: Binding;
  readonly validation_errors: readonly ValidationError[];
  /** Why the gate answered as it did, where that lies in arguments or in what the tool's code did. */
  readonly diagnostics: readonly StepDiagnostic[];
  readonly failure: StepFailure | null;
}

/** What one case came to. */
export interface CaseReport {
  readonly id: string;
  readonly passed: boolean;
  readonly steps: readonly StepReport[];
}

/** A case that was run. The report of it is the same every time; how long it took is not. */
export interface RanCase {
  readonly report: CaseReport;
  /** In real time, its world included. Units: milliseconds. */
  readonly elapsedMs: number;
  /** Of each step, in their order. Units: milliseconds. */
  readonly stepElapsedMs: readonly number[];
}

/** What cases came to, as one. */
export interface ScenarioReport<Case extends CaseReport = CaseReport> {
  readonly passed: boolean;
  readonly case_count: number;
  readonly step_count: number;
  readonly cases: readonly Case[];
}

/** Sums up what cases came to. */
export function reportOf<Case extends CaseReport>(cases: readonly Case[]): ScenarioReport<Case> {
  return {
    passed: cases.every(({ passed }) => passed),
    case_count: cases.length,
    step_count: cases.reduce((count, { steps }) => count + steps.length, 0),
    cases,
  };
}
