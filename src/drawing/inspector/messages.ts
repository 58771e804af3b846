import type { RefusalCode } from "../../errors/refusals.ts";
import type { Delivery } from "../../protocol/result.ts";

/** The version of the protocol that is written. Source: `_version` of @statelyai/inspect, which is its package version. */
const PROTOCOL_VERSION = "0.7.2";

/** What is shown of a run's context: names, and the random id by which the journal knows it. */
export interface ShownContext {
  readonly run?: string;
  readonly tool?: string | null;
  readonly refusal?: RefusalCode | null;
  readonly delivery?: Delivery | null;
}

/** What is shown of an event. */
export interface ShownEvent {
  readonly type: string;
  /** What was asked threw, so that the event is the cautious one. */
  readonly failed?: true;
}

/** Where a run is. Shape: as XState writes a snapshot; an actor that is no machine has no `value`. */
export interface ShownSnapshot {
  readonly status: "active" | "done";
  readonly value?: string;
  readonly context: ShownContext;
  readonly children: Readonly<Record<string, never>>;
  readonly historyValue: Readonly<Record<string, never>>;
  readonly tags: readonly never[];
}

/** One actor as the protocol names it. */
export interface ShownActor {
  readonly sessionId: string;
  readonly rootId: string;
  /** Null for a root. */
  readonly parentId: string | null;
}

interface Message extends Omit<ShownActor, "parentId"> {
  readonly _version: string;
  /** Units: milliseconds since the Unix epoch, in decimal digits. */
  readonly createdAt: string;
  readonly id: null;
}

/** An actor has begun. */
export interface ActorMessage extends Message {
  readonly type: "@xstate.actor";
  readonly name: string;
  readonly parentId?: string;
  /** The machine's configuration as JSON text. */
  readonly definition: string;
  readonly snapshot: ShownSnapshot;
}

/** An event was fed. */
export interface EventMessage extends Message {
  readonly type: "@xstate.event";
  /** The actor that fed it. Absent where none did. */
  readonly sourceId?: string;
  readonly event: ShownEvent;
}

/** Where an event has led. */
export interface SnapshotMessage extends Message {
  readonly type: "@xstate.snapshot";
  readonly event: ShownEvent;
  readonly snapshot: ShownSnapshot;
}

/** One message of the Stately Inspector's protocol. Source: the types of @statelyai/inspect. */
export type InspectorMessage = ActorMessage | EventMessage | SnapshotMessage;

/** Says that an actor has begun. */
export function actorMessage(
  { sessionId, rootId, parentId }: ShownActor,
  { name, definition, snapshot }: Pick<ActorMessage, "name" | "definition" | "snapshot">,
  atMs: number,
): ActorMessage {
  const parent = parentId === null ? {} : { parentId };
  return { type: "@xstate.actor", name, definition, snapshot, ...common({ sessionId, rootId }, atMs), ...parent };
}

/** Says that an event was fed. */
export function eventMessage(
  actor: ShownActor,
  event: ShownEvent,
  sourceId: string | null,
  atMs: number,
): EventMessage {
  return { type: "@xstate.event", event, ...common(actor, atMs), ...(sourceId === null ? {} : { sourceId }) };
}

/** Says where an event has led. */
export function snapshotMessage(
  actor: ShownActor,
  event: ShownEvent,
  snapshot: ShownSnapshot,
  atMs: number,
): SnapshotMessage {
  return { type: "@xstate.snapshot", event, snapshot, ...common(actor, atMs) };
}

/** Shows where a run is; without a state, an actor that is no machine. */
export function snapshotOf(state: string | null, isDone: boolean, context: ShownContext): ShownSnapshot {
  const value = state === null ? {} : { value: state };
  const nothing = { children: {}, historyValue: {}, tags: [] };
  return { status: isDone ? "done" : "active", ...value, context, ...nothing };
}

function common({ sessionId, rootId }: Omit<ShownActor, "parentId">, atMs: number): Message {
  return { sessionId, rootId, _version: PROTOCOL_VERSION, createdAt: String(atMs), id: null };
}
