import { describe, expect, test } from "vitest";
import type { InterpreterName } from "../../src/protocol/interpreter.ts";
import { sampleWorld, type SampleWorld } from "../../src/sample/world.ts";
import { readScenarioFile } from "../../src/scenarios/read.ts";
import type { ScenarioReport, StepReport } from "../../src/scenarios/report.ts";
import type { RunOptions } from "../../src/scenarios/run.ts";
import { runScenarios } from "./run-file.ts";
import { bytesOf, editedDocument, valueAt } from "./sample-document.ts";

const STEPS = "/cases/0/steps";
const DRAFT = `${STEPS}/0`;
const ASK = `${STEPS}/1`;
const READ = { name: "get_order", arguments: { order_ref: "ORDER-7" } };
const NOBODYS = { name: "nobodys_tool", arguments: {} };

const OTHER_KEY = {
  execution_context: { ...(valueAt(`${ASK}/execution_context`) as object), idempotency_key: "key-2" },
};

const UNTIL_RUNNING = [
  "proposed",
  "bound",
  "identified",
  "authorized",
  "unclaimed",
  "permitted",
  "approved",
  "executing",
];

type Edits = Readonly<Record<string, unknown>>;

function run(edits: Edits, options: Partial<RunOptions> = {}): Promise<ScenarioReport> {
  const file = readScenarioFile(bytesOf(editedDocument(edits)));
  return runScenarios(file, { openWorld: sampleWorld, ...options });
}

async function stepsOf(edits: Edits): Promise<readonly StepReport[]> {
  return (await run(edits)).cases[0]?.steps ?? [];
}

describe.each<InterpreterName>(["table", "xstate"])("a report, stepped by %s", (interpreter) => {
  test("says what every step came to", async () => {
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const common = {
      passed: true,
      side_effect_count: 1,
      digests: { request_sha256: digest, result_sha256: digest, call_binding_sha256: digest },
      validation_errors: [],
      diagnostics: [],
      failure: null,
    };
    expect(await run({}, { interpreter })).toEqual({
      passed: true,
      case_count: 1,
      step_count: 2,
      cases: [
        {
          id: "lost-then-asked",
          passed: true,
          steps: [
            {
              ...common,
              step_id: "draft",
              diagnostics: [
                {
                  subject: "execute",
                  problems: [
                    {
                      at: "",
                      problem: "it had not answered when the deadline of the call passed",
                      remedy: "raise `deadlineMs`, or answer sooner",
                    },
                  ],
                },
              ],
              actual_code: "OUTCOME_UNKNOWN",
              status: "unknown",
              outcome: "unknown",
              recovery: "query_status",
              delivery: "fresh",
              data: null,
              lifecycle: [...UNTIL_RUNNING, "unknown"],
              owner_lifecycle: null,
            },
            {
              ...common,
              step_id: "ask",
              actual_code: "OK",
              status: "succeeded",
              outcome: "committed",
              recovery: "none",
              delivery: "receipt_reconciled",
              data: { draft_id: "DRAFT-1", order_ref: "ORDER-7", reason: "other" },
              lifecycle: ["proposed", "bound", "identified", "authorized", "asking", "answered"],
              owner_lifecycle: [...UNTIL_RUNNING, "unknown", "querying", "receipt_reconciled"],
            },
          ],
        },
      ],
    });
  });
});

describe("worlds", () => {
  test("every case has a fresh one, behind a fresh gate", async () => {
    const report = await run({ "/cases/1": { ...(valueAt("/cases/0") as object), id: "once more" } });
    expect(report).toMatchObject({ passed: true, case_count: 2, step_count: 4 });
  });

  test("steps of a case share theirs", async () => {
    const again = { ...(valueAt(DRAFT) as object), step_id: "again", failure: "none" };
    const steps = await stepsOf({ [`${STEPS}/2`]: again });
    // The same call again: what is settled is repeated, and nothing runs.
    expect(steps[2]).toMatchObject({ actual_code: "OK", delivery: "local_replay", side_effect_count: 1 });
  });

  test("a fault is taken back after the step that did not meet a tool", async () => {
    const foreign = { name: "get_order", arguments: { order_ref: "ORDER-8" } };
    const read = {
      ...(valueAt(ASK) as object),
      action: "dispatch",
      step_id: "read",
      proposal: READ,
      status_ref_from: null,
    };
    const steps = await stepsOf({ [`${DRAFT}/proposal`]: foreign, [`${DRAFT}/approval`]: "none", [ASK]: read });
    expect(steps.map(({ actual_code }) => actual_code)).toEqual(["NOT_FOUND", "OK"]);
  });

  test("nothing is left armed behind the last step", async () => {
    const worlds: SampleWorld[] = [];
    const openWorld: RunOptions["openWorld"] = (clock) => {
      const world = sampleWorld(clock);
      worlds.push(world);
      return world;
    };
    const unmet = { ...(valueAt(DRAFT) as object), approval: "none", failure: "rate_limit" };
    const file = readScenarioFile(bytesOf(editedDocument({ [STEPS]: [unmet] })));
    await runScenarios(file, { openWorld });
    const read = worlds[0]?.tools[0];
    expect(() => read?.execute({ arguments: READ.arguments } as never)).not.toThrow();
  });

  test("the clock stands at the step's own time", async () => {
    // Expired a second before now: on a clock that stood anywhere earlier it would still be good.
    const steps = await stepsOf({
      [`${DRAFT}/now`]: 0,
      [`${DRAFT}/failure`]: "none",
      [ASK]: {
        ...(valueAt(DRAFT) as object),
        step_id: "late",
        approval: "expired",
        now: 253_402_300_739,
        ...OTHER_KEY,
      },
    });
    expect(steps.map(({ actual_code }) => actual_code)).toEqual(["OK", "APPROVAL_INVALID"]);
  });
});

describe("a step that does not come to what is expected", () => {
  test.each<[string, Edits, object]>([
    [
      "another code",
      { [`${DRAFT}/expected/code`]: "APPROVAL_REQUIRED" },
      {
        differences: [{ member: "code", expected: "APPROVAL_REQUIRED", received: "OUTCOME_UNKNOWN" }],
        // An approval was there: from `approved` on, none can be missing; but a waiter may be sent back from there.
        lost_in: "executing",
      },
    ],
    [
      "a code that is out of reach early",
      { [`${DRAFT}/expected/code`]: "UNKNOWN_TOOL" },
      { differences: [{ member: "code", expected: "UNKNOWN_TOOL", received: "OUTCOME_UNKNOWN" }], lost_in: "bound" },
    ],
    [
      "a code and delivery that no state has",
      { [`${DRAFT}/expected/delivery`]: "local_replay" },
      { differences: [{ member: "delivery", expected: "local_replay", received: "fresh" }], lost_in: "proposed" },
    ],
    [
      "an answer that the last state may still come to",
      { [`${DRAFT}/expected/code`]: "OK", [`${DRAFT}/expected/delivery`]: "receipt_reconciled" },
      {
        differences: [
          { member: "code", expected: "OK", received: "OUTCOME_UNKNOWN" },
          { member: "delivery", expected: "receipt_reconciled", received: "fresh" },
        ],
        lost_in: null,
      },
    ],
    [
      "another end of the same state",
      { [`${DRAFT}/expected/code`]: "OUTPUT_CONTRACT_VIOLATION" },
      {
        differences: [{ member: "code", expected: "OUTPUT_CONTRACT_VIOLATION", received: "OUTCOME_UNKNOWN" }],
        lost_in: "unknown",
      },
    ],
    [
      "another status",
      { [`${DRAFT}/expected/status`]: "failed" },
      { differences: [{ member: "status", expected: "failed", received: "unknown" }], lost_in: null },
    ],
    [
      "another outcome",
      { [`${DRAFT}/expected/outcome`]: "committed" },
      { differences: [{ member: "outcome", expected: "committed", received: "unknown" }], lost_in: null },
    ],
    [
      "another recovery",
      { [`${DRAFT}/expected/recovery`]: "none" },
      { differences: [{ member: "recovery", expected: "none", received: "query_status" }], lost_in: null },
    ],
    [
      "data where there is none",
      { [`${DRAFT}/expected/data`]: {} },
      { differences: [{ member: "data", expected: {}, received: null }], lost_in: null },
    ],
    [
      "another count",
      { [`${DRAFT}/expected/side_effect_count`]: 0 },
      { differences: [{ member: "side_effect_count", expected: 0, received: 1 }], lost_in: null },
    ],
  ])("%s: the difference and the state from which it was out of reach", async (_name, edits, failure) => {
    const report = await run(edits);
    const [draft, ask] = report.cases[0]?.steps ?? [];
    expect([report.passed, report.cases[0]?.passed, draft?.passed, ask?.passed]).toEqual([false, false, false, true]);
    expect(draft?.failure).toMatchObject(failure);
    // The step starts where its first member is preceded by a brace.
    const lines = new TextDecoder().decode(bytesOf(editedDocument(edits))).split("\n");
    expect(lines[draft?.failure?.place.line ?? 0]).toContain('"step_id": "draft"');
  });

  test("a query is looked up in the machine of queries", async () => {
    const steps = await stepsOf({ [`${ASK}/expected/code`]: "UNKNOWN_TOOL", [`${ASK}/expected/delivery`]: "fresh" });
    expect(steps[1]?.failure?.lost_in).toBe("bound");
  });

  test("data are compared by value, whatever the order of their members", async () => {
    const data = { reason: "other", order_ref: "ORDER-7", draft_id: "DRAFT-1" };
    expect((await stepsOf({ [`${ASK}/expected/data`]: data }))[1]?.passed).toBe(true);
    const other = await stepsOf({ [`${ASK}/expected/data`]: { ...data, draft_id: "DRAFT-2" } });
    expect(other[1]?.failure?.differences.map(({ member }) => member)).toEqual(["data"]);
  });
});

describe("refused while running, without a report", () => {
  test.each<[string, Edits, string, string]>([
    [
      "an approval for a tool that nobody registered",
      { [`${DRAFT}/proposal`]: NOBODYS, [`${DRAFT}/failure`]: "none" },
      "SCENARIO_APPROVAL_UNREGISTERED",
      `${DRAFT}/approval`,
    ],
    [
      "a time-out after commit that reaches a read",
      { [`${DRAFT}/proposal`]: READ },
      "SCENARIO_FAULT_ON_READ",
      `${DRAFT}/failure`,
    ],
    [
      "the same without a receipt",
      { [`${DRAFT}/proposal`]: READ, [`${DRAFT}/failure`]: "timeout_after_commit_receipt_unavailable" },
      "SCENARIO_FAULT_ON_READ",
      `${DRAFT}/failure`,
    ],
    [
      "a query whose source has no status_ref",
      { [`${DRAFT}/approval`]: "none" },
      "SCENARIO_NO_STATUS_REF",
      `${ASK}/status_ref_from`,
    ],
    [
      "a query of a tool that nobody registered",
      { [`${ASK}/proposal`]: NOBODYS },
      "SCENARIO_QUERY_UNREGISTERED",
      `${ASK}/proposal/name`,
    ],
  ])("%s", async (_name, edits, code, at) => {
    await expect(run(edits)).rejects.toMatchObject({
      code,
      at,
      detail: expect.stringMatching(/^on line \d+$/) as string,
    });
  });
});
