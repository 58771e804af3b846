import { describe, expect, test } from "vitest";
import { createGate } from "../../src/dispatcher/gate.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { simulatedHost } from "../../src/host/simulated.ts";
import { sampleWorld } from "../../src/sample/world.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { collectRefusals } from "../../src/tools/refused-tool.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import { isDefinedTool, type Tool } from "../../src/tools/tool.ts";

const SAMPLE_TOOLS = sampleWorld(simulatedHost(0)).tools;
const refused = (name: string): Tool => defineTool({ name } as never);

function failureOf(act: () => unknown): CallgateError {
  try {
    act();
  } catch (error) {
    if (error instanceof CallgateError) return error;
    throw error;
  }
  throw new TypeError("nothing was refused");
}

describe("while refusals are collected", () => {
  test("work goes on after a tool that is refused, and all are told, in their order", async () => {
    const { result, refusals } = await collectRefusals(async () => [refused("a"), await Promise.resolve(refused("b"))]);
    expect(result).toMatchObject([{ name: "a" }, { name: "b" }]);
    expect(refusals.map((refusal) => refusal.message)).toEqual(
      ["a", "b"].map((name) => failureOf(() => refused(name)).message),
    );
  });

  test("what takes the place of one is taken by no registry and no gate, then or later", async () => {
    const { result: value, refusals } = await collectRefusals(async () => refused("a"));
    expect([isDefinedTool(value), Object.isFrozen(value)]).toEqual([false, true]);
    for (const register of [
      () => createRegistry([...SAMPLE_TOOLS, value]),
      () => createGate({ tools: [value, ...SAMPLE_TOOLS], approvers: [] }),
    ]) {
      expect(failureOf(register)).toMatchObject({ code: "TOOL_INVALID", problems: refusals[0]?.problems });
    }
    expect([value.inputFits({}), value.outputFits({}, {})]).toEqual([false, false]);
    for (const call of [() => value.execute({} as never), () => value.authorize({} as never)]) {
      expect(failureOf(call)).toBe(refusals[0]);
    }
    expect([value.inputProblems({}), value.outputProblems({}, {})]).toEqual([1, 2].map(() => refusals[0]?.problems));
  });

  test("what the work throws is thrown, and after it refusals are", async () => {
    const work = collectRefusals(async () => {
      refused("a");
      throw new RangeError("no luck");
    });
    await expect(work).rejects.toThrow(new RangeError("no luck"));
    expect(failureOf(() => refused("a")).code).toBe("TOOL_INVALID");
  });

  test("nobody else collects, and who does goes on", async () => {
    const { result, refusals } = await collectRefusals(async () => {
      await expect(collectRefusals(async () => refused("a"))).rejects.toThrow(TypeError);
      return refused("b").name;
    });
    expect([result, refusals.length]).toEqual(["b", 1]);
  });

  test("a tool that is right is a tool", async () => {
    const { result, refusals } = await collectRefusals(async () => createRegistry(SAMPLE_TOOLS).tools);
    expect([result, refusals]).toEqual([SAMPLE_TOOLS, []]);
  });
});
