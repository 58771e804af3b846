import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shell, type Outcome } from "./command.ts";

const STARTER = join(import.meta.dirname, "../../fixtures/gates/starter");
const FOLDER = mkdtempSync(join(tmpdir(), "callgate-hanging-"));
const HURRY = join(FOLDER, "hurry.mjs");

/** A hundred times faster than the patience of a run: what is waited for here never comes. */
const HURRIED = `
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (callback, delayMs, ...given) => wait(callback, delayMs / 100, ...given);
`;

/** The starter's gate with other members offered to scenarios; `forever` holds the process open, `lost` does not. */
const gateWith = (scenarios: string): string => `
  import definition from ${JSON.stringify(pathToFileURL(join(STARTER, "gate.mts")).href)};
  const { worlds, faults } = definition.scenarios;
  const hold = () => { setInterval(() => undefined, 1_000); };
  const lost = () => new Promise(() => undefined);
  const forever = () => { hold(); return lost(); };
  export default { ...definition, scenarios: { ...definition.scenarios, ${scenarios} } };
`;

/** Runs the starter's scenarios with such a gate. Status 124: it did not end. */
function run(scenarios: string): Outcome {
  writeFileSync(join(FOLDER, "gate.mts"), gateWith(scenarios));
  const line = `NODE_OPTIONS='--import ${HURRY}' timeout 20 $CALLGATE run --gate gate.mts '${STARTER}/scenarios'`;
  return shell(line, FOLDER);
}

beforeAll(() => {
  writeFileSync(HURRY, HURRIED);
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

describe("a function of the gate that never ends, in a process of its own", () => {
  test.each([
    ["worlds.empty", "worlds: { empty: forever }", "/cases/0/world"],
    ["worlds.empty", "worlds: { empty: lost }", "/cases/0/world"],
    ["faults.busy", "faults: { ...faults, busy: forever }", "/cases/1/steps/0"],
    ["faults.busy, taking it back", "faults: { ...faults, busy: () => forever }", "/cases/1/steps/0"],
    ["sideEffects", "sideEffects: forever", "/cases/0/steps/0"],
    ["close", "close: forever", "/cases/0/world"],
    ["close", "close: lost", "/cases/0/world"],
  ])("%s (%s) is told in one line, and the command ends", (name, scenarios, at) => {
    const { status, stdout, stderr } = run(scenarios);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^callgate: SCENARIO_GATE_FAILED: [^\n]+\n$/);
    expect(stderr).toContain(`: scenarios.${name}: it has not ended after 20 s, on line `);
    expect(stderr).toContain(`(at scenarios/notes.json, ${at})`);
  });
});

test.each([
  ["passes", "close: hold", 0, "3 cases, 11 steps: all passed\n"],
  ["fails", "close: hold, sideEffects: () => ({ add_note: 7 })", 1, "3 cases, 11 steps: 11 steps failed\n"],
])("a run that %s ends, whatever its gate leaves open", (_what, scenarios, expected, end) => {
  const { status, stdout, stderr } = run(scenarios);
  expect([status, stderr, stdout.slice(-end.length)]).toEqual([expected, "", end]);
});

describe("a module that never loads", () => {
  test.each([
    ["and holds nothing", "await new Promise(() => undefined);"],
    ["and holds the process", "setInterval(() => undefined, 1_000); await new Promise(() => undefined);"],
  ])("%s: is told in one line, and the command ends", (_what, text) => {
    writeFileSync(join(FOLDER, "gate.mts"), `${text} export default {};`);
    for (const command of [`run --gate gate.mts '${STARTER}/scenarios'`, "tools list --gate gate.mts"]) {
      const line = `NODE_OPTIONS='--import ${HURRY}' timeout 20 $CALLGATE ${command}`;
      const { status, stdout, stderr } = shell(line, FOLDER);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^callgate: GATE_FILE_INVALID: [^\n]*it is still not there after 20 s[^\n]*\n$/);
    }
  });
});

describe("an error that the gate's code throws when nobody waits for it", () => {
  const later = (work: string): string =>
    `worlds: { empty: (...given) => { ${work} return worlds.empty(...given); } }, sideEffects: forever`;

  test.each([
    ["in a timer", "setTimeout(() => { throw new TypeError('x is undefined'); }, 0);"],
    ["in a promise", "void Promise.reject(new TypeError('x is undefined'));"],
  ])("%s: is told in one line without a stack, with the status of bad input", (_where, work) => {
    const { status, stdout, stderr } = run(later(work));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^callgate: GATE_STRAY_ERROR: [^\n]*TypeError: x is undefined[^\n]*\n$/);
    expect(stderr).not.toContain(FOLDER);
  });
});
