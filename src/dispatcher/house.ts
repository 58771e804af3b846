import { CallgateError } from "../errors/callgate-error.ts";
import type { OperationEngine } from "../engine/operation.ts";
import type { StatusQueryEngine } from "../engine/status-query.ts";
import type { Host } from "../host/host.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { isContractSecond } from "../packages/utc-second.ts";
import type { AttemptId } from "../protocol/ids.ts";
import type { Tool } from "../tools/tool.ts";
import type { Registry } from "../tools/registry.ts";
import type { DiagnosticListener } from "./diagnostic.ts";
import type { Observer, StepNotice } from "./observer.ts";

/** All that the runs of one gate share. */
export interface House {
  readonly host: Host;
  readonly ledger: Ledger;
  readonly registry: Registry;
  readonly approvers: ReadonlySet<string>;
  readonly operation: OperationEngine;
  readonly statusQuery: StatusQueryEngine;
  readonly observer: Observer | null;
  readonly onDiagnostic: DiagnosticListener | null;
  /** How much longer than its deadline an attempt keeps its lease. Units: milliseconds. */
  readonly leaseGraceMs: number;
  /** Settles attempts whose holder has vanished. */
  recover(): Promise<void>;
  /** The same, once: what an earlier process left behind is settled before anything new is decided. */
  recoverFirst(): Promise<void>;
  /** Sees to it that recovery runs when a lease that ends then has run out. Units: milliseconds from now. */
  recoverAfter(delayMs: number): void;
}

/** Deadline of a call whose tool nobody registered: it is refused without waiting for anything. */
export const UNREGISTERED_DEADLINE_MS = 1_000;

const RANDOM_ID = /^[0-9a-f]{32}$/;

/** How long an attempt keeps its lease. Units: milliseconds. */
export function leaseMs(house: House, tool: Tool | null): number {
  return (tool?.deadlineMs ?? UNREGISTERED_DEADLINE_MS) + house.leaseGraceMs;
}

/** The host's time. Errors: CLOCK_INVALID. */
export function readClock(host: Host): number {
  let now: unknown;
  try {
    now = host.now();
  } catch (error) {
    throw new CallgateError("CLOCK_INVALID", { cause: error });
  }
  if (!isContractSecond(now)) throw new CallgateError("CLOCK_INVALID");
  return now;
}

/** A clock for one run: it never goes back, and when the host's is out of order it stands still. */
export function runClock(host: Host, startedAt: number): () => number {
  let latest = startedAt;
  return () => {
    try {
      latest = Math.max(latest, readClock(host));
    } catch {
      // A clock that broke while a call was running must not cost the answer; what expires has been looked at before.
    }
    return latest;
  };
}

/** A new id for a run. Errors: RANDOMNESS_INVALID. */
export function newAttemptId(host: Host): AttemptId {
  let id: unknown;
  try {
    id = host.randomId();
  } catch (error) {
    throw new CallgateError("RANDOMNESS_INVALID", { cause: error });
  }
  if (typeof id !== "string" || !RANDOM_ID.test(id)) throw new CallgateError("RANDOMNESS_INVALID");
  return id as AttemptId;
}

/** Tells the observer, if there is one, who cannot disturb. */
export function tell({ observer }: House, noticeOf: () => StepNotice): void {
  if (observer === null) return;
  try {
    const told: unknown = observer(noticeOf());
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // Watching changes nothing.
  }
}
