import { describe, expect, test } from "vitest";
import { CallgateError, toProviderPayload } from "../../src/index.ts";
import { callgate } from "../cli/command.ts";
import { told } from "../dispatcher/world.ts";
import { altered, objectAt } from "./forger.ts";
import { givenFor, openPayments } from "./payments.ts";

const LEVELS = 4_096;

/** As deep as that, made without recursion. */
const deep = (step: (inner: unknown) => unknown): unknown => {
  let value: unknown = "A-1";
  for (let level = 0; level < LEVELS; level += 1) value = step(value);
  return value;
};
const LISTS = deep((inner) => [inner]);
const OBJECTS = deep((inner) => ({ account: inner }));

describe("4,096 levels in few bytes", () => {
  const text = (open: string, close: string): string => `${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`;
  test.each([
    ["digest", text("[", "]")],
    ["validate", text('{"a":', "}")],
  ])("%s: the reader refuses them before it parses (%#)", (command, input) => {
    expect(Buffer.byteLength(input)).toBeLessThan(65_536);
    const { status, stdout, stderr } = callgate([command, "-"], { input });
    expect([status, stdout, stderr.split(": ")[1]]).toEqual([2, "", "JSON_TOO_DEEP"]);
  });

  test.each([
    ["lists", LISTS],
    ["objects", OBJECTS],
  ])("as arguments, %s: a host error, whatever the tool's name", async (_what, input) => {
    const world = openPayments();
    for (const tool of ["pay", "look_up", "nobodys_tool"]) {
      const dispatched = world.dispatch({ tool, input });
      await expect(dispatched).rejects.toThrow(expect.objectContaining({ code: "ARGUMENTS_UNHASHABLE" }));
      await expect(dispatched).rejects.toBeInstanceOf(CallgateError);
    }
    expect(world.bank.asked).toEqual([]);
  });

  test("as approval: skipped, and the good one beside it counts", async () => {
    const world = openPayments();
    const odd = [LISTS, OBJECTS, { ...world.approve(), approver_id: OBJECTS }];
    expect(told(await world.dispatch({}, odd))).toBe("APPROVAL_INVALID");
    expect(told(await world.dispatch({}, [...odd, world.approve()]))).toBe("OK fresh");
  });

  test("as output: outside the contract, and nothing of it is told", async () => {
    const world = openPayments();
    for (const [index, notes] of [LISTS, OBJECTS].entries()) {
      world.bank.behaviour.lookUp = (good) => ({ ...good, output: { ...objectAt(good, "output"), notes } });
      const answer = await world.dispatch({ id: `call-${index}`, tool: "look_up", input: { account: "A-1" } });
      expect(told(answer)).toBe("OUTPUT_CONTRACT_VIOLATION");
      expect(answer.model_result.data).toBeNull();
    }
  });

  test("as package: an error in the list, and the providers' door stays shut", async () => {
    const world = openPayments();
    const good = await world.pay();
    const given = altered(good, (copy) => (objectAt(copy, "model_result", "data")["account"] = LISTS));
    for (const odd of [given, LISTS, OBJECTS]) {
      expect(world.gate.validateResult(givenFor({}, odd))).not.toEqual([]);
      expect(() => toProviderPayload(world.gate.registry, givenFor({}, odd))).toThrow(
        expect.objectContaining({ code: "PACKAGE_INVALID" }),
      );
    }
  });
});
