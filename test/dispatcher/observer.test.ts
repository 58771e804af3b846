import { describe, expect, test } from "vitest";
import type { StepNotice } from "../../src/dispatcher/observer.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";
import { calm, loseAnswer, openWorld, told, USER, type World } from "./world.ts";

/** What was told of the operations, as `state event → next`. */
const stepsOf = (notices: readonly StepNotice[]): string[] =>
  notices.flatMap((notice) =>
    notice.machine === "operation" ? [`${notice.state} ${notice.event} → ${notice.next}`] : [],
  );

const WRITE = [
  "proposed host.bound → bound",
  "bound identity.claimed → identified",
  "identified access.granted → authorized",
  "authorized scope.free → unclaimed",
  "unclaimed business.permitted → permitted",
  "permitted approval.presented → approved",
  "approved intent.recorded → executing",
  "executing tool.returned → fresh",
];

async function journalOf(world: World, run: string): Promise<readonly unknown[]> {
  const entries = await world.ledger.journal(run as AttemptId);
  return entries.flatMap(({ text }) => (JSON.parse(text) as { steps: unknown[] }).steps);
}

describe("watching", () => {
  test("is told every step, in order, and each as the journal has it", async () => {
    const world = openWorld();
    await world.dispatch();
    expect(stepsOf(world.notices)).toEqual(WRITE);
    const run = world.notices[0]?.run ?? "";
    expect(await journalOf(world, run)).toEqual(
      world.notices.flatMap((notice) => (notice.machine === "operation" ? [[notice.event, notice.next]] : [])),
    );
  });

  test.each(["table", "xstate"] as const)("is told the same by either interpreter: %s", async (interpreter) => {
    const world = openWorld({ interpreter });
    await world.dispatch();
    expect(stepsOf(world.notices)).toEqual(WRITE);
  });

  test("is told of the owner's steps while a query asks for it", async () => {
    const world = openWorld();
    await loseAnswer(world);
    const owner = world.notices[0]?.run;
    world.notices.length = 0;
    await world.query();
    expect(stepsOf(world.notices.filter(({ run }) => run === owner))).toEqual([
      "unknown status.queried → querying",
      "querying receipt.found → receipt_reconciled",
    ]);
  });

  const observers: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error("watching failed");
    },
    "throws nothing at all": () => {
      throw undefined; // oxlint-disable-line only-throw-error -- what the test is about
    },
    "rejects later": () => Promise.reject(new Error("watching failed")),
    "never answers": () => new Promise(() => undefined),
  };
  test.each(Object.keys(observers))("changes nothing when the observer %s", async (how) => {
    const quiet = openWorld();
    const world = openWorld({ observer: observers[how] as () => void });
    for (const act of [
      (one: World) => one.dispatch(),
      (one: World) => loseAnswer(one, { id: "call-2", key: "key-2" }),
      (one: World) => one.query({ key: "key-2" }),
      (one: World) => one.dispatch({ tool: "read_note", id: "call-3" }),
    ]) {
      expect(await act(world)).toEqual(await act(quiet));
    }
    await calm();
    expect(await world.ledger.verifyJournal()).toEqual(await quiet.ledger.verifyJournal());
  });

  test("cannot change what goes on by what it is told", async () => {
    const world = openWorld({
      observer: (notice) => {
        for (const name of Object.keys(notice)) Reflect.set(notice, name, "changed");
      },
    });
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(await world.ledger.verifyJournal()).toMatchObject({ intact: true });
  });

  test("is told nothing of what was said", async () => {
    const world = openWorld();
    const secret = "not-for-watchers";
    await world.dispatch({ input: { note: secret }, by: { ...USER, roles: [secret] } });
    await world.dispatch({ tool: secret, id: "call-2" });
    expect(JSON.stringify(world.notices)).not.toContain(secret);
  });
});

describe("steps that failed", () => {
  const boom = (): never => {
    throw new Error("not for the journal");
  };
  const failures: readonly (readonly [string, string, (world: World) => Promise<unknown>])[] = [
    [
      "authorize",
      "access.denied",
      (world) =>
        Promise.resolve(Object.assign(world.service.behaviour, { authorize: boom })).then(() => world.dispatch()),
    ],
    [
      "precondition",
      "business.refused",
      (world) =>
        Promise.resolve(Object.assign(world.service.behaviour, { precondition: boom })).then(() => world.dispatch()),
    ],
    [
      "a query's authorize",
      "access.denied",
      async (world) => {
        await loseAnswer(world);
        world.notices.length = 0;
        world.service.behaviour.authorize = boom;
        await world.query();
      },
    ],
    [
      "queryReceipt",
      "receipt.unavailable",
      async (world) => {
        await loseAnswer(world);
        world.notices.length = 0;
        world.service.behaviour.receipt = boom;
        await world.query();
      },
    ],
  ];
  test.each(failures)("%s threw: told and journalled as %s", async (_what, event, act) => {
    const world = openWorld();
    await act(world);
    const failed = world.notices.filter((notice) => "failed" in notice && notice.failed);
    expect(failed.map((notice) => notice.event)).toEqual([event]);
    const journal = await journalOf(world, failed[0]?.run ?? "");
    expect(journal.filter((step) => Array.isArray(step) && step.length === 3)).toEqual([
      [event, failed[0]?.next, "failed"],
    ]);
    expect(JSON.stringify(journal)).not.toContain("not for the journal");
  });

  test("nothing is called a failure that said no", async () => {
    const world = openWorld();
    world.service.behaviour.authorize = () => false;
    await world.dispatch();
    expect(world.notices.filter((notice) => "failed" in notice && notice.failed)).toEqual([]);
  });
});
