import { createGate, type Gate, type GateOptions } from "../../src/dispatcher/gate.ts";
import type { StepNotice } from "../../src/dispatcher/observer.ts";
import type { DispatchRequest, StatusQueryRequest } from "../../src/dispatcher/request.ts";
import { simulatedHost, type SimulatedHost } from "../../src/host/simulated.ts";
import { bindCall } from "../../src/dispatcher/bind.ts";
import { canonicalize } from "../../src/json/canonical.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { memoryLedger } from "../../src/ledger/memory/memory-ledger.ts";
import type { Approval } from "../../src/protocol/approval.ts";
import type { BoundCall } from "../../src/protocol/bound-call.ts";
import { PROFILES, type ExecutionContext, type Principal } from "../../src/protocol/call.ts";
import type { JsonValue } from "../../src/protocol/json.ts";
import type { Sha256, StatusRef } from "../../src/protocol/ids.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { makeApproval } from "../../src/policy/make-approval.ts";
import { noteService, noteTools, type NoteService, type NoteToolChanges } from "./note-tools.ts";

/** When every world starts. Units: seconds since the Unix epoch. */
export const START_SECONDS = 1_800_000_000;

/** Longer than any lease. Units: milliseconds. */
export const BEYOND_LEASES_MS = 10_000;

/** Who acts unless said otherwise. */
export const USER: Principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };

/** Who approves. */
export const APPROVER = "reviewer-1";

/** What differs from the usual call: a user writes a note, approved by a person. */
export interface CallSketch {
  readonly id?: string;
  readonly by?: Principal;
  readonly tool?: string;
  readonly input?: unknown;
  readonly key?: string | null;
  readonly context?: Partial<ExecutionContext>;
  /** Default: one valid approval of exactly this call. */
  readonly approvals?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** What differs from the usual query: after the usual call, under an identity of its own. */
export interface QuerySketch extends Omit<CallSketch, "approvals"> {
  readonly about?: string;
  readonly expecting?: string;
}

/** A gate over the note tools, with all that is behind it. */
export interface World {
  readonly host: SimulatedHost;
  readonly ledger: Ledger;
  readonly gate: Gate;
  readonly service: NoteService;
  readonly notices: StepNotice[];
  dispatch(sketch?: CallSketch): Promise<ResultPackage>;
  query(sketch?: QuerySketch): Promise<ResultPackage>;
  /** Another gate on the same ledger and service: another process. */
  another(changes?: WorldOptions): World;
}

/** What a world is made with. */
export interface WorldOptions extends Partial<Omit<GateOptions, "ledger" | "host">> {
  readonly host?: SimulatedHost;
  /** Puts something between gate and ledger. */
  readonly between?: (ledger: Ledger) => Ledger;
  readonly changes?: NoteToolChanges;
}

/** Opens a world. */
export function openWorld(options: WorldOptions = {}): World {
  const host = options.host ?? simulatedHost(START_SECONDS);
  return worldOver(noteService(), memoryLedger(host), host, options);
}

function worldOver(
  service: ReturnType<typeof noteService>,
  ledger: Ledger,
  host: SimulatedHost,
  { between, changes, ...options }: WorldOptions,
): World {
  // Every process draws its own ids; none draws one twice.
  const own = { ...host, randomId: () => service.drawId() };
  const notices: StepNotice[] = [];
  const gate = createGate({
    tools: noteTools(service, changes),
    approvers: [APPROVER],
    observer: (notice) => {
      notices.push(notice);
    },
    ...options,
    ledger: between === undefined ? ledger : between(ledger),
    host: own,
  });
  return {
    host,
    ledger,
    gate,
    service,
    notices,
    dispatch: (sketch = {}) => gate.dispatch(dispatchRequest(gate, sketch, host.now())),
    query: (sketch = {}) => gate.queryStatus(statusQueryRequest(gate, sketch)),
    another: (more = {}) => worldOver(service, ledger, more.host ?? host, more),
  };
}

/** The request that a sketch stands for. */
export function dispatchRequest(gate: Gate, sketch: CallSketch, now: number): DispatchRequest {
  const { signal, ...rest } = callRequest(sketch);
  const approvals = sketch.approvals ?? (isWrite(gate, sketch) ? [approvalOf(gate, sketch, now)] : []);
  return { ...rest, approvals, ...(signal === undefined ? {} : { signal }) };
}

/** The request of a query that a sketch stands for. */
export function statusQueryRequest(gate: Gate, { about, expecting, ...sketch }: QuerySketch): StatusQueryRequest {
  return {
    ...callRequest({ id: "query-1", ...sketch }),
    statusRef: about ?? statusRefOf(gate, sketch),
    expectedRequestSha256: expecting ?? digestOf(gate, sketch),
  };
}

/** A valid approval of the call of a sketch. */
export function approvalOf(gate: Gate, sketch: CallSketch, now: number, approverId = APPROVER): Approval {
  const bound = boundCall(gate, sketch);
  return makeApproval({ bound, approvalId: "approval-1", approverId, expiresAt: now + 60 });
}

/** The handle of a sketch's operation. */
export function statusRefOf(gate: Gate, sketch: CallSketch): StatusRef {
  const { statusRef } = boundCall(gate, { key: "key-1", ...sketch });
  return statusRef ?? (`status_${"0".repeat(32)}` as StatusRef);
}

/** The request digest of a sketch. */
function digestOf(gate: Gate, sketch: CallSketch): Sha256 {
  return boundCall(gate, sketch).facts.request_sha256;
}

/** What a caller was told, in short. Shape: `CODE` or `OK delivery`. */
export function told({ model_result: { error, execution } }: ResultPackage): string {
  return error === null ? `OK ${execution.delivery}` : error.code;
}

/** Lets a call lose its answer after the effect. */
export async function loseAnswer(world: World, sketch: CallSketch = {}): Promise<ResultPackage> {
  const { behaviour } = world.service;
  const { answer } = behaviour;
  behaviour.answer = () => {
    throw new Error("the answer is lost");
  };
  return world.dispatch(sketch).finally(() => {
    behaviour.answer = answer;
  });
}

/** Lets everything happen that waits for no clock. */
export async function calm(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** A promise and its end, for a tool that is to take its time. */
export function latch<Value = void>(): {
  readonly held: Promise<Value>;
  open(value: Value): void;
  fail(error: unknown): void;
} {
  return { ...fromResolvers(Promise.withResolvers<Value>()) };
}

function fromResolvers<Value>({ promise, resolve, reject }: PromiseWithResolvers<Value>) {
  return { held: promise, open: resolve, fail: reject };
}

function callRequest({
  id = "call-1",
  by = USER,
  tool = "write_note",
  input = { note: "milk" },
  ...sketch
}: CallSketch) {
  const executionContext: ExecutionContext = {
    ...PROFILES[0],
    response_id: "response-1",
    call_id: id,
    operation_id: "operation-1",
    idempotency_key: sketch.key === undefined ? "key-1" : sketch.key,
    ...sketch.context,
  };
  const proposal = { name: tool, arguments: input };
  const { signal } = sketch;
  return { principal: by, proposal, executionContext, ...(signal === undefined ? {} : { signal }) };
}

function boundCall(gate: Gate, sketch: CallSketch): BoundCall {
  const { signal = null, ...call } = callRequest(sketch);
  const canonicalArguments = canonicalize(call.proposal.arguments, { depth: 1 });
  const proposal = { name: call.proposal.name, arguments: JSON.parse(canonicalArguments) as JsonValue };
  return bindCall({ ...call, proposal, canonicalArguments, signal }, gate.registry.find(proposal.name), "dispatch");
}

function isWrite(gate: Gate, { tool = "write_note" }: CallSketch): boolean {
  return gate.registry.find(tool)?.risk === "write";
}
