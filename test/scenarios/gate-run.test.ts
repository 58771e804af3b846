import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { WorldOpening } from "../../src/dispatcher/gate-module.ts";
import type { ReadGateModule } from "../../src/dispatcher/read-gate-module.ts";
import { offeredNames, type OfferedNames } from "../../src/scenarios/read-gate-case.ts";
import { readGateScenarioFile } from "../../src/scenarios/read.ts";
import type { ScenarioReport, StepReport } from "../../src/scenarios/report.ts";
import { gateCases, type GateRunOptions } from "../../src/scenarios/run.ts";
import { counterGate, gateDocumentWith, gateStep, moduleOf, NOT_FOUND, type Counters } from "./gate-document.ts";
import { runGateScenarios } from "./run-file.ts";
import { bytesOf } from "./sample-document.ts";

type Edits = Readonly<Record<string, unknown>>;

const STEPS = "/cases/0/steps";
const STEP = `${STEPS}/0`;

function run(edits: Edits, module: ReadGateModule, options: Partial<GateRunOptions> = {}): Promise<ScenarioReport> {
  const file = readGateScenarioFile(bytesOf(gateDocumentWith(edits)), offeredNames(module) as OfferedNames);
  return runGateScenarios(file, { module, ...options });
}

async function stepsOf(edits: Edits): Promise<readonly StepReport[]> {
  return (await run(edits, moduleOf(counterGate()))).cases[0]?.steps ?? [];
}

const TOOL_ERROR = {
  code: "TOOL_ERROR",
  status: "failed",
  outcome: "not_started",
  recovery: "human_review",
  delivery: "fresh",
  data: null,
  side_effects: 0,
};

describe.each(["table", "xstate"] as const)("a report, stepped by %s", (interpreter) => {
  test("has the members of every report", async () => {
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const report = await run({}, moduleOf(counterGate()), { interpreter });
    expect(report).toEqual({
      passed: true,
      case_count: 1,
      step_count: 1,
      cases: [
        {
          id: "counted",
          passed: true,
          steps: [
            {
              step_id: "first",
              passed: true,
              actual_code: "OK",
              status: "succeeded",
              outcome: "committed",
              recovery: "none",
              delivery: "fresh",
              data: { value: 5 },
              side_effect_count: 1,
              lifecycle: [
                ...["proposed", "bound", "identified", "authorized"],
                ...["unclaimed", "permitted", "approved", "executing", "fresh"],
              ],
              owner_lifecycle: null,
              digests: { request_sha256: digest, result_sha256: digest, call_binding_sha256: digest },
              validation_errors: [],
              diagnostics: [],
              failure: null,
            },
          ],
        },
      ],
    });
  });
});

describe("worlds", () => {
  test("every case opens one, with its parameters, and closes it", async () => {
    const opened: Counters[] = [];
    const other = { ...(gateDocumentWith({}) as { cases: object[] }).cases[0], id: "other" };
    const report = await run({ "/cases/1": other }, moduleOf(counterGate(opened)));
    expect(report).toMatchObject({ passed: true, case_count: 2 });
    expect(opened.map(({ start, isClosed }) => [start, isClosed])).toEqual([
      [4, true],
      [4, true],
    ]);
  });

  test("a world is closed as well when its case cannot be run to the end", async () => {
    const opened: Counters[] = [];
    const ask = gateStep("ask", { action: "query_status", approval: "none", status_ref_from: "first" });
    const edits = { [`${STEP}/proposal/name`]: "nobodys", [`${STEP}/approval`]: "none", [`${STEPS}/1`]: ask };
    await expect(run(edits, moduleOf(counterGate(opened)))).rejects.toMatchObject({ code: "SCENARIO_NO_STATUS_REF" });
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  test("time passes before a step by as much as it says", async () => {
    const opened: Counters[] = [];
    await run({ [`${STEP}/advance_ms`]: 250 }, moduleOf(counterGate(opened)));
    expect(opened[0]?.clock.monotonicMs()).toBe(250);
    expect(opened[0]?.clock.now()).toBe(1_000);
  });
});

describe("faults", () => {
  test.each([
    ["down", "OK"],
    ["down_for_good", "TOOL_ERROR"],
  ])("%s: the step after it comes to %s", async (fault, code) => {
    const next = gateStep("next");
    const steps = await stepsOf({
      [`${STEP}/faults`]: [fault],
      [`${STEP}/expected`]: TOOL_ERROR,
      [`${STEPS}/1`]: next,
    });
    expect(steps.map(({ actual_code }) => actual_code)).toEqual(["TOOL_ERROR", code]);
    expect(steps[0]?.passed).toBe(true);
  });
});

describe("approvals", () => {
  test.each([
    ["none", "APPROVAL_REQUIRED"],
    ["valid", "OK"],
    ["expired", "APPROVAL_INVALID"],
    ["mismatched", "APPROVAL_INVALID"],
    ["by_a_stranger", "APPROVAL_INVALID"],
    ["a_bad_and_a_good_one", "OK"],
  ])("%s: %s", async (approval, code) => {
    expect((await stepsOf({ [`${STEP}/approval`]: approval }))[0]?.actual_code).toBe(code);
  });
});

describe("effects", () => {
  const tally = gateStep("second", { proposal: { name: "tally", arguments: {} } });
  const expect2 = (sideEffects: unknown): Edits => ({
    [`${STEPS}/1`]: { ...tally, expected: { ...(tally as { expected: object }).expected, side_effects: sideEffects } },
  });

  test.each([[2], [{ count: 1, tally: 1 }]])("of two tools, as expected: %j", async (sideEffects) => {
    expect((await stepsOf(expect2(sideEffects))).map(({ passed }) => passed)).toEqual([true, true]);
  });

  test.each([
    [1, "side_effect_count", 1, 2],
    [{ count: 2 }, "side_effects", { count: 2 }, { count: 1, tally: 1 }],
    [{ count: 1, tally: 0 }, "side_effects", { count: 1 }, { count: 1, tally: 1 }],
  ])("not as expected: %j", async (sideEffects, member, expected, received) => {
    const [, second] = await stepsOf(expect2(sideEffects));
    expect(second).toMatchObject({ passed: false, side_effect_count: 2 });
    expect(second?.failure?.differences).toEqual([{ member, expected, received }]);
  });
});

test("a query of a settled outcome that was never in doubt is answered", async () => {
  const members = { action: "query_status", approval: "none", status_ref_from: "first" };
  const ask = gateStep("ask", { ...members, expected: { ...NOT_FOUND, side_effects: { count: 1 } } });
  const query = { ...ask, execution_context: { ...contextOf(ask), idempotency_key: "key-first" } };
  expect((await stepsOf({ [`${STEPS}/1`]: query })).map(({ passed }) => passed)).toEqual([true, true]);
});

const contextOf = (step: object): object => (step as { execution_context: object }).execution_context;
const forever = (): Promise<never> => new Promise(() => undefined);
const boom = (): never => {
  throw new RangeError("it broke\n    at /somewhere/else");
};

describe("what a gate offers and then fails to give ends the run", () => {
  test.each<[string, object, string]>([
    ["worlds.counters: RangeError: it broke", { worlds: { counters: boom } }, "/cases/0/world"],
    ["faults.down: RangeError: it broke", { faults: { down: boom } }, STEP],
    ["faults.down, taking it back: RangeError: it broke", { faults: { down: () => boom } }, STEP],
    ["faults.down: it returned neither a function nor nothing", { faults: { down: () => 1 } }, STEP],
    ["approvals.own: RangeError: it broke", { approvals: { own: boom } }, STEP],
    ["approvals.own: it returned no list of approvals", { approvals: { own: () => ({}) } }, STEP],
    ["sideEffects: RangeError: it broke", { sideEffects: boom }, STEP],
    ["sideEffects: it returned no object of counts by tool name", { sideEffects: () => 3 }, STEP],
    ["sideEffects: it counts something that is no tool that writes", { sideEffects: () => ({ sum: 1 }) }, STEP],
    ["sideEffects: the count of count is no integer from 0", { sideEffects: () => ({ count: -1 }) }, STEP],
    ["close: RangeError: it broke", { close: boom }, "/cases/0/world"],
  ])("%s", async (detail, scenarios, at) => {
    const edits = {
      ...("faults" in scenarios ? { [`${STEP}/faults`]: ["down"] } : {}),
      ...("approvals" in scenarios ? { [`${STEP}/approval`]: "own" } : {}),
    };
    await expect(run(edits, moduleOf(counterGate(), scenarios))).rejects.toMatchObject({
      code: "SCENARIO_GATE_FAILED",
      at,
      detail: expect.stringMatching(new RegExp(`^scenarios\\.${detail}, on line \\d+$`)) as string,
    });
  });

  test.each<[string, object, string]>([
    ["worlds.counters", { worlds: { counters: forever } }, "/cases/0/world"],
    ["faults.down", { faults: { down: forever } }, STEP],
    ["faults.down, taking it back", { faults: { down: () => forever } }, STEP],
    ["sideEffects", { sideEffects: forever }, STEP],
    ["close", { close: forever }, "/cases/0/world"],
  ])("%s that never ends", async (name, scenarios, at) => {
    const edits = "faults" in scenarios ? { [`${STEP}/faults`]: ["down"] } : {};
    const stuck = run(edits, moduleOf(counterGate(), scenarios), { patienceMs: 50 });
    await expect(stuck).rejects.toMatchObject({
      code: "SCENARIO_GATE_FAILED",
      at,
      detail: expect.stringMatching(
        new RegExp(`^scenarios\\.${name}: it has not ended after 0\\.05 s, on line \\d+$`),
      ) as string,
    });
  });

  test("a step that never ends is told, and its world closed", async () => {
    const opened: Counters[] = [];
    const stuck = run({ [`${STEP}/faults`]: ["silent"] }, moduleOf(counterGate(opened)), { patienceMs: 50 });
    await expect(stuck).rejects.toMatchObject({ code: "SCENARIO_STUCK", at: STEP });
    expect(opened[0]?.isClosed).toBe(true);
  });

  test("a step that never ends is told, also where its world cannot be closed either", async () => {
    const stuck = run({ [`${STEP}/faults`]: ["silent"] }, moduleOf(counterGate(), { close: forever }), {
      patienceMs: 50,
    });
    await expect(stuck).rejects.toMatchObject({ code: "SCENARIO_STUCK", at: STEP });
  });
});

describe("real time", () => {
  const TAKEN_MS = 30;
  // A timer may go off a little before its time.
  const AT_LEAST_MS = TAKEN_MS - 2;
  const slowly = (): Promise<undefined> => setTimeout(TAKEN_MS, undefined);
  const slowlyOpened = async (opening: WorldOpening): Promise<unknown> => {
    await slowly();
    return counterGate().scenarios?.worlds["counters"]?.(opening);
  };

  test.each<[string, object]>([
    ["a step with a slow fault", { faults: { down: slowly } }],
    ["a world that is slow to open", { worlds: { counters: slowlyOpened } }],
    ["a world that is slow to close", { close: slowly }],
  ])("is told of %s", async (_name, scenarios) => {
    const module = moduleOf(counterGate(), scenarios);
    const hasFault = "faults" in scenarios;
    const edits = { [`${STEP}/faults`]: hasFault ? ["down"] : [], [`${STEPS}/1`]: gateStep("next") };
    const file = readGateScenarioFile(bytesOf(gateDocumentWith(edits)), offeredNames(module) as OfferedNames);
    const { elapsedMs = 0, stepElapsedMs = [] } = (await gateCases(file, { module })[0]?.run()) ?? {};
    const [first = 0, second = 0, ...others] = stepElapsedMs;
    expect(others).toEqual([]);
    const ofWorldMs = elapsedMs - first - second;
    expect(hasFault ? first : ofWorldMs).toBeGreaterThanOrEqual(AT_LEAST_MS);
    // No time is told twice.
    expect(ofWorldMs).toBeGreaterThanOrEqual(0);
  });
});
