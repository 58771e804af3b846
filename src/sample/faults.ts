import { NotStarted } from "../tools/not-started.ts";

/** What can go wrong on purpose in a sample tool. Source: contract, section 11, `failure`. */
export const FAULTS = [
  "none",
  "timeout_before_execute",
  "timeout_after_commit",
  "timeout_after_commit_receipt_unavailable",
  "rate_limit",
  "tool_error",
] as const;

/** Name of a fault. */
export type Fault = (typeof FAULTS)[number];

/** Where the fault of the next run is set. */
export interface FaultSwitch {
  /** Sets the fault for every run until it is disarmed. */
  arm(fault: Fault): void;
  /** Takes the fault back, whether or not a tool met it. */
  disarm(): void;
  /** Whether a time-out after commit met a tool that reads, since it was armed: it commits nothing, so there is none. */
  readonly reachedRead: boolean;
}

/** What the tools ask of the faults. */
export interface FaultProbe extends FaultSwitch {
  /** Errors: `NotStarted` when the fault is that the tool does not begin. */
  refuseStart(): void;
  /** Notes that a tool that reads has begun. */
  noteRead(): void;
  /** Whether the answer of a run that has committed is lost. */
  losesAnswer(): boolean;
  /** Whether the receipt of a run that has committed is kept. */
  keepsReceipt(): boolean;
}

/** A switch with no fault set. */
export function faultSwitch(): FaultProbe {
  let armed: Fault = "none";
  let reachedRead = false;
  const losesAnswer = (): boolean =>
    armed === "timeout_after_commit" || armed === "timeout_after_commit_receipt_unavailable";
  return {
    arm: (fault) => {
      armed = fault;
      reachedRead = false;
    },
    disarm: () => {
      armed = "none";
    },
    get reachedRead() {
      return reachedRead;
    },
    refuseStart: () => {
      if (armed === "timeout_before_execute") throw new NotStarted("TIMEOUT_BEFORE_EXECUTE");
      if (armed === "rate_limit") throw new NotStarted("RATE_LIMIT");
      if (armed === "tool_error") throw new NotStarted("TOOL_ERROR");
    },
    noteRead: () => {
      if (losesAnswer()) reachedRead = true;
    },
    losesAnswer,
    keepsReceipt: () => armed !== "timeout_after_commit_receipt_unavailable",
  };
}
