import { describe, expect, test } from "vitest";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { Behaviour } from "./note-tools.ts";
import { loseAnswer, openWorld, told, type CallSketch, type World } from "./world.ts";

/** One reason for an answer: what happened before, how the tools misbehave, and what is wrong with the call. */
interface Reason {
  readonly tells: string;
  /** What of the tools may have been asked when this decides. */
  readonly asked: readonly string[];
  prepare?(world: World): Promise<unknown>;
  spoil?(behaviour: Behaviour): void;
  readonly sketch?: CallSketch;
  /** Reasons of one kind exclude each other. */
  readonly kind?: "scope" | "approval" | "answer";
}

const other = { note: "bread" };
const lose = (): never => {
  throw new Error("the answer is lost");
};
const checked = ["authorize"];
const allowed = [...checked, "precondition"];
const run = [...allowed, "execute"];

/** In the order in which they decide. Source: contract, section 3. */
const REASONS: Readonly<Record<string, Reason>> = {
  "2 the tool is not registered": { tells: "UNKNOWN_TOOL", asked: [], sketch: { tool: "burn_note" } },
  "3 the arguments do not fit": { tells: "INVALID_ARGUMENTS", asked: [], sketch: { input: { note: 7 } } },
  "4 the identity stands for another request": {
    tells: "CALL_ID_CONFLICT",
    asked: [],
    prepare: (world) => world.dispatch({ key: "key-9", input: other }),
  },
  "5 no access": {
    tells: "NOT_FOUND",
    asked: checked,
    spoil: (behaviour) => {
      behaviour.authorize = () => false;
    },
  },
  "6 no key": { tells: "IDEMPOTENCY_KEY_REQUIRED", asked: checked, sketch: { key: null } },
  "7 settled by the same request": {
    tells: "OK local_replay",
    asked: checked,
    kind: "scope",
    prepare: (world) => world.dispatch({ id: "earlier" }),
  },
  "7 settled by another request": {
    tells: "IDEMPOTENCY_CONFLICT",
    asked: checked,
    kind: "scope",
    prepare: (world) => world.dispatch({ id: "earlier", input: other }),
  },
  "8 in doubt, of the same request": {
    tells: "OUTCOME_UNKNOWN",
    asked: checked,
    kind: "scope",
    prepare: (world) => loseAnswer(world, { id: "earlier" }),
  },
  "8 in doubt, of another request": {
    tells: "IDEMPOTENCY_CONFLICT",
    asked: checked,
    kind: "scope",
    prepare: (world) => loseAnswer(world, { id: "earlier", input: other }),
  },
  "8 disputed, of the same request": {
    tells: "STATUS_CONFLICT",
    asked: checked,
    kind: "scope",
    prepare: async (world) => {
      await loseAnswer(world, { id: "earlier" });
      world.service.behaviour.receipt = () => ({});
      await world.query();
    },
  },
  "8 disputed, of another request": {
    tells: "IDEMPOTENCY_CONFLICT",
    asked: checked,
    kind: "scope",
    prepare: async (world) => {
      await loseAnswer(world, { id: "earlier", input: other });
      world.service.behaviour.receipt = () => ({});
      await world.query({ input: other });
    },
  },
  "9 business forbids it": {
    tells: "BUSINESS_RULE_VIOLATION",
    asked: allowed,
    spoil: (behaviour) => {
      behaviour.precondition = () => false;
    },
  },
  "10 no approval": { tells: "APPROVAL_REQUIRED", asked: allowed, kind: "approval", sketch: { approvals: [] } },
  "10 no valid approval": { tells: "APPROVAL_INVALID", asked: allowed, kind: "approval", sketch: { approvals: [{}] } },
  "11 known not to have started": {
    tells: "RATE_LIMIT",
    asked: run,
    spoil: (behaviour) => {
      behaviour.begin = () => {
        throw new NotStarted("RATE_LIMIT");
      };
    },
  },
  "12 it threw": {
    tells: "OUTCOME_UNKNOWN",
    asked: run,
    kind: "answer",
    spoil: (behaviour) => {
      behaviour.answer = lose;
    },
  },
  "13 bad output": {
    tells: "OUTPUT_CONTRACT_VIOLATION",
    asked: run,
    kind: "answer",
    spoil: (behaviour) => {
      behaviour.answer = () => null;
    },
  },
  "14 nothing is in the way": { tells: "OK fresh", asked: run },
};

/** Every two reasons that can both be there, the earlier first; each also with itself. */
const PAIRS = Object.entries(REASONS).flatMap(([earlierName, earlier], index) =>
  Object.entries(REASONS)
    .slice(index)
    .filter(([, later]) => later === earlier || later.kind === undefined || later.kind !== earlier.kind)
    .map(([laterName, later]) => ({ earlierName, laterName, earlier, later })),
);

describe("a dispatch is decided by the first reason that applies", () => {
  test.each(PAIRS)("$earlierName, before: $laterName", async ({ earlier, later }) => {
    const world = openWorld();
    for (const reason of new Set([later, earlier])) await reason.prepare?.(world);
    for (const reason of new Set([later, earlier])) reason.spoil?.(world.service.behaviour);
    world.service.asked.length = 0;
    const effects = world.service.effects;

    expect(told(await world.dispatch({ ...later.sketch, ...earlier.sketch }))).toBe(earlier.tells);

    expect(world.service.asked).toEqual(earlier.asked);
    const hasEffect = earlier.asked.includes("execute") && earlier.tells !== "RATE_LIMIT";
    expect(world.service.effects - effects).toBe(hasEffect ? 1 : 0);
  });
});

describe("a read is decided by the first reason that applies", () => {
  const read: CallSketch = { tool: "read_note", key: null };
  const reasons: readonly Reason[] = [
    { tells: "UNKNOWN_TOOL", asked: [], sketch: { tool: "burn_note" } },
    { tells: "INVALID_ARGUMENTS", asked: [], sketch: { input: [] } },
    { tells: "CALL_ID_CONFLICT", asked: [], prepare: (world) => world.dispatch({ ...read, input: other }) },
    {
      tells: "NOT_FOUND",
      asked: checked,
      spoil: (behaviour) => {
        behaviour.authorize = () => 1;
      },
    },
    {
      tells: "RATE_LIMIT",
      asked: [...checked, "execute"],
      kind: "answer",
      spoil: (behaviour) => {
        behaviour.read = () => {
          throw new NotStarted("RATE_LIMIT");
        };
      },
    },
    {
      tells: "TOOL_ERROR",
      asked: [...checked, "execute"],
      kind: "answer",
      spoil: (behaviour) => {
        behaviour.read = lose;
      },
    },
    {
      tells: "OUTPUT_CONTRACT_VIOLATION",
      asked: [...checked, "execute"],
      kind: "answer",
      spoil: (behaviour) => {
        behaviour.read = () => "not an answer";
      },
    },
    { tells: "OK fresh", asked: [...checked, "execute"] },
  ];
  const pairs = reasons.flatMap((earlier, index) =>
    reasons
      .slice(index)
      .filter((later) => later === earlier || later.kind === undefined || later.kind !== earlier.kind)
      .map((later) => [earlier.tells, later.tells, earlier, later] as const),
  );

  test.each(pairs)("%s, before: %s", async (_earlier, _later, earlier, later) => {
    const world = openWorld();
    for (const reason of new Set([later, earlier])) await reason.prepare?.(world);
    for (const reason of new Set([later, earlier])) reason.spoil?.(world.service.behaviour);
    world.service.asked.length = 0;

    expect(told(await world.dispatch({ ...read, ...later.sketch, ...earlier.sketch }))).toBe(earlier.tells);
    expect(world.service.asked).toEqual(earlier.asked);
  });

  test("neither approvals nor the lack of a key matter to it", async () => {
    const world = openWorld();
    expect(told(await world.dispatch({ ...read, approvals: [{}] }))).toBe("OK fresh");
    expect(told(await world.dispatch({ ...read, id: "call-2", key: "key-1" }))).toBe("OK fresh");
    expect(told(await world.dispatch({ ...read, id: "call-3", key: "key-1" }))).toBe("OK fresh");
  });
});
