import { describe, expect, test } from "vitest";
import type { Ledger, StoredAttempt } from "../../src/ledger/ledger.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { DEADLINE_MS } from "./note-tools.ts";
import { never, stateOf } from "./stopped-process.ts";
import { troubled, type Fallible } from "./troubled-ledger.ts";
import { approvalOf, BEYOND_LEASES_MS, calm, openWorld, START_SECONDS, told, type World } from "./world.ts";

type Act = (carryOut: () => Promise<unknown>) => Promise<unknown>;
type Script = Partial<Record<Fallible, readonly Act[]>>;

/** A ledger whose first calls of some methods go as a script says; all others are carried out. */
const scripted =
  (script: Script) =>
  (ledger: Ledger): Ledger =>
    troubled(ledger, (method, call, carryOut) => {
      const act = script[method]?.[call - 1];
      return act === undefined ? carryOut() : act(carryOut);
    });

const LOST = new Error("it did not answer");
const UNREADABLE = new Error("it could not be read");

const lost: Act = () => Promise.reject(LOST);
const lostButStored: Act = (carryOut) => carryOut().then(() => Promise.reject(LOST));
const unreadable: Act = () => Promise.reject(UNREADABLE);
const absent: Act = () => Promise.resolve(null);
const saying =
  (kind: string): Act =>
  () =>
    Promise.resolve({ kind });
const wellRead: Act = (carryOut) => carryOut();

/** The attempt, written to more often than it really was. */
const writtenMoreOften =
  (times: number, changes: Partial<StoredAttempt> = {}): Act =>
  async (carryOut) => {
    const found = (await carryOut()) as StoredAttempt;
    return { ...found, ...changes, hold: { ...found.hold, version: found.hold.version + times } };
  };

/** What a write is told, and what has happened then. */
interface Case {
  readonly script: Script;
  readonly spoil?: (world: World) => void;
  readonly approvals?: readonly unknown[];
  readonly tells: string;
  /** Below a host error. */
  readonly cause?: unknown;
  readonly effects: 0 | 1;
  /** How often a step was written. */
  readonly steps: number;
  /** Where the owner is once its lease has run out, though nobody asked for recovery. */
  readonly later?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "a step is lost, and cannot be read again": {
    script: { recordStep: [lost], readAttempt: [unreadable] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 1, steps: 1, later: "unknown" },
  },
  "a step is lost, and so is the attempt": {
    script: { recordStep: [lost], readAttempt: [absent] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 1, steps: 1, later: "unknown" },
  },
  "the step of a refusal is not stored": {
    script: { recordStep: [lost] },
    approvals: [],
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 0, steps: 1 },
  },
  "a step finds an earlier one, which cannot be read": {
    script: { recordStep: [saying("moved")], readAttempt: [unreadable] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: UNREADABLE, effects: 1, steps: 1, later: "unknown" },
  },
  "a step finds one start marker after another": {
    script: {
      recordStep: [saying("moved"), saying("moved")],
      readAttempt: [writtenMoreOften(1), writtenMoreOften(2)],
    },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: null, effects: 1, steps: 2, later: "unknown" },
  },
  "a first step finds another that nobody wrote": {
    script: { recordStep: [saying("moved")], readAttempt: [writtenMoreOften(1, { state: "unknown" })] },
    tells: "INTERNAL",
    cause: new TypeError("a first step from executing was overtaken by one to unknown"),
    ...{ effects: 1, steps: 1 },
  },
  "neither the outcome nor the doubt is stored": {
    script: { recordStep: [lost, lost] },
    ...{ tells: "OUTCOME_UNKNOWN", effects: 1, steps: 2, later: "unknown" },
  },
  "the outcome is not stored, and the doubt finds another state than that": {
    script: {
      recordStep: [lost, saying("moved")],
      readAttempt: [wellRead, writtenMoreOften(2, { state: "unknown" })],
    },
    ...{ tells: "OUTCOME_UNKNOWN", effects: 1, steps: 2, later: "unknown" },
  },
  "output that breaks the contract is not stored: the doubt still tells it": {
    script: { recordStep: [lost] },
    spoil: ({ service: { behaviour } }) => {
      behaviour.answer = (good) => ({ ...good, output: { ...good.output, note: "bread" } });
    },
    ...{ tells: "OUTPUT_CONTRACT_VIOLATION", effects: 1, steps: 2 },
  },
  "doubt is not stored: it is not tried twice": {
    script: { recordStep: [lost] },
    spoil: ({ host, service: { behaviour } }) => {
      behaviour.begin = () => {
        host.advance(DEADLINE_MS);
        return never();
      };
    },
    ...{ tells: "OUTCOME_UNKNOWN", effects: 0, steps: 1, later: "unknown" },
  },
  "somebody else holds the attempt, and doubt cannot be marked": {
    script: { recordStep: [saying("fenced")], markDoubt: [lost] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 1, steps: 1 },
  },
  "the start marker is lost, and cannot be read again": {
    script: { recordStart: [lost], readAttempt: [unreadable] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 0, steps: 0, later: "fresh" },
  },
  "the start marker is lost, and so is the attempt": {
    script: { recordStart: [lost], readAttempt: [absent] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 0, steps: 0, later: "fresh" },
  },
  "the start marker is lost, and more was written than that": {
    script: { recordStart: [lost], readAttempt: [writtenMoreOften(2, { started: true })] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 0, steps: 0, later: "fresh" },
  },
  "the intent is lost, and so is the attempt": {
    script: { recordIntent: [lost], readAttempt: [absent] },
    ...{ tells: "LEDGER_UNAVAILABLE", cause: LOST, effects: 0, steps: 0 },
  },
  "the approval was spent meanwhile": {
    script: { recordIntent: [saying("approval.spent")] },
    ...{ tells: "APPROVAL_INVALID", effects: 0, steps: 1 },
  },
};

describe("a write is told only what the ledger lets be known", () => {
  test.each(Object.entries(CASES))("%s", async (_what, { script, spoil, approvals, ...expected }) => {
    let steps = 0;
    const world = openWorld({
      between: (ledger) =>
        troubled(scripted(script)(ledger), (method, _call, carryOut) => {
          if (method === "recordStep") steps += 1;
          return carryOut();
        }),
    });
    spoil?.(world);
    const running = world.dispatch(approvals === undefined ? {} : { approvals });
    if ("cause" in expected) {
      const { tells: code, cause } = expected;
      const error: unknown = await running.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "CallgateError", code });
      expect(Reflect.get(Object(error), "cause")).toEqual(cause);
    } else {
      expect(told(await running)).toBe(expected.tells);
    }
    expect(world.service.effects).toBe(expected.effects);
    expect(steps).toBe(expected.steps);
    if (expected.later === undefined) return;
    expect(await stateOf(world)).toBe("executing");
    world.host.advance(BEYOND_LEASES_MS);
    await calm();
    expect(await stateOf(world)).toBe(expected.later);
  });
});

describe("the steps of an approval", () => {
  const approvalEvents = ({ notices }: World): unknown[] =>
    notices.filter(({ machine }) => machine === "approval").map(({ event }) => event);

  test("are told where it expired at the last look", async () => {
    const world = openWorld({
      between: scripted({
        recordIntent: [
          wellRead,
          (carryOut) => {
            world.host.setNow(START_SECONDS + 60);
            return carryOut();
          },
        ],
      }),
    });
    world.service.behaviour.begin = () => {
      throw new NotStarted("RATE_LIMIT");
    };
    const approvals = [approvalOf(world.gate, {}, START_SECONDS)];
    expect(told(await world.dispatch({ approvals }))).toBe("RATE_LIMIT");
    world.notices.length = 0;
    expect(told(await world.dispatch({ approvals }))).toBe("APPROVAL_INVALID");
    expect(approvalEvents(world)).toEqual(["grant.expired"]);
    expect(world.notices.at(-1)?.event).toBe("approval.expired");
  });

  test.each<[Fallible, readonly (string | null)[]]>([
    ["recordStart", [null, "request.granted", "grant.reserved", "grant.released"]],
    ["recordStep", [null, "request.granted", "grant.reserved", "grant.consumed"]],
  ])("are not made up where %s did not answer, though it was stored", async (method, events) => {
    const world = openWorld({ between: scripted({ [method]: [lostButStored] }) });
    world.service.behaviour.begin = () => {
      throw new NotStarted("RATE_LIMIT");
    };
    expect(told(await world.dispatch())).toBe("RATE_LIMIT");
    expect(approvalEvents(world)).toEqual(events);
  });
});
