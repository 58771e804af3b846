import { describe, expect, test } from "vitest";
import { codeOf, deliveryOf, paramsGiven } from "../../src/engine/action-params.ts";
import { APPROVAL } from "../../src/engine/approval.ts";
import { ask, implementationOf } from "../../src/engine/machine-spec.ts";
import { OPERATION } from "../../src/engine/operation.ts";
import { STATUS_QUERY } from "../../src/engine/status-query.ts";
import { OPERATION_SAMPLES, OPERATION_START, STATUS_QUERY_START } from "./sample-events.ts";

const anything = { type: "scope.free" } as never;

/** What only a fault of this project could bring about: each is told at once, in words of its own. */
describe("a bug is a TypeError that says what it is", () => {
  const changes = {
    operation: (name: string) => implementationOf(OPERATION.changes, name),
    statusQuery: (name: string) => implementationOf(STATUS_QUERY.changes, name),
    approval: (name: string) => implementationOf(APPROVAL.changes, name),
  };
  const met = (change: string): string => `${change} met an event that the machine does not send it`;

  test.each<[string, () => unknown, string]>([
    ["bindCall", () => changes.operation("bindCall")(OPERATION_START, anything, {}), met("bindCall")],
    ["refuseAsTold", () => changes.operation("refuseAsTold")(OPERATION_START, anything, {}), met("refuseAsTold")],
    ["succeed", () => changes.operation("succeed")(OPERATION_START, anything, { delivery: "fresh" }), met("succeed")],
    [
      "succeed without a call",
      () => changes.operation("succeed")(OPERATION_START, OPERATION_SAMPLES["tool.returned"], { delivery: "fresh" }),
      "an operation succeeded that was never bound",
    ],
    ["a query's bindCall", () => changes.statusQuery("bindCall")(STATUS_QUERY_START, anything, {}), met("bindCall")],
    [
      "a query's succeed",
      () => changes.statusQuery("succeed")(STATUS_QUERY_START, anything, { delivery: "fresh" }),
      met("succeed"),
    ],
    ["keepDecision", () => changes.approval("keepDecision")({} as never, anything, {}), met("keepDecision")],
    ["keepHolder", () => changes.approval("keepHolder")({} as never, anything, {}), met("keepHolder")],
    ["no code", () => codeOf({}), "the action was told no code"],
    ["no delivery", () => deliveryOf({}), "the action was told no delivery"],
    ["params that are not needed", () => paramsGiven("settle", { code: "OK" }), "settle was not told what it needs"],
    ["params that are needed", () => paramsGiven("refuse", undefined), "refuse was not told what it needs"],
    ["a guard without a verdict", () => ask(() => "yes" as never, {}, {}), "a guard gave no boolean"],
  ])("%s", (_what, cause, message) => {
    expect(cause).toThrow(new TypeError(message));
  });
});
