import type { StepNotice } from "../../dispatcher/observer.ts";
import {
  actorMessage,
  eventMessage,
  snapshotMessage,
  snapshotOf,
  type InspectorMessage,
  type ShownActor,
  type ShownContext,
  type ShownEvent,
} from "./messages.ts";
import { WATCHED_MACHINES } from "./watched-machine.ts";

/** How many runs that have not ended are remembered; one that was forgotten is shown as a new actor when it goes on. */
const MOST_RUNS = 10_000;
const BEGINNING: ShownEvent = { type: "xstate.init" };

/** What a gate needs to be shown. */
export interface WatchedGateParts {
  readonly name: string;
  /** A new id for an actor, no other inspector's. */
  readonly newSessionId: () => string;
  /** Units: milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  /** Takes the messages, in order. */
  readonly send: (message: InspectorMessage) => void;
}

/**
 * Shows one gate and its runs as actors: the gate is the root, and every operation, status query and approval a child of
 * it, since none of them ends with another. A notice has names only, so no message can have more.
 */
export class WatchedGate {
  readonly #parts: WatchedGateParts;
  readonly #runs = new Map<string, ShownActor>();
  #gate: ShownActor | null = null;

  constructor(parts: WatchedGateParts) {
    this.#parts = parts;
  }

  /** Shows one step, and the run itself where this is the first that is heard of it. */
  show(notice: StepNotice): void {
    const { machine, run, event: type, state, next } = notice;
    const { finals } = WATCHED_MACHINES[machine];
    const gate = this.#shownGate();
    const actor = (type === null ? null : this.#known(run)) ?? this.#begin(gate, notice, state);
    if (type === null) return;
    const event: ShownEvent = machine !== "approval" && notice.failed ? { type, failed: true } : { type };
    const source = notice.source === null ? gate : this.#runs.get(notice.source);
    const isDone = finals.has(next);
    const { send, nowMs } = this.#parts;
    send(eventMessage(actor, event, source?.sessionId ?? gate.sessionId, nowMs()));
    send(snapshotMessage(actor, event, snapshotOf(next, isDone, contextOf(notice)), nowMs()));
    if (isDone) this.#runs.delete(run);
  }

  #begin(gate: ShownActor, notice: StepNotice, state: string): ShownActor {
    const { machine, run, tool } = notice;
    const { rootId, sessionId: parentId } = gate;
    const actor: ShownActor = { sessionId: this.#parts.newSessionId(), rootId, parentId };
    const { definition, finals } = WATCHED_MACHINES[machine];
    const name = tool === null ? machine : `${machine} ${tool}`;
    // What the step came to is not known yet where it begins.
    const context = contextOf(machine === "approval" ? notice : { ...notice, refusal: null, delivery: null });
    const snapshot = snapshotOf(state, finals.has(state), context);
    const { send, nowMs } = this.#parts;
    send(actorMessage(actor, { name, definition, snapshot }, nowMs()));
    send(eventMessage(actor, BEGINNING, null, nowMs()));
    send(snapshotMessage(actor, BEGINNING, snapshot, nowMs()));
    this.#remember(run, actor);
    return actor;
  }

  #shownGate(): ShownActor {
    if (this.#gate !== null) return this.#gate;
    const { name, newSessionId, nowMs, send } = this.#parts;
    const sessionId = newSessionId();
    this.#gate = { sessionId, rootId: sessionId, parentId: null };
    const definition = JSON.stringify({ id: name });
    send(actorMessage(this.#gate, { name, definition, snapshot: snapshotOf(null, false, {}) }, nowMs()));
    return this.#gate;
  }

  #known(run: string): ShownActor | null {
    const actor = this.#runs.get(run);
    if (actor === undefined) return null;
    // The one that was heard of longest ago is the first to be forgotten.
    this.#runs.delete(run);
    this.#runs.set(run, actor);
    return actor;
  }

  #remember(run: string, actor: ShownActor): void {
    this.#runs.set(run, actor);
    if (this.#runs.size <= MOST_RUNS) return;
    for (const oldest of this.#runs.keys()) {
      this.#runs.delete(oldest);
      return;
    }
  }
}

/** An approval's key is a digest of arguments and identities, which a guess can be compared with: it is not shown. */
function contextOf(notice: StepNotice): ShownContext {
  if (notice.machine === "approval") return { tool: notice.tool };
  const { run, tool, refusal, delivery } = notice;
  return { run, tool, refusal, delivery };
}
