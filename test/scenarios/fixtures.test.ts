import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { InterpreterName } from "../../src/protocol/interpreter.ts";
import { REFUSAL_CODES } from "../../src/errors/refusals.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { readScenarioFile, type ScenarioFile } from "../../src/scenarios/read.ts";
import type { ScenarioReport } from "../../src/scenarios/report.ts";
import { runScenarios } from "./run-file.ts";
import { sharedFolder } from "../json/shared-folder.ts";
import { bytesOf, editedDocument } from "./sample-document.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures");
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const INTERPRETERS: readonly InterpreterName[] = ["table", "xstate"];
const read = (name: string): ScenarioFile => readScenarioFile(readFileSync(join(FOLDER, name)));

/** What is not as it should be, for a message that says so. */
const failuresIn = ({ cases }: ScenarioReport): readonly unknown[] =>
  cases.flatMap(({ id, steps }) =>
    steps
      .filter(({ passed }) => !passed)
      .map(({ step_id, failure, validation_errors }) => ({ id, step_id, failure, validation_errors })),
  );

describe.each(INTERPRETERS)("the sample scenarios, stepped by %s", (interpreter) => {
  test.each(NAMES)("%s", async (name) => {
    const report = await runScenarios(read(name), { openWorld: sampleWorld, interpreter });
    expect(failuresIn(report)).toEqual([]);
    expect(report.passed).toBe(true);
  });
});

describe("what the sample scenarios cover", () => {
  const steps = NAMES.flatMap((name) => read(name).document.cases.flatMap((scenario) => scenario.steps));

  test("tool-cases.json has 18 cases and 23 steps", () => {
    const { cases } = read("tool-cases.json").document;
    expect([cases.length, cases.reduce((count, scenario) => count + scenario.steps.length, 0)]).toEqual([18, 23]);
  });

  test("every code that a scenario can reach", () => {
    // The sample tools keep their output contract and their orders stay paid: no scenario can make them do otherwise.
    const outOfReach = ["OUTPUT_CONTRACT_VIOLATION", "BUSINESS_RULE_VIOLATION"];
    const reached = new Set(steps.map(({ expected }) => expected.code));
    expect(REFUSAL_CODES.filter((code) => !reached.has(code)).toSorted()).toEqual(outOfReach.toSorted());
    expect(reached).toContain("OK");
  });

  test.each([
    ["action", 2],
    ["approval", 4],
    ["failure", 6],
  ] as const)("every %s", (member, count) => {
    expect(new Set(steps.map((step) => step[member])).size).toBe(count);
  });

  test("every delivery and every provider", () => {
    expect(new Set(steps.map(({ expected }) => expected.delivery)).size).toBe(3);
    expect(new Set(steps.map(({ execution_context }) => execution_context.provider)).size).toBe(3);
  });
});

const INTEROP = sharedFolder("interop");
const interop = (name: string): Uint8Array => readFileSync(join(INTEROP ?? "", name));

describe.skipIf(INTEROP === null)("the scenarios of the other implementation", () => {
  test.each(INTERPRETERS)("run unchanged, stepped by %s", async (interpreter) => {
    const report = await runScenarios(readScenarioFile(interop("tool-cases.json")), {
      openWorld: sampleWorld,
      interpreter,
    });
    expect(failuresIn(report)).toEqual([]);
    expect(report).toMatchObject({ passed: true, case_count: 18, step_count: 23 });
  });
});

interface PersistentCase {
  readonly principal: object;
  readonly proposal: { readonly arguments: object };
  readonly execution_context: { readonly call_id: string };
  readonly approval_mode: string;
  readonly now: number;
}

/** A scenario of one input: run, lost after the commit, dispatched again, asked about, and repeated. */
function scenarioOf({ principal, proposal, execution_context, approval_mode, now }: PersistentCase): ScenarioFile {
  const data = { draft_id: "DRAFT-1", ...proposal.arguments };
  const unknown = { code: "OUTCOME_UNKNOWN", status: "unknown", outcome: "unknown", recovery: "query_status" };
  const success = { code: "OK", status: "succeeded", outcome: "committed", recovery: "none", data };
  const common = { action: "dispatch", proposal, approval: "none", now, failure: "none", status_ref_from: null };
  const step = (step_id: string, expected: object, more: object = {}) => ({
    ...common,
    step_id,
    execution_context: { ...execution_context, call_id: `${execution_context.call_id}-${step_id}` },
    expected: { delivery: "fresh", data: null, side_effect_count: 1, ...expected },
    ...more,
  });
  const steps = [
    step("run", unknown, { approval: approval_mode, failure: "timeout_after_commit" }),
    step("again", unknown),
    step("ask", { ...success, delivery: "receipt_reconciled" }, { action: "query_status", status_ref_from: "run" }),
    step("repeat", { ...success, delivery: "local_replay" }),
  ];
  return readScenarioFile(bytesOf(editedDocument({ "/cases/0/principal": principal, "/cases/0/steps": steps })));
}

describe("one input, through everything that can become of it", () => {
  const own: PersistentCase = {
    principal: { tenant_id: "tenant-b", subject_id: "user-1", roles: [] },
    proposal: { name: "create_refund_draft", arguments: { order_ref: "ORDER-9", reason: "damaged" } } as never,
    execution_context: {
      provider: "google",
      api_family: "interactions",
      response_id: "turn-durable",
      call_id: "call-durable",
      operation_id: "operation-durable",
      idempotency_key: "refund-durable",
      adapter_revision: "gemini-interactions-v1",
    } as never,
    approval_mode: "valid",
    now: 253_402_300_739,
  };

  test("an own one", async () => {
    expect(failuresIn(await runScenarios(scenarioOf(own), { openWorld: sampleWorld }))).toEqual([]);
  });

  test.skipIf(INTEROP === null)("that of the other implementation", async () => {
    const given = JSON.parse(new TextDecoder().decode(interop("persistence-case.json"))) as PersistentCase;
    expect(failuresIn(await runScenarios(scenarioOf(given), { openWorld: sampleWorld }))).toEqual([]);
  });
});
