import { describe, expect, test } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { troubled, type Fallible } from "./troubled-ledger.ts";
import { loseAnswer, openWorld, told, type World } from "./world.ts";

/** What becomes of one call to a ledger that can be read again. */
type Loss = "not stored" | "stored" | "stored once it was read again" | "fenced";

/** A ledger that loses the answer to the first call of one method, once armed. */
function losing(which: Fallible, loss: Loss) {
  const state = { armed: false };
  let late: (() => Promise<unknown>) | null = null;
  const between = (ledger: Ledger): Ledger =>
    troubled(ledger, async (method, _call, carryOut) => {
      if (method === "readAttempt" && late !== null) {
        const [found, store] = [await carryOut(), late];
        late = null;
        await store();
        return found;
      }
      if (!state.armed || method !== which) return carryOut();
      state.armed = false;
      if (loss === "fenced") return method === "takeOwner" ? null : { kind: "fenced" };
      if (loss === "stored") await carryOut();
      if (loss === "stored once it was read again") late = carryOut;
      throw new Error("no answer");
    });
  return { world: openWorld({ between }), state };
}

const end = (running: Promise<Awaited<ReturnType<World["dispatch"]>>>): Promise<string> =>
  running.then(told, (error: unknown) => String(Reflect.get(Object(error), "code")));

describe("where the ledger can be read again, an own step that is stored counts, and one that is not does not", () => {
  test.each<[Fallible, Loss, string, number]>([
    ["claimIdentity", "not stored", "LEDGER_UNAVAILABLE", 0],
    ["lookUpScope", "not stored", "LEDGER_UNAVAILABLE", 0],
    ["recordIntent", "not stored", "LEDGER_UNAVAILABLE", 0],
    ["recordIntent", "stored", "OK fresh", 1],
    ["recordIntent", "fenced", "OUTCOME_UNKNOWN", 0],
    ["recordStart", "not stored", "TOOL_ERROR", 0],
    ["recordStart", "stored", "OK fresh", 1],
    ["recordStart", "stored once it was read again", "TOOL_ERROR", 0],
    ["recordStart", "fenced", "OUTCOME_UNKNOWN", 0],
    ["recordStep", "not stored", "OUTCOME_UNKNOWN", 1],
    ["recordStep", "stored", "OK fresh", 1],
    ["recordStep", "stored once it was read again", "OK fresh", 1],
    ["recordStep", "fenced", "OUTCOME_UNKNOWN", 1],
  ])("a write; %s is %s: %s", async (method, loss, tells, effects) => {
    const { world, state } = losing(method, loss);
    state.armed = true;
    expect(await end(world.dispatch())).toBe(tells);
    expect(world.service.effects).toBe(effects);
  });

  test.each<[Fallible, Loss, string]>([
    ["claimIdentity", "not stored", "LEDGER_UNAVAILABLE"],
    ["findOwner", "not stored", "LEDGER_UNAVAILABLE"],
    ["takeOwner", "not stored", "LEDGER_UNAVAILABLE"],
    ["takeOwner", "stored", "LEDGER_UNAVAILABLE"],
    ["takeOwner", "fenced", "OUTCOME_UNKNOWN"],
    ["recordStep", "not stored", "OUTCOME_UNKNOWN"],
    ["recordStep", "stored", "OK receipt_reconciled"],
    ["recordStep", "stored once it was read again", "OK receipt_reconciled"],
    ["recordStep", "fenced", "OUTCOME_UNKNOWN"],
    ["recordQueryEnd", "not stored", "LEDGER_UNAVAILABLE"],
  ])("a query; %s is %s: %s", async (method, loss, tells) => {
    const { world, state } = losing(method, loss);
    await loseAnswer(world);
    state.armed = true;
    expect(await end(world.query())).toBe(tells);
  });

  test.each<[Fallible, Loss, string]>([
    ["recordIntent", "stored", "OK fresh"],
    ["recordStart", "not stored", "TOOL_ERROR"],
    ["recordStart", "stored", "OK fresh"],
    ["recordStep", "not stored", "TOOL_ERROR"],
    ["recordStep", "stored", "OK fresh"],
    ["recordStep", "fenced", "LEDGER_UNAVAILABLE"],
  ])("a read; %s is %s: %s", async (method, loss, tells) => {
    const { world, state } = losing(method, loss);
    state.armed = true;
    expect(await end(world.dispatch({ tool: "read_note" }))).toBe(tells);
  });
});
