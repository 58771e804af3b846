import { operationEngine } from "../engine/operation.ts";
import { statusQueryEngine } from "../engine/status-query.ts";
import type { InterpreterName } from "../protocol/interpreter.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { operationGuards } from "../guards/operation.ts";
import { statusQueryGuards } from "../guards/status-query.ts";
import type { Host } from "../host/host.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { validateResultSet, type GivenResultSet } from "../packages/validate-set.ts";
import { validateResult, type GivenResult } from "../packages/validate.ts";
import type { ValidationError } from "../packages/validation-error.ts";
import type { Approval } from "../protocol/approval.ts";
import type { ResultPackage } from "../protocol/result.ts";
import type { Tool } from "../tools/tool.ts";
import type { Registry } from "../tools/registry.ts";
import { approve } from "./approve.ts";
import { dispatch } from "./dispatch.ts";
import { readGateOptions } from "./gate-options.ts";
import { UNREGISTERED_DEADLINE_MS, type House } from "./house.ts";
import type { DiagnosticListener } from "./diagnostic.ts";
import type { Observer } from "./observer.ts";
import { queryStatus } from "./query-status.ts";
import { recover } from "./recover.ts";
import { RecoveryWatch } from "./recovery-watch.ts";
import {
  readDispatch,
  readStatusQuery,
  type ApproveRequest,
  type DispatchRequest,
  type StatusQueryRequest,
} from "./request.ts";

/** What a gate is made of. */
export interface GateOptions {
  readonly tools: Iterable<Tool>;
  /** Ids of the people whose approvals count. */
  readonly approvers: Iterable<string>;
  /** Where attempts are kept. Default: the memory of this process. */
  readonly ledger?: Ledger | undefined;
  /** Time and randomness. Default: those of this process. */
  readonly host?: Host | undefined;
  /** What carries out the machines' steps. Default: `table`; `xstate` gives the same, slower. */
  readonly interpreter?: InterpreterName | undefined;
  /** Is told every step. */
  readonly observer?: Observer | undefined;
  /** Is told why a call was answered as it was, where the answer may not say it: for the host's own log. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /** How much longer than its tool's deadline an attempt keeps its lease. Units: milliseconds. Default: 5,000. */
  readonly leaseGraceMs?: number | undefined;
}

/** The gate: the one way from a proposed call to the code that carries it out. */
export interface Gate {
  readonly registry: Registry;
  /** Decides whether a proposed call may run, runs it at most once, and says what happened. Errors: a host error. */
  dispatch(request: DispatchRequest): Promise<ResultPackage>;
  /**
   * Writes down that a person approved exactly this call; hand it over with the dispatch. Who it was is the host's word.
   * Errors: APPROVER_INELIGIBLE; APPROVAL_IMPOSSIBLE; a host error.
   */
  approve(request: ApproveRequest): Approval;
  /** Asks what became of an outcome in doubt; never runs the tool. Errors: a host error. */
  queryStatus(request: StatusQueryRequest): Promise<ResultPackage>;
  /** Everything that is wrong with a package for its call; empty when it is valid. Never throws. */
  validateResult(given: GivenResult): readonly ValidationError[];
  /** Everything that is wrong with the packages of a turn; empty when each call has exactly one valid answer. */
  validateResultSet(given: GivenResultSet): readonly ValidationError[];
  /**
   * Settles attempts whose holder has vanished. Runs by itself before the first call, when a lease runs out that was
   * held then, and when a call meets one that has run out. Errors: LEDGER_UNAVAILABLE; CLOCK_INVALID; GATE_CLOSED.
   */
  recover(): Promise<void>;
  /** Takes no more calls, waits for those that run, and lets go of every timer. */
  close(): Promise<void>;
}

/** Makes a gate. Errors: TOOL_DUPLICATE; GATE_OPTIONS_INVALID. */
export function createGate(options: GateOptions): Gate {
  const { house, watch } = build(options);
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  const serve = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (isClosed) throw new CallgateError("GATE_CLOSED");
    const served = work();
    running.add(served);
    try {
      return await served;
    } catch (error) {
      throw error instanceof CallgateError ? error : new CallgateError("INTERNAL", { cause: error });
    } finally {
      running.delete(served);
    }
  };

  return {
    registry: house.registry,
    dispatch: (request) => serve(async () => dispatch(house, readDispatch(request))),
    queryStatus: (request) => serve(async () => queryStatus(house, readStatusQuery(request))),
    approve: (request) => approve(house, request),
    validateResult: (given) => validateResult(house.registry, given),
    validateResultSet: (given) => validateResultSet(house.registry, given),
    recover: () => serve(() => watch.run()),
    close: async () => {
      isClosed = true;
      while (running.size > 0) await Promise.allSettled(running);
      await watch.stop();
    },
  };
}

function build(options: GateOptions): { house: House; watch: RecoveryWatch } {
  const { interpreter, ...parts } = readGateOptions(options);
  const { host, registry, approvers } = parts;
  const watch = new RecoveryWatch(host, () => recover(house), UNREGISTERED_DEADLINE_MS + parts.leaseGraceMs);
  const house: House = {
    ...parts,
    operation: operationEngine({ guards: operationGuards({ registry, approvers }), interpreter }),
    statusQuery: statusQueryEngine({ guards: statusQueryGuards({ registry }), interpreter }),
    recover: () => watch.run(),
    recoverFirst: () => watch.runFirst(),
    recoverAfter: (delayMs) => {
      watch.runAfter(delayMs);
    },
  };
  return { house, watch };
}
