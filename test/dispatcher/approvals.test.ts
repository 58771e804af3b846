import { describe, expect, test } from "vitest";
import type { Approval } from "../../src/protocol/approval.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { createGate } from "../../src/dispatcher/gate.ts";
import { troubleWith } from "./troubled-ledger.ts";
import { APPROVER, approvalOf, dispatchRequest, openWorld, START_SECONDS, told, USER, type World } from "./world.ts";

const LAST_SECOND = 253_402_300_799;

const rightFor = (world: World, id = "call-1"): Approval => approvalOf(world.gate, { id }, world.host.now());

describe("an approval with one member that is not right is none", () => {
  const wrong: Readonly<Record<keyof Approval, readonly unknown[]>> = {
    approval_id: ["", " ", "\u3000", "x".repeat(256), null, 7, "\ud800"],
    operation_id: ["operation-2", "", null],
    call_id: ["call-2", "", null],
    provider: ["anthropic", "OpenAI"],
    api_family: ["messages"],
    adapter_revision: ["openai-responses-v2"],
    idempotency_key: ["key-2", null, ""],
    tool_name: ["read_note", "write_note "],
    subject_id: ["user-2", "reviewer-1"],
    schema_version: ["write-input-v2", "write-output-v1"],
    approval_revision: ["write-policy-v2", null],
    approval_digest: ["0".repeat(64), "", null, "A".repeat(64)],
    expires_at: [
      START_SECONDS,
      START_SECONDS - 1,
      START_SECONDS + 0.5,
      LAST_SECOND + 1,
      "1800000060",
      null,
      Number.NaN,
      Infinity,
      -1,
      1e300,
    ],
    approver_id: ["reviewer-2", "Reviewer-1", "reviewer-1 ", "", null, "user-1"],
  };
  const cases = Object.entries(wrong).flatMap(([member, values]) => values.map((value) => [member, value] as const));

  test.each(cases)("%s: %j", async (member, value) => {
    const world = openWorld();
    const approval = { ...rightFor(world), [member]: value };
    expect(told(await world.dispatch({ approvals: [approval] }))).toBe("APPROVAL_INVALID");
    expect(world.service.asked).not.toContain("execute");
    // One valid among several is enough, wherever it stands.
    expect(told(await world.dispatch({ approvals: [approval, rightFor(world), approval] }))).toBe("OK fresh");
  });

  test.each(Object.keys(wrong))("without %s", async (member) => {
    const world = openWorld();
    const approval = Object.fromEntries(Object.entries(rightFor(world)).filter(([name]) => name !== member));
    expect(told(await world.dispatch({ approvals: [approval] }))).toBe("APPROVAL_INVALID");
  });

  test("with one member more", async () => {
    const world = openWorld();
    expect(told(await world.dispatch({ approvals: [{ ...rightFor(world), scope: "all" }] }))).toBe("APPROVAL_INVALID");
  });

  test.each([
    ["another call", { id: "call-2" }],
    ["another request", { input: { note: "bread" } }],
    ["another key", { key: "key-2" }],
    ["another response", { context: { response_id: "response-2" } }],
    ["another operation", { context: { operation_id: "operation-2" } }],
    ["another subject", { by: { ...USER, subject_id: "user-2" } }],
    ["another tenant", { by: { ...USER, tenant_id: "tenant-b" } }],
  ])("a right one of %s", async (_what, sketch) => {
    const world = openWorld();
    const approval = approvalOf(world.gate, sketch, START_SECONDS);
    expect(told(await world.dispatch({ approvals: [approval] }))).toBe("APPROVAL_INVALID");
  });

  test("roles are no part of what is approved", async () => {
    const world = openWorld();
    const approval = rightFor(world);
    expect(told(await world.dispatch({ by: { ...USER, roles: ["auditor"] }, approvals: [approval] }))).toBe("OK fresh");
  });
});

describe("who may approve", () => {
  const by = (world: World, approverId: string): Approval => approvalOf(world.gate, {}, START_SECONDS, approverId);

  test("only who is on the list, and not whoever makes the call", async () => {
    const world = openWorld({ approvers: [APPROVER, "user-1"] });
    expect(told(await world.dispatch({ approvals: [by(world, "reviewer-2")] }))).toBe("APPROVAL_INVALID");
    expect(told(await world.dispatch({ approvals: [by(world, "user-1")] }))).toBe("APPROVAL_INVALID");
    expect(told(await world.dispatch({ approvals: [by(world, APPROVER)] }))).toBe("OK fresh");
  });
});

describe("an approval ends at the second it says", () => {
  test.each([
    [59, "OK fresh"],
    [60, "APPROVAL_INVALID"],
    [61, "APPROVAL_INVALID"],
  ])("%d seconds later: %s", async (later, expected) => {
    const world = openWorld();
    const approval = rightFor(world);
    world.host.setNow(START_SECONDS + later);
    expect(told(await world.dispatch({ approvals: [approval] }))).toBe(expected);
  });

  test.each([0, 1, LAST_SECOND - 60, LAST_SECOND - 1])("at the second %d of all time", async (now) => {
    const world = openWorld();
    world.host.setNow(now);
    const approval = { ...rightFor(world), expires_at: Math.min(now + 60, LAST_SECOND) };
    expect(told(await world.dispatch({ approvals: [approval] }))).toBe("OK fresh");
  });

  test("at the last second there is, nothing can be valid any more", async () => {
    const world = openWorld();
    world.host.setNow(LAST_SECOND);
    expect(told(await world.dispatch({ approvals: [{ ...rightFor(world), expires_at: LAST_SECOND }] }))).toBe(
      "APPROVAL_INVALID",
    );
  });

  const moments: Readonly<Record<string, (expire: () => void) => Parameters<typeof openWorld>[0]>> = {
    "before the intent is stored": (expire) => ({
      between: troubleWith("recordIntent", 1, (carryOut) => {
        expire();
        return carryOut();
      }),
    }),
    "between intent and start": (expire) => ({
      between: troubleWith("recordIntent", 1, async (carryOut) => {
        const answer = await carryOut();
        expire();
        return answer;
      }),
    }),
    "before the start marker is stored": (expire) => ({
      between: troubleWith("recordStart", 1, (carryOut) => {
        expire();
        return carryOut();
      }),
    }),
  };
  test.each(Object.keys(moments))("%s: it was valid when it was looked at, and nothing is called", async (when) => {
    let expire = (): void => undefined;
    const world = openWorld(
      moments[when]?.(() => {
        expire();
      }),
    );
    expire = () => {
      world.host.setNow(START_SECONDS + 60);
    };
    expect(told(await world.dispatch())).toBe("APPROVAL_INVALID");
    expect(world.service.asked).not.toContain("execute");
    // A new decision about the same call opens it again.
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("while business is looked at: the approval is judged afterwards", async () => {
    const world = openWorld();
    world.service.behaviour.precondition = () => {
      world.host.setNow(START_SECONDS + 60);
      return true;
    };
    expect(told(await world.dispatch())).toBe("APPROVAL_INVALID");
  });

  test("while the tool runs: it has been used", async () => {
    const world = openWorld();
    world.service.behaviour.begin = () => {
      world.host.setNow(START_SECONDS + 60);
    };
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("a clock that goes back does not make it valid again within a call", async () => {
    const world = openWorld({
      between: troubleWith("recordIntent", 1, (carryOut) => {
        world.host.setNow(START_SECONDS - 1_000);
        return carryOut();
      }),
    });
    world.service.behaviour.precondition = () => {
      world.host.setNow(START_SECONDS + 60);
      return true;
    };
    expect(told(await world.dispatch())).toBe("APPROVAL_INVALID");
  });

  test("a clock that breaks while a call runs does not cost the answer", async () => {
    const world = openWorld();
    world.service.behaviour.begin = () => {
      world.host.setNow(Number.NaN);
    };
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("of several valid ones, the one that lasts longest carries the call", async () => {
    let expire = (): void => undefined;
    const world = openWorld({
      between: troubleWith("recordStart", 1, (carryOut) => {
        expire();
        return carryOut();
      }),
    });
    expire = () => {
      world.host.setNow(START_SECONDS + 30);
    };
    const approval = rightFor(world);
    const approvals = [10, 60, 20].map((life) => ({ ...approval, expires_at: START_SECONDS + life }));
    expect(told(await world.dispatch({ approvals }))).toBe("OK fresh");
  });
});

describe("an approval is used once", () => {
  test("three times at once, for one call: one run", async () => {
    const world = openWorld();
    const approvals = [rightFor(world)];
    const answers = await Promise.all([1, 2, 3].map(() => world.dispatch({ approvals })));
    expect(answers.map(told).toSorted()).toEqual(["OK fresh", "OK local_replay", "OK local_replay"]);
    expect(world.service.effects).toBe(1);
  });

  test("it is given back when nothing was begun, until it ends", async () => {
    const world = openWorld();
    const approvals = [rightFor(world)];
    const { begin } = world.service.behaviour;
    world.service.behaviour.begin = () => {
      throw new NotStarted("RATE_LIMIT");
    };
    for (let time = 0; time < 3; time += 1) expect(told(await world.dispatch({ approvals }))).toBe("RATE_LIMIT");
    world.service.behaviour.begin = begin;
    world.host.setNow(START_SECONDS + 60);
    expect(told(await world.dispatch({ approvals }))).toBe("APPROVAL_INVALID");
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test("one for a call that was refused for want of it is taken afterwards", async () => {
    const world = openWorld();
    expect(told(await world.dispatch({ approvals: [] }))).toBe("APPROVAL_REQUIRED");
    expect(told(await world.dispatch({ approvals: [] }))).toBe("APPROVAL_REQUIRED");
    expect(told(await world.dispatch())).toBe("OK fresh");
  });
});

test("a tool that says so lets subjects approve for themselves", async () => {
  const OBJECT = { type: "object", properties: { note: { type: "string" } }, required: ["note"] } as const;
  const tool = defineTool({
    name: "write_note",
    description: "Writes a note.",
    risk: "write",
    inputSchema: OBJECT,
    outputSchema: OBJECT,
    revisions: { inputSchema: "i", outputSchema: "o", effect: "e", handler: "h", producer: "p", policy: "y" },
    sourceLabel: "notes",
    deadlineMs: 100,
    authorize: () => true,
    execute: ({ arguments: { note } }) => ({
      ...{ output: { note }, producerRevision: "p", resourceRevision: null, observedAt: "2026-01-02T03:04:05Z" },
      ...{ requestId: null, receiptId: null },
    }),
    unsafeSelfApproval: true,
    unsafeNoReceipt: true,
  });
  const { host } = openWorld();
  const gate = createGate({ tools: [tool], approvers: [APPROVER], host });
  const by = { ...USER, subject_id: APPROVER };
  expect(told(await gate.dispatch(dispatchRequest(gate, { by }, START_SECONDS)))).toBe("OK fresh");
});
