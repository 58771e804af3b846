import { describe, expect, test } from "vitest";
import { PROFILES } from "../../src/protocol/call.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { Behaviour, KeptNote } from "./note-tools.ts";
import { troubleWith } from "./troubled-ledger.ts";
import { calm, latch, loseAnswer, openWorld, statusRefOf, told, USER, type QuerySketch, type World } from "./world.ts";

/** One reason for the answer to a query: what happened before, how the tools misbehave, what is wrong with the query. */
interface Reason {
  readonly tells: string;
  /** The event that decided, where the code alone does not say. */
  readonly by?: string;
  readonly asked: readonly string[];
  prepare?(world: World): Promise<unknown>;
  spoil?(behaviour: Behaviour): void;
  readonly sketch?: QuerySketch;
  /** Reasons of one kind exclude each other: an identity is one of a subject and a profile. */
  readonly kind?: "identity" | "receipt";
}

const other = { note: "bread" };
const checked = ["authorize"];
const fetched = ["authorize", "receipt"];
const broken = (change: Partial<KeptNote["binding"]>) => (kept: KeptNote | null) =>
  kept === null ? null : { ...kept.answer, binding: { ...kept.binding, ...change } };

/** In the order in which they decide, after one lost answer. Source: contract, section 4. */
const REASONS: Readonly<Record<string, Reason>> = {
  "the tool is not registered": { tells: "UNKNOWN_TOOL", asked: [], sketch: { tool: "burn_note" } },
  "the arguments do not fit": { tells: "INVALID_ARGUMENTS", asked: [], sketch: { input: { note: "" } } },
  "the identity stands for a dispatch": {
    tells: "CALL_ID_CONFLICT",
    asked: [],
    kind: "identity",
    sketch: { id: "call-1" },
  },
  "no access": {
    tells: "NOT_FOUND",
    by: "access.denied",
    asked: checked,
    spoil: (behaviour) => {
      behaviour.authorize = () => false;
    },
  },
  "there is no such operation": {
    tells: "NOT_FOUND",
    by: "owner.absent",
    asked: checked,
    sketch: { about: `status_${"0".repeat(32)}` },
  },
  "it is another subject's": {
    tells: "NOT_FOUND",
    by: "owner.absent",
    asked: checked,
    kind: "identity",
    sketch: { by: { ...USER, subject_id: "user-2" } },
  },
  "the query has no key": { tells: "STATUS_CONFLICT", by: "owner.found", asked: checked, sketch: { key: null } },
  "another digest is expected": {
    tells: "STATUS_CONFLICT",
    by: "owner.found",
    asked: checked,
    sketch: { expecting: "0".repeat(64) },
  },
  "another scope": { tells: "STATUS_CONFLICT", by: "owner.found", asked: checked, sketch: { key: "key-2" } },
  "another request": { tells: "STATUS_CONFLICT", by: "owner.found", asked: checked, sketch: { input: other } },
  "another profile": {
    tells: "STATUS_CONFLICT",
    by: "owner.found",
    asked: checked,
    kind: "identity",
    sketch: { context: PROFILES[1] },
  },
  "there is no receipt": {
    tells: "OUTCOME_UNKNOWN",
    asked: fetched,
    kind: "receipt",
    spoil: (behaviour) => {
      behaviour.receipt = () => null;
    },
  },
  "the receipt is of another": {
    tells: "STATUS_CONFLICT",
    by: "owner.disputed",
    asked: fetched,
    kind: "receipt",
    spoil: (behaviour) => {
      behaviour.receipt = broken({ provider: "another" });
    },
  },
  "the receipt matches": { tells: "OK receipt_reconciled", asked: fetched },
};

/** The handle of the lost call, whatever else the query says. */
const ABOUT = (world: World): string => statusRefOf(world.gate, {});

const PAIRS = Object.entries(REASONS).flatMap(([earlierName, earlier], index) =>
  Object.entries(REASONS)
    .slice(index)
    .filter(([, later]) => later === earlier || later.kind === undefined || later.kind !== earlier.kind)
    .map(([laterName, later]) => ({ earlierName, laterName, earlier, later })),
);

describe("a query is decided by the first reason that applies", () => {
  test.each(PAIRS)("$earlierName, before: $laterName", async ({ earlier, later }) => {
    const world = openWorld();
    await loseAnswer(world);
    for (const reason of new Set([later, earlier])) reason.spoil?.(world.service.behaviour);
    world.service.asked.length = 0;
    world.notices.length = 0;

    const answer = await world.query({ about: ABOUT(world), ...later.sketch, ...earlier.sketch });

    expect(told(answer)).toBe(earlier.tells);
    expect(world.service.asked).toEqual(earlier.asked);
    const events = world.notices.filter(({ machine }) => machine === "status_query").map(({ event }) => event);
    if (earlier.by !== undefined) expect(events.at(-1)).toBe(earlier.by);
    expect(world.service.effects).toBe(1);
  });
});

describe("the operation is what was stored when it ran", () => {
  const members = Object.keys({
    request_sha256: 0,
    provider: 0,
    api_family: 0,
    adapter_revision: 0,
    output_schema_revision: 0,
    effect_revision: 0,
    handler_revision: 0,
    producer_revision: 0,
    status_ref: 0,
  } satisfies Record<keyof KeptNote["binding"], 0>);

  test.each(members)("a receipt bound to another %s contradicts, and the scope is held", async (member) => {
    const world = openWorld();
    await loseAnswer(world);
    world.service.behaviour.receipt = broken({ [member]: "another" });
    expect(told(await world.query())).toBe("STATUS_CONFLICT");
    world.service.behaviour.receipt = broken({});
    expect(told(await world.query())).toBe("STATUS_CONFLICT");
    expect(told(await world.query({ id: "query-2" }))).toBe("STATUS_CONFLICT");
    expect(told(await world.dispatch())).toBe("STATUS_CONFLICT");
    expect(world.service.effects).toBe(1);
  });

  test.each([
    ["handler", { handler: "write-handler-v2" }, "OK receipt_reconciled", "IDEMPOTENCY_CONFLICT"],
    ["effect", { effect: "write-effect-v2" }, "STATUS_CONFLICT", "IDEMPOTENCY_CONFLICT"],
  ] as const)(
    "once its %s has a new revision, a record answers no dispatch, and a query only of the same effect",
    async (_what, changes, queried, dispatched) => {
      const world = openWorld();
      await loseAnswer(world);
      expect(told(await world.query())).toBe("OK receipt_reconciled");
      const later = world.another({ changes });
      expect(told(await later.query({ id: "query-2", about: ABOUT(world) }))).toBe(queried);
      expect(told(await later.dispatch({ id: "call-2" }))).toBe(dispatched);
    },
  );

  test("an outcome in doubt is asked about through a new revision of the handler, and keeps its own", async () => {
    const world = openWorld();
    await loseAnswer(world);
    const later = world.another({ changes: { handler: "write-handler-v2" } });
    expect(told(await later.query())).toBe("OK receipt_reconciled");
    expect(told(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
  });
});

test("an owner that has changed since it was found is compared again, and not written to", async () => {
  let change = (): Promise<unknown> => Promise.resolve();
  const world = openWorld({
    between: troubleWith("findOwner", 2, async (carryOut) => {
      await change();
      return carryOut();
    }),
  });
  const held = latch();
  world.service.behaviour.begin = () => held.held;
  const first = world.dispatch();
  await calm();
  const waiter = new AbortController();
  const second = world.dispatch({ id: "call-2", signal: waiter.signal });
  await calm();
  waiter.abort();
  expect(told(await second)).toBe("OUTCOME_UNKNOWN");
  change = async () => {
    held.fail(new NotStarted("RATE_LIMIT"));
    await first;
    world.service.behaviour.begin = () => undefined;
    await loseAnswer(world, { id: "call-3", context: PROFILES[1] });
  };
  expect(told(await world.query())).toBe("STATUS_CONFLICT");
  expect(world.service.asked).not.toContain("receipt");
  expect(await world.ledger.findOwner(statusRefOf(world.gate, {}))).toMatchObject({ state: "unknown" });
});

describe("only what was in doubt can be asked about", () => {
  test("a fresh success cannot", async () => {
    const world = openWorld();
    await world.dispatch();
    expect(told(await world.query())).toBe("NOT_FOUND");
  });

  test("after reconciliation the same query gives the same, and a dispatch a replay", async () => {
    const world = openWorld();
    await loseAnswer(world);
    const first = await world.query();
    expect(await world.query()).toEqual(first);
    expect(told(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
    expect(told(await world.dispatch({ id: "call-2" }))).toBe("OK local_replay");
    expect(world.service.asked.filter((what) => what === "receipt")).toHaveLength(1);
  });

  test("a refused query keeps its identity bound and changes nothing else", async () => {
    const world = openWorld();
    await loseAnswer(world);
    const about = statusRefOf(world.gate, {});
    const before = await world.ledger.findOwner(about);
    expect(told(await world.query({ key: null, about }))).toBe("STATUS_CONFLICT");
    expect(await world.ledger.findOwner(about)).toEqual(before);
    expect(told(await world.query())).toBe("CALL_ID_CONFLICT");
    expect(told(await world.dispatch({ id: "query-1", key: null }))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
  });
});
