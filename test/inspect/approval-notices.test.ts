import { describe, expect, test } from "vitest";
import type { StepNotice } from "../../src/dispatcher/observer.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { APPROVER, openWorld, START_SECONDS, told, type World } from "../dispatcher/world.ts";
import { troubleWith } from "../dispatcher/troubled-ledger.ts";
import { pathsTold } from "./lifecycles.ts";

interface Watched extends World {
  readonly told: StepNotice[];
}

function watch(between?: (ledger: Ledger) => Ledger): Watched {
  const notices: StepNotice[] = [];
  const observer = (notice: StepNotice): void => {
    notices.push(notice);
  };
  return { ...openWorld({ observer, ...(between === undefined ? {} : { between }) }), told: notices };
}

const approvalsIn = (notices: readonly StepNotice[]) => notices.filter(({ machine }) => machine === "approval");
const eventsIn = (notices: readonly StepNotice[]) => approvalsIn(notices).map(({ event }) => event);

const notStarted = (): never => {
  throw new NotStarted("TOOL_ERROR");
};

describe("what is told of approvals", () => {
  test("one that nobody gave was opened", async () => {
    const world = watch();
    expect(told(await world.dispatch({ approvals: [] }))).toBe("APPROVAL_REQUIRED");
    expect(approvalsIn(world.told)).toMatchObject([
      { state: "requested", event: null, next: "requested", tool: "write_note" },
    ]);
    await world.dispatch({ approvals: [] });
    expect(approvalsIn(world.told)).toHaveLength(1);
  });

  test("one that is used goes all the way, before the call does", async () => {
    const world = watch();
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(pathsTold(approvalsIn(world.told))).toEqual(["approval requested granted reserved consumed"]);
    const attempt = world.told.find(({ machine }) => machine === "operation")?.run;
    for (const { source } of approvalsIn(world.told)) expect(source).toBe(attempt);
    const order = world.told.map(({ event }) => event);
    expect(order.indexOf("grant.reserved")).toBeLessThan(order.indexOf("intent.recorded"));
    expect(order.indexOf("grant.consumed")).toBeLessThan(order.indexOf("tool.returned"));
  });

  test("a read has none", async () => {
    const world = watch();
    expect(told(await world.dispatch({ tool: "read_note" }))).toBe("OK fresh");
    expect(approvalsIn(world.told)).toEqual([]);
  });

  test("one that expires as it is to be used says so", async () => {
    let isLate = false;
    const world = watch((ledger) => ({
      ...ledger,
      recordIntent: (intent) => {
        if (isLate) world.host.setNow(START_SECONDS + 60);
        return ledger.recordIntent(intent);
      },
    }));
    world.service.behaviour.begin = notStarted;
    expect(told(await world.dispatch())).toBe("TOOL_ERROR");
    isLate = true;
    expect(told(await world.dispatch())).toBe("APPROVAL_INVALID");
    expect(eventsIn(world.told).slice(-2)).toEqual(["grant.released", "grant.expired"]);
  });

  test("one that expired is opened anew when it is given again", async () => {
    const world = watch();
    world.service.behaviour.begin = notStarted;
    await world.dispatch();
    world.host.setNow(START_SECONDS + 60);
    await world.dispatch();
    expect(eventsIn(world.told)).toEqual([
      ...[null, "request.granted", "grant.reserved", "grant.consumed", "grant.released"],
      ...["grant.expired", null, "request.granted", "grant.reserved", "grant.consumed", "grant.released"],
    ]);
    expect(new Set(approvalsIn(world.told).map(({ run }) => run)).size).toBe(1);
    expect(JSON.stringify(world.told)).not.toContain(APPROVER);
  });

  test("steps whose answer was lost are not made up", async () => {
    const world = watch(
      troubleWith("recordStart", 1, async (carryOut) => {
        await carryOut();
        throw new Error("the answer is lost");
      }),
    );
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(eventsIn(world.told)).toEqual([null, "request.granted", "grant.reserved"]);
  });
});
