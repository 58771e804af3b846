import { describe, expect, test } from "vitest";
import { callFingerprint } from "../../src/json/digests.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { loseAnswer, openWorld, told, USER, type CallSketch, type World } from "./world.ts";

const other: CallSketch = { key: "key-9", input: { note: "bread" } };

describe("which ends bind the identity of a call", () => {
  const ends: readonly (readonly [string, boolean, (world: World) => Promise<unknown>])[] = [
    ["UNKNOWN_TOOL", false, (world) => world.dispatch({ tool: "burn_note" })],
    ["INVALID_ARGUMENTS", false, (world) => world.dispatch({ input: { note: 7 } })],
    ["INVALID_ARGUMENTS", false, (world) => world.query({ id: "call-1", input: [] })],
    ["UNKNOWN_TOOL", false, (world) => world.query({ id: "call-1", tool: "burn_note" })],
    [
      "NOT_FOUND",
      true,
      (world) => {
        world.service.behaviour.authorize = () => false;
        return world.dispatch();
      },
    ],
    ["IDEMPOTENCY_KEY_REQUIRED", true, (world) => world.dispatch({ key: null })],
    [
      "IDEMPOTENCY_CONFLICT",
      true,
      async (world) => {
        await world.dispatch({ id: "call-0", input: { note: "beer" } });
        return world.dispatch();
      },
    ],
    [
      "BUSINESS_RULE_VIOLATION",
      true,
      (world) => {
        world.service.behaviour.precondition = () => false;
        return world.dispatch();
      },
    ],
    ["APPROVAL_REQUIRED", true, (world) => world.dispatch({ approvals: [] })],
    ["APPROVAL_INVALID", true, (world) => world.dispatch({ approvals: [null] })],
    [
      "RATE_LIMIT",
      true,
      (world) => {
        world.service.behaviour.begin = () => {
          throw new NotStarted("RATE_LIMIT");
        };
        return world.dispatch();
      },
    ],
    ["OUTCOME_UNKNOWN", true, (world) => loseAnswer(world)],
    ["OK fresh", true, (world) => world.dispatch()],
    [
      "OK local_replay",
      true,
      async (world) => {
        await world.dispatch({ id: "call-0" });
        return world.dispatch();
      },
    ],
    ["OK fresh", true, (world) => world.dispatch({ tool: "read_note", key: null })],
    ["NOT_FOUND", true, (world) => world.query({ id: "call-1", about: `status_${"0".repeat(32)}` })],
  ];

  test.each(ends)("%s: %s", async (tells, binds, end) => {
    const world = openWorld();
    expect(told((await end(world)) as never)).toBe(tells);
    Object.assign(world.service.behaviour, openWorld().service.behaviour);
    expect(told(await world.dispatch(other))).toBe(binds ? "CALL_ID_CONFLICT" : "OK fresh");
  });
});

describe("what a bound identity stands for", () => {
  const changes: Readonly<Record<string, CallSketch>> = {
    "another request": { input: { note: "bread" } },
    "another tool": { tool: "read_note" },
    "another key": { key: "key-2" },
    "no key": { key: null },
    "another operation": { context: { operation_id: "operation-2" } },
  };
  test.each(Object.keys(changes))("%s is a conflict, for ever", async (what) => {
    const world = openWorld();
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(told(await world.dispatch(changes[what]))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.dispatch(changes[what]))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.dispatch())).toBe("OK local_replay");
  });

  const apart: Readonly<Record<string, CallSketch>> = {
    "another call id": { id: "call-2" },
    "another response": { context: { response_id: "response-2" } },
    "another provider": { context: PROFILES[1] },
    "another subject": { by: { ...USER, subject_id: "user-2" } },
    "another tenant": { by: { ...USER, tenant_id: "tenant-b" } },
  };
  test.each(Object.keys(apart))("%s is another identity", async (what) => {
    const world = openWorld();
    world.service.behaviour.authorize = () => true;
    await world.dispatch({ key: "key-1" });
    expect(told(await world.dispatch({ ...apart[what], key: "key-2", input: { note: "bread" } }))).toBe("OK fresh");
  });

  test("roles are no part of it", async () => {
    const world = openWorld();
    await world.dispatch();
    expect(told(await world.dispatch({ by: { ...USER, roles: ["auditor"] } }))).toBe("OK local_replay");
  });

  test("one bound for a query can never dispatch, nor the other way round", async () => {
    const world = openWorld();
    await loseAnswer(world);
    expect(told(await world.query({ id: "shared" }))).toBe("OK receipt_reconciled");
    expect(told(await world.dispatch({ id: "shared" }))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.query({ id: "call-1" }))).toBe("CALL_ID_CONFLICT");
    expect(told(await world.query({ id: "shared" }))).toBe("OK receipt_reconciled");
  });
});

test.each([
  ["dispatch", (world: World) => world.dispatch()],
  ["query_status", (world: World) => world.query({ id: "call-1" })],
] as const)("an identity is journalled for its purpose, %s", async (purpose, ask) => {
  const world = openWorld();
  const { binding } = (await ask(world)).protected_audit;
  const [entry] = await world.ledger.journal(world.notices[0]?.run as AttemptId);
  const context = {
    ...PROFILES[0],
    ...{ response_id: "response-1", call_id: "call-1", operation_id: "operation-1", idempotency_key: "key-1" },
  };
  expect(entry?.text).toContain(`"fingerprint":"${callFingerprint(context, purpose, binding.request_sha256)}"`);
});
