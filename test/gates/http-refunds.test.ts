import { createServer, type AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openGate } from "../../src/dispatcher/open-gate.ts";
import type { Gate } from "../../src/dispatcher/gate.ts";
import { readGateModule } from "../../src/dispatcher/read-gate-module.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile } from "../../src/scenarios/read.ts";
import { runGateScenarios } from "../scenarios/run-file.ts";
import definition, { type Services } from "../../fixtures/gates/http-refunds/gate.mts";
import { RefundService, type Trouble } from "../../fixtures/gates/http-refunds/refund-service.mts";

const FOLDER = join(import.meta.dirname, "../../fixtures/gates/http-refunds");

describe.each(["table", "xstate"] as const)("the scenarios, stepped by %s", (interpreter) => {
  test("all pass", async () => {
    const module = readGateModule(definition);
    const bytes = readFileSync(join(FOLDER, "scenarios.json"));
    const file = readGateScenarioFile(bytes, offeredNames(module) as OfferedNames);
    const { cases, passed } = await runGateScenarios(file, { module, interpreter });
    expect(
      cases.flatMap(({ id, steps }) => steps.filter((step) => !step.passed).map((step) => ({ id, step }))),
    ).toEqual([]);
    expect(passed).toBe(true);
  });
});

/** A real gate by the system's clock, in front of a real service. */
class Shop {
  readonly service = new RefundService({ "order-7": { owner: "user-1", cents: 5_000 } });
  readonly services: Services = { ordersUrl: "", refundsUrl: "" };
  #gate: Gate | null = null;
  #calls = 0;

  async open(): Promise<this> {
    const url = await this.service.listen();
    Object.assign(this.services, { ordersUrl: url, refundsUrl: url });
    this.#gate = await openGate({ ...definition, resolver: () => this.services });
    return this;
  }

  get gate(): Gate {
    if (this.#gate === null) throw new TypeError("the shop is not open");
    return this.#gate;
  }

  refund(): Promise<ResultPackage> {
    const call = this.#nextCall();
    const approval = this.gate.approve({ ...call, approverId: "reviewer-1", lifeSeconds: 60 });
    return this.gate.dispatch({ ...call, approvals: [approval] });
  }

  ask({ protected_audit: { downstream, binding } }: ResultPackage): Promise<ResultPackage> {
    const { status_ref: statusRef } = downstream;
    if (statusRef === null) throw new TypeError("there is nothing to ask about");
    return this.gate.queryStatus({ ...this.#nextCall(), statusRef, expectedRequestSha256: binding.request_sha256 });
  }

  async close(): Promise<void> {
    await this.gate.close();
    await this.service.close();
  }

  #nextCall() {
    this.#calls += 1;
    return {
      principal: { tenant_id: "tenant-a", subject_id: "user-1", roles: [] },
      proposal: { name: "refund", arguments: { order: "order-7", cents: 1_200 } },
      executionContext: {
        provider: "anthropic",
        api_family: "messages",
        adapter_revision: "anthropic-messages-v1",
        response_id: "turn-1",
        call_id: `call-${this.#calls}`,
        operation_id: "operation-1",
        idempotency_key: "key-1",
      },
    };
  }
}

const said = ({ model_result: { error, execution } }: ResultPackage): string =>
  `${error?.code ?? "OK"} ${execution.delivery}`;

describe("by the system's clock", () => {
  let shop: Shop;

  const open = async (trouble: Trouble | null = null): Promise<Shop> => {
    shop = await new Shop().open();
    shop.service.trouble = trouble;
    return shop;
  };

  afterEach(() => shop.close());

  test("a refund, and its replay", async () => {
    await open();
    expect([said(await shop.refund()), said(await shop.refund()), shop.service.count]).toEqual([
      "OK fresh",
      "OK local_replay",
      1,
    ]);
  });

  test.each<[Trouble, number, string]>([
    ["timeout_after_commit", 1, "OK receipt_reconciled"],
    ["timeout_before_commit", 0, "OUTCOME_UNKNOWN fresh"],
  ])("%s: it waits for its deadline and no longer, then asks by the key", async (trouble, count, answer) => {
    await open(trouble);
    const startedMs = performance.now();
    const lost = await shop.refund();
    const tookMs = performance.now() - startedMs;
    expect(said(lost)).toBe("OUTCOME_UNKNOWN fresh");
    expect(tookMs).toBeGreaterThan(900);
    expect(tookMs).toBeLessThan(5_000);
    shop.service.trouble = null;
    expect(said(await shop.refund())).toBe("OUTCOME_UNKNOWN fresh");
    expect([said(await shop.ask(lost)), shop.service.count]).toEqual([answer, count]);
  });

  test("connection_lost_after_commit: unknown at once, settled by the receipt", async () => {
    await open("connection_lost_after_commit");
    const lost = await shop.refund();
    expect(said(lost)).toBe("OUTCOME_UNKNOWN fresh");
    expect([said(await shop.ask(lost)), said(await shop.refund()), shop.service.count]).toEqual([
      "OK receipt_reconciled",
      "OK local_replay",
      1,
    ]);
  });

  test("a connection that was refused and a 429 are known not to have started, and may be tried again", async () => {
    await open("too_many_requests");
    expect(said(await shop.refund())).toBe("RATE_LIMIT fresh");
    shop.service.trouble = null;
    const { refundsUrl } = shop.services;
    shop.services.refundsUrl = await urlOfNobody();
    expect(said(await shop.refund())).toBe("TOOL_ERROR fresh");
    shop.services.refundsUrl = refundsUrl;
    expect([said(await shop.refund()), shop.service.count]).toEqual(["OK fresh", 1]);
  });

  test("a receipt that belongs to another request is a conflict, not a success", async () => {
    await open("timeout_after_commit");
    const lost = await shop.refund();
    shop.service.trouble = null;
    const { statusRef, url } = { statusRef: lost.protected_audit.downstream.status_ref, url: shop.services.refundsUrl };
    const kept = (await (await fetch(`${url}/refunds/${statusRef}`)).json()) as { binding: object };
    const liar = new RefundService({});
    shop.services.refundsUrl = await liar.listen();
    const binding = { ...kept.binding, request_sha256: "0".repeat(64) };
    await fetch(`${shop.services.refundsUrl}/refunds`, {
      method: "POST",
      headers: { "idempotency-key": String(statusRef) },
      body: JSON.stringify({ ...kept, binding }),
    });
    expect(said(await shop.ask(lost))).toBe("STATUS_CONFLICT fresh");
    await liar.close();
  });
});

/** A port that was free a moment ago. */
async function urlOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}
