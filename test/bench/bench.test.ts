import { describe, expect, it } from "vitest";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { floorOf } from "./floor.ts";
import { limitOf } from "./limit.ts";
import { benchWorld, flat } from "./orders-world.ts";

type Made = Pick<ResultPackage, "protected_audit">;

const bindingOf = (made: unknown) => (made as Made).protected_audit.binding;

describe("what the bench compares", () => {
  it("gives the same bytes for a fresh write and its replay: product, floor and limit", async () => {
    const { gate, tool, write } = benchWorld();
    const call = write(1);
    const floor = floorOf(tool);
    const limit = limitOf(tool);

    const fresh = await gate.dispatch(call);
    expect(bindingOf(floor.freshWrite(call))).toEqual(bindingOf(fresh));
    expect(limit.freshWrite(call)).toEqual(fresh);

    const replayed = await gate.dispatch(call);
    expect(bindingOf(floor.replay(call))).toEqual(bindingOf(replayed));
    expect(limit.replay(call)).toEqual(replayed);
  });

  it("asks the status of an outcome that really is in doubt", async () => {
    const { gate, tool, world, write, ask } = benchWorld();
    const call = write(1);
    world.faults.arm("timeout_after_commit");
    const unknown = await gate.dispatch(call);
    world.faults.disarm();
    const settled = await ask(call, unknown, 1);
    expect(settled.model_result.execution.delivery).toBe("receipt_reconciled");
    const asked = { ...call, executionContext: { ...call.executionContext, call_id: "ask-1" } };
    expect(bindingOf(floorOf(tool).statusQuery(asked))).toEqual(bindingOf(settled));
    expect(gate.validateResult({ principal: call.principal, call: flat(asked), package: settled })).toEqual([]);
  });

  it("refuses what is somebody else's", async () => {
    const { gate, foreignRead } = benchWorld();
    expect((await gate.dispatch(foreignRead(1))).model_result.error?.code).toBe("NOT_FOUND");
  });
});
