import { describe, expect, test } from "vitest";
import { simulatedHost } from "../../src/host/simulated.ts";
import type { Principal } from "../../src/protocol/call.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { FAULTS, type Fault } from "../../src/sample/faults.ts";
import { sampleWorld, type SampleWorld } from "../../src/sample/world.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { ExecuteRequest } from "../../src/tools/definition.ts";

const CUSTOMER: Principal = { tenant_id: "tenant-a", subject_id: "user-1", roles: [] };
const DRAFT = { order_ref: "ORDER-7", reason: "damaged" };

function toolOf({ tools }: SampleWorld, name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  return tool;
}

function requestOf(args: JsonObject, principal: Principal = CUSTOMER, key: string | null = "key-1") {
  const binding = { status_ref: `status-of-${key}` };
  const request = { arguments: args, principal, idempotencyKey: key, binding, signal: new AbortController().signal };
  return request as unknown as ExecuteRequest<JsonObject>;
}

const receiptRequest = (key: string, principal: Principal = CUSTOMER) =>
  ({ principal, idempotencyKey: key, statusRef: "any", signal: new AbortController().signal }) as never;

describe("the tools as the contract lists them", () => {
  test.each([
    [
      "get_order",
      {
        risk: "read",
        sourceLabel: "orders",
        deadlineMs: 500,
        contract: {
          name: "get_order",
          input_schema_revision: "get-order-input-v1",
          output_schema_revision: "get-order-output-v2",
          effect_revision: "read-order-v1",
          handler_revision: "get-order-handler-v2",
          producer_revision: "orders-mock-v2",
          policy_revision: "get-order-policy-v1",
        },
      },
    ],
    [
      "create_refund_draft",
      {
        risk: "write",
        sourceLabel: "refunds",
        deadlineMs: 800,
        contract: {
          name: "create_refund_draft",
          input_schema_revision: "refund-draft-input-v1",
          output_schema_revision: "refund-draft-output-v2",
          effect_revision: "create-refund-draft-v1",
          handler_revision: "refund-draft-handler-v2",
          producer_revision: "refunds-mock-v2",
          policy_revision: "refund-draft-policy-v1",
        },
      },
    ],
  ])("%s", (name, facts) => {
    expect(toolOf(sampleWorld(simulatedHost(0)), name)).toMatchObject(facts);
  });
});

describe("input", () => {
  const world = sampleWorld(simulatedHost(0));
  const read = toolOf(world, "get_order");
  const write = toolOf(world, "create_refund_draft");

  const whiteSpace = [
    ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
    ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
    ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ].map((code) => String.fromCodePoint(code));

  test.each(whiteSpace.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    "U+%s alone is empty, and beside something it is not",
    (_code, character) => {
      expect(read.inputFits({ order_ref: character })).toBe(false);
      expect(read.inputFits({ order_ref: `${character}x${character}` })).toBe(true);
    },
  );

  test("all white space together is still empty", () => {
    expect(read.inputFits({ order_ref: whiteSpace.join("") })).toBe(false);
  });

  // What other lists of white space have, or might be taken for it.
  test.each([0x0, 0x8, 0xe, 0x1b, 0x21, 0x84, 0x86, 0x180e, 0x200b, 0x200c, 0x2060, 0xfeff, 0x1f600])(
    "code point %i is something",
    (code) => {
      expect(read.inputFits({ order_ref: String.fromCodePoint(code) })).toBe(true);
    },
  );

  test.each<[string, Tool, unknown, boolean]>([
    ["64 code points", read, { order_ref: "\u{1f600}".repeat(64) }, true],
    ["65 code points", read, { order_ref: "\u{1f600}".repeat(65) }, false],
    ["65 with white space around", read, { order_ref: ` ${"x".repeat(63)} ` }, false],
    ["empty", read, { order_ref: "" }, false],
    ["missing", read, {}, false],
    ["extra", read, { order_ref: "ORDER-7", extra: null }, false],
    ["number", read, { order_ref: 7 }, false],
    ["a list", read, ["ORDER-7"], false],
    ["null", read, null, false],
    ["every member", write, DRAFT, true],
    ["no reason", write, { order_ref: "ORDER-7" }, false],
    ["another reason", write, { ...DRAFT, reason: "Damaged" }, false],
    ["extra beside a draft", write, { ...DRAFT, amount: 1 }, false],
  ])("%s", (_name, tool, input, fits) => {
    expect(tool.inputFits(input as never)).toBe(fits);
  });
});

describe("output", () => {
  const world = sampleWorld(simulatedHost(0));
  const draft = { draft_id: "DRAFT-1", ...DRAFT };
  const BYTES_224 = "\u{1f600}".repeat(56);
  // A control character takes one character of the reference, and six bytes.
  const draftOf = (bytes: number) => {
    const room = bytes - JSON.stringify({ ...draft, order_ref: "" }).length;
    return { ...draft, order_ref: "\u0001".repeat(Math.floor(room / 6)) + "x".repeat(room % 6) };
  };

  test.each<[string, string, unknown, JsonObject, boolean]>([
    ["an order", "get_order", { order_ref: "ORDER-7", status: "paid" }, { order_ref: "ORDER-7" }, true],
    ["pending", "get_order", { order_ref: "ORDER-7", status: "pending" }, { order_ref: "ORDER-7" }, true],
    ["refunded", "get_order", { order_ref: "ORDER-7", status: "refunded" }, { order_ref: "ORDER-7" }, true],
    ["another status", "get_order", { order_ref: "ORDER-7", status: "lost" }, { order_ref: "ORDER-7" }, false],
    ["another order", "get_order", { order_ref: "ORDER-8", status: "paid" }, { order_ref: "ORDER-7" }, false],
    ["an extra member", "get_order", { order_ref: "A", status: "paid", total: 1 }, { order_ref: "A" }, false],
    ["256 bytes", "get_order", { order_ref: BYTES_224, status: "paid" }, { order_ref: BYTES_224 }, true],
    ["257 bytes", "get_order", { order_ref: `${BYTES_224}x`, status: "paid" }, { order_ref: `${BYTES_224}x` }, false],
    ["a draft", "create_refund_draft", draft, DRAFT, true],
    ["draft zero", "create_refund_draft", { ...draft, draft_id: "DRAFT-0" }, DRAFT, false],
    ["draft with a line end", "create_refund_draft", { ...draft, draft_id: "DRAFT-1\n" }, DRAFT, false],
    ["64 characters", "create_refund_draft", { ...draft, draft_id: `DRAFT-${"1".repeat(58)}` }, DRAFT, true],
    ["65 characters", "create_refund_draft", { ...draft, draft_id: `DRAFT-${"1".repeat(59)}` }, DRAFT, false],
    ["another reason", "create_refund_draft", { ...draft, reason: "other" }, DRAFT, false],
    ["384 bytes", "create_refund_draft", draftOf(384), { ...DRAFT, order_ref: draftOf(384).order_ref }, true],
    ["385 bytes", "create_refund_draft", draftOf(385), { ...DRAFT, order_ref: draftOf(385).order_ref }, false],
  ])("%s", (_name, tool, output, args, fits) => {
    expect(toolOf(world, tool).outputFits(output as never, args)).toBe(fits);
  });
});

describe("access", () => {
  const world = sampleWorld(simulatedHost(0));
  const may = (principal: Principal, order: string): boolean[] =>
    world.tools.map((tool) => tool.authorize(requestOf({ order_ref: order }, principal)) === true);

  test.each<[string, Principal, string, boolean]>([
    ["own", CUSTOMER, "ORDER-7", true],
    ["another customer's", CUSTOMER, "ORDER-8", false],
    ["namesake's in another tenant", CUSTOMER, "ORDER-9", false],
    ["absent", CUSTOMER, "ORDER-1", false],
    ["member of every object", CUSTOMER, "constructor", false],
    ["another customer's, as support", { ...CUSTOMER, roles: ["support_admin"] }, "ORDER-8", true],
    ["another tenant's, as support", { ...CUSTOMER, roles: ["support_admin"] }, "ORDER-9", false],
    ["absent, as support", { ...CUSTOMER, roles: ["support_admin"] }, "ORDER-1", false],
    ["another customer's, with another role", { ...CUSTOMER, roles: ["support"] }, "ORDER-8", false],
  ])("%s order", (_name, principal, order, granted) => {
    expect(may(principal, order)).toEqual([granted, granted]);
  });
});

describe("what the tools do", () => {
  test("a read repeats the order as it is now", async () => {
    const world = sampleWorld(simulatedHost(0));
    const answer = {
      output: { order_ref: "ORDER-7", status: "paid" },
      producerRevision: "orders-mock-v2",
      resourceRevision: "order-7-r3",
      observedAt: "2026-07-19T00:00:00Z",
      requestId: "orders-request-1",
      receiptId: null,
    };
    const tool = toolOf(world, "get_order");
    expect(await tool.execute(requestOf({ order_ref: "ORDER-7" }))).toEqual(answer);
    expect(await tool.execute(requestOf({ order_ref: "ORDER-7" }))).toEqual(answer);
  });

  test("a write counts over all principals, and leaves its binding with the receipt", async () => {
    const world = sampleWorld(simulatedHost(0));
    const tool = toolOf(world, "create_refund_draft");
    const other = { ...CUSTOMER, subject_id: "user-2" };
    const first = requestOf(DRAFT, CUSTOMER, "key-1");
    const second = requestOf({ order_ref: "ORDER-8", reason: "other" }, other, "key-1");
    const answers = [await tool.execute(first), await tool.execute(second)];
    expect(answers).toEqual([
      {
        output: { draft_id: "DRAFT-1", ...DRAFT },
        producerRevision: "refunds-mock-v2",
        resourceRevision: "draft-1-r1",
        observedAt: "2026-07-19T00:00:00Z",
        requestId: "refund-request-1",
        receiptId: "refund-receipt-1",
      },
      expect.objectContaining({ resourceRevision: "draft-2-r1", receiptId: "refund-receipt-2" }),
    ]);
    expect(world.sideEffectCount).toBe(2);
    expect(await tool.queryReceipt?.(receiptRequest("key-1"))).toEqual({
      ...(answers[0] as object),
      binding: first.binding,
    });
    expect(await tool.queryReceipt?.(receiptRequest("key-1", other))).toMatchObject({ receiptId: "refund-receipt-2" });
    expect(await tool.queryReceipt?.(receiptRequest("key-2"))).toBeNull();
  });

  test("nothing is shared between two worlds", async () => {
    const [one, two] = [sampleWorld(simulatedHost(0)), sampleWorld(simulatedHost(0))];
    await toolOf(one, "create_refund_draft").execute(requestOf(DRAFT));
    one.orders.delete("ORDER-7");
    expect([one.sideEffectCount, two.sideEffectCount, two.orders.has("ORDER-7")]).toEqual([1, 0, true]);
    expect(await toolOf(two, "create_refund_draft").queryReceipt?.(receiptRequest("key-1"))).toBeNull();
  });

  test.each([
    ["paid", true],
    ["pending", false],
    ["refunded", false],
  ] as const)("an order that is %s: a draft is permitted: %s", (status, permitted) => {
    const world = sampleWorld(simulatedHost(0));
    const order = world.orders.get("ORDER-7");
    if (order !== undefined) world.orders.set("ORDER-7", { ...order, status });
    expect(toolOf(world, "create_refund_draft").precondition?.(requestOf(DRAFT))).toBe(permitted);
    expect(toolOf(world, "get_order").precondition).toBeNull();
  });
});

describe("faults", () => {
  const NOT_BEGUN: readonly [Fault, string][] = [
    ["timeout_before_execute", "TIMEOUT_BEFORE_EXECUTE"],
    ["rate_limit", "RATE_LIMIT"],
    ["tool_error", "TOOL_ERROR"],
  ];

  test.each(NOT_BEGUN)("%s: neither tool begins, and both say so", (fault, code) => {
    const world = sampleWorld(simulatedHost(0));
    world.faults.arm(fault);
    for (const tool of world.tools) {
      expect(() => tool.execute(requestOf(DRAFT))).toThrow(expect.objectContaining({ name: "NotStarted", code }));
    }
    expect(world.sideEffectCount).toBe(0);
    world.faults.disarm();
    expect(() => toolOf(world, "create_refund_draft").execute(requestOf(DRAFT))).not.toThrow();
  });

  test.each([
    ["timeout_after_commit", true],
    ["timeout_after_commit_receipt_unavailable", false],
  ] as const)("%s: it commits, time passes, no answer comes; a receipt is kept: %s", async (fault, isKept) => {
    const host = simulatedHost(0);
    const world = sampleWorld(host);
    const tool = toolOf(world, "create_refund_draft");
    world.faults.arm(fault);
    let answered = false;
    void Promise.resolve(tool.execute(requestOf(DRAFT))).finally(() => {
      answered = true;
    });
    expect(host.monotonicMs()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect([host.monotonicMs(), answered, world.sideEffectCount]).toEqual([tool.deadlineMs, false, 1]);
    expect((await tool.queryReceipt?.(receiptRequest("key-1"))) !== null).toBe(isKept);
  });

  test.each(FAULTS)("%s: whether it is a time-out after commit that met a read", (fault) => {
    const { tools, faults } = sampleWorld(simulatedHost(0));
    faults.arm(fault);
    expect(faults.reachedRead).toBe(false);
    try {
      void tools[0]?.execute(requestOf({ order_ref: "ORDER-7" }));
    } catch {
      // It did not begin.
    }
    faults.disarm();
    expect(faults.reachedRead).toBe(fault.startsWith("timeout_after_commit"));
    faults.arm("none");
    expect(faults.reachedRead).toBe(false);
  });
});
