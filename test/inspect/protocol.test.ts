import { readFileSync } from "node:fs";
import { createInspector } from "@statelyai/inspect";
import { createActor, type AnyStateMachine } from "xstate";
import { expect, test } from "vitest";
import type { StepNotice } from "../../src/dispatcher/observer.ts";
import type { InspectorMessage } from "../../src/drawing/inspector/messages.ts";
import { WATCHED_MACHINES } from "../../src/drawing/inspector/watched-machine.ts";
import { WatchedGate } from "../../src/drawing/inspector/watched-gate.ts";
import { APPROVAL } from "../../src/engine/approval.ts";
import { OPERATION } from "../../src/engine/operation.ts";
import { provideMachine } from "../../src/engine/provide.ts";
import { STATUS_QUERY } from "../../src/engine/status-query.ts";

/** What the library sends for a machine that runs under XState. */
async function sentByLibrary(
  machine: AnyStateMachine,
  ...events: readonly string[]
): Promise<readonly InspectorMessage[]> {
  const sent: InspectorMessage[] = [];
  const { inspect } = createInspector({
    send: (message) => {
      sent.push(JSON.parse(JSON.stringify(message)) as InspectorMessage);
    },
  });
  const actor = createActor(machine, { input: {}, inspect }).start();
  for (const type of events) actor.send({ type });
  // The library sends once nothing else is to be done.
  while (sent.length < 3 + 2 * events.length) await new Promise((resolve) => setTimeout(resolve, 1));
  return sent;
}

function sentByOurs(...notices: readonly StepNotice[]): readonly InspectorMessage[] {
  const sent: InspectorMessage[] = [];
  let ids = 0;
  const newSessionId = () => {
    ids += 1;
    return String(ids);
  };
  const gate = new WatchedGate({ name: "gate", newSessionId, nowMs: () => 7, send: (message) => sent.push(message) });
  for (const notice of notices) gate.show(notice);
  // The first is the gate.
  return (JSON.parse(JSON.stringify(sent)) as InspectorMessage[]).slice(1);
}

/** What two writers of one protocol agree in: everything but ids, times and what is told of the context. */
function comparable(messages: readonly InspectorMessage[]): readonly unknown[] {
  return messages.map((message) => {
    const shape = { ...message, sessionId: "", rootId: "", parentId: "", sourceId: "", createdAt: "", name: "" };
    const event = "event" in message ? { event: { type: message.event.type } } : {};
    if (message.type === "@xstate.event") return { ...shape, ...event };
    // XState starts an actor only after it has said that there is one, and hands out a snapshot that goes on.
    if (message.type === "@xstate.actor") return { ...shape, definition: JSON.parse(message.definition), snapshot: {} };
    return { ...shape, ...event, snapshot: { ...message.snapshot, context: {} } };
  });
}

const denied = {
  machine: "approval",
  run: "key" as never,
  source: "attempt" as never,
  tool: null,
  state: "requested",
  event: "request.denied",
  next: "denied",
} as const satisfies StepNotice;

test("the messages are those that the library sends for the same machine", async () => {
  const theirs = await sentByLibrary(provideMachine(APPROVAL, {}), "request.denied");
  expect(comparable(sentByOurs(denied))).toEqual(comparable(theirs));
  expect(theirs.map(({ type }) => type)).toEqual(
    ["actor", "event", "snapshot", "event", "snapshot"].map((type) => `@xstate.${type}`),
  );
});

test("an approval that was opened stands where it began, until something happens", () => {
  const opened = { ...denied, event: null, next: "requested" } as const;
  expect(sentByOurs(opened, denied)).toEqual(sentByOurs(denied));
  expect(sentByOurs(opened)).toHaveLength(3);
});

test("an approval that is opened anew is another actor", () => {
  const opened = { ...denied, event: null, next: "requested" } as const;
  const expired = { ...denied, event: "request.expired", next: "expired" } as const;
  const actors = sentByOurs(opened, expired, opened).filter(({ type }) => type === "@xstate.actor");
  expect(new Set(actors.map(({ sessionId }) => sessionId)).size).toBe(2);
});

test("a run that somebody else began is shown from where it was met", () => {
  const notice: StepNotice = {
    machine: "operation",
    run: "ab" as never,
    source: null,
    tool: "write_note",
    state: "executing",
    event: "outcome.lost",
    next: "unknown",
    effects: ["markUncertain"],
    failed: true,
    refusal: "OUTCOME_UNKNOWN",
    delivery: null,
  };
  const context = { run: "ab", tool: "write_note", delivery: null };
  expect(sentByOurs(notice)).toMatchObject([
    { type: "@xstate.actor", name: "operation write_note", snapshot: { value: "executing", status: "active" } },
    { event: { type: "xstate.init" } },
    { snapshot: { value: "executing", context: { ...context, refusal: null } } },
    { event: { type: "outcome.lost", failed: true }, sourceId: "1" },
    { snapshot: { value: "unknown", status: "active", context: { ...context, refusal: "OUTCOME_UNKNOWN" } } },
  ]);
});

test("runs that have ended are not remembered", () => {
  const held = { ...denied, event: "grant.released", next: "granted" } as const;
  const ended = Array.from({ length: 10_000 }, (_none, run): StepNotice => ({ ...denied, run: String(run) as never }));
  const actors = sentByOurs(held, ...ended, held).filter(({ type }) => type === "@xstate.actor");
  expect(actors).toHaveLength(10_001);
});

test("of runs that never end, those heard of longest ago are forgotten", () => {
  const held = (run: number): StepNotice => ({
    ...denied,
    run: String(run) as never,
    event: "grant.released",
    next: "granted",
  });
  const runs = Array.from({ length: 10_001 }, (_none, index) => held(index));
  const actorsIn = (messages: readonly InspectorMessage[]) =>
    messages.filter(({ type }) => type === "@xstate.actor").length;
  expect(actorsIn(sentByOurs(...runs.slice(1), held(1)))).toBe(10_000);
  expect(actorsIn(sentByOurs(...runs, held(0)))).toBe(10_002);
  expect(actorsIn(sentByOurs(...runs.slice(0, -1), held(0), held(10_000), held(0)))).toBe(10_001);
});

test.each([
  ["operation", OPERATION.machine, ["fresh", "receipt_reconciled", "conflict", "replayed", "joined", "rejected"]],
  ["status_query", STATUS_QUERY.machine, ["answered", "conflict", "rejected"]],
  ["approval", APPROVAL.machine, ["denied", "withdrawn", "expired", "voided"]],
] as const)("%s is sent with the definition that the library sends", async (name, machine, finals) => {
  const [actor] = await sentByLibrary(machine);
  if (actor?.type !== "@xstate.actor") throw new TypeError("the library began with something else");
  const { definition } = WATCHED_MACHINES[name];
  expect(JSON.parse(definition)).toEqual(JSON.parse(actor.definition));
  expect([...WATCHED_MACHINES[name].finals].toSorted()).toEqual([...finals].toSorted());
});

test("the protocol's version is that of the library", () => {
  const manifest = new URL("../../node_modules/@statelyai/inspect/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  expect(sentByOurs(denied)[0]).toHaveProperty("_version", version);
});
