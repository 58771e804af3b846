import type { InterpreterName } from "../protocol/interpreter.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import type { Host } from "../host/host.ts";
import { systemHost } from "../host/system.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { memoryLedger } from "../ledger/memory/memory-ledger.ts";
import { isIdentifier } from "../protocol/identifier.ts";
import type { Tool } from "../tools/tool.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";
import type { DiagnosticListener } from "./diagnostic.ts";
import type { Observer } from "./observer.ts";

/** The options of a gate, each read once and known to be usable. */
export interface ReadGateOptions {
  readonly registry: Registry;
  readonly approvers: ReadonlySet<string>;
  readonly ledger: Ledger;
  readonly host: Host;
  readonly interpreter: InterpreterName;
  readonly observer: Observer | null;
  readonly onDiagnostic: DiagnosticListener | null;
  /** Units: milliseconds. */
  readonly leaseGraceMs: number;
}

const DEFAULT_LEASE_GRACE_MS = 5_000;

const OPTIONS: ReadonlySet<string> = new Set([
  ...["tools", "approvers", "ledger", "host", "interpreter", "observer", "onDiagnostic", "leaseGraceMs"],
]);
const HOST_METHODS = ["now", "monotonicMs", "after", "randomId"] as const satisfies readonly (keyof Host)[];
const LEDGER_METHODS = Object.keys({
  claimIdentity: true,
  lookUpScope: true,
  awaitScope: true,
  leaveScope: true,
  expireWait: true,
  recordIntent: true,
  recordStart: true,
  recordStep: true,
  recordQueryEnd: true,
  findOwner: true,
  takeOwner: true,
  markDoubt: true,
  takeExpired: true,
  readAttempt: true,
  journal: true,
  verifyJournal: true,
} satisfies Record<keyof Ledger, true>);

/** Reads what a gate is to be made of. Errors: GATE_OPTIONS_INVALID; TOOL_DUPLICATE. */
export function readGateOptions(options: unknown): ReadGateOptions {
  try {
    return read(options);
  } catch (error) {
    if (error instanceof CallgateError) throw error;
    throw new CallgateError("GATE_OPTIONS_INVALID", { detail: "they could not be read", cause: error });
  }
}

function read(options: unknown): ReadGateOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw invalid("the options", "not an object");
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const name of Object.keys(given)) {
    if (!OPTIONS.has(name)) throw invalid("the options", `\`${name.slice(0, 40)}\` is none`);
  }
  const { interpreter = "table", observer = null, onDiagnostic = null, leaseGraceMs = DEFAULT_LEASE_GRACE_MS } = given;
  if (interpreter !== "table" && interpreter !== "xstate") throw invalid("interpreter", "neither table nor xstate");
  if (observer !== null && typeof observer !== "function") throw invalid("observer", "not a function");
  if (onDiagnostic !== null && typeof onDiagnostic !== "function") throw invalid("onDiagnostic", "not a function");
  if (typeof leaseGraceMs !== "number" || !Number.isSafeInteger(leaseGraceMs) || leaseGraceMs < 0) {
    throw invalid("leaseGraceMs", "not a whole number of milliseconds from 0");
  }
  const host = given["host"] ?? systemHost();
  if (!isHost(host)) throw invalid("host", "a method is missing");
  const ledger = given["ledger"] ?? memoryLedger(host);
  if (!isLedger(ledger)) throw invalid("ledger", "a method is missing");
  return {
    registry: createRegistry(listIn(given, "tools") as readonly Tool[]),
    approvers: readApprovers(listIn(given, "approvers")),
    ledger,
    host,
    interpreter,
    observer: observer as Observer | null,
    onDiagnostic: onDiagnostic as DiagnosticListener | null,
    leaseGraceMs,
  };
}

function readApprovers(given: readonly unknown[]): ReadonlySet<string> {
  const approvers = new Set<string>();
  for (const approver of given) {
    if (!isIdentifier(approver)) throw invalid("approvers", "one is not an identifier");
    approvers.add(approver);
  }
  return approvers;
}

function listIn(given: Readonly<Record<string, unknown>>, name: "tools" | "approvers"): readonly unknown[] {
  const list = given[name];
  // A text can be iterated too, and is never meant to be.
  if (typeof list !== "object" || list === null || !(Symbol.iterator in list)) throw invalid(name, "not a list");
  return [...(list as Iterable<unknown>)];
}

function isHost(value: unknown): value is Host {
  return hasMethods(value, HOST_METHODS);
}

function isLedger(value: unknown): value is Ledger {
  return hasMethods(value, LEDGER_METHODS);
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return methods.every((method) => typeof (value as Readonly<Record<string, unknown>>)[method] === "function");
}

function invalid(at: string, detail: string): CallgateError {
  return new CallgateError("GATE_OPTIONS_INVALID", { at, detail });
}
