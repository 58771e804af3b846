import { describe, expect, test } from "vitest";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { loseAnswer, openWorld, told, USER, type World } from "./world.ts";

/** Every object in a value, itself included. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

const again: Readonly<Record<string, (world: World) => Promise<ResultPackage>>> = {
  "a replay": (world) => world.dispatch({ id: "call-2" }),
  "the same call": (world) => world.dispatch(),
};

describe("answers share nothing", () => {
  test.each(Object.keys(again))("%s is a copy: changing one changes no other", async (how) => {
    const world = openWorld();
    const first = await world.dispatch();
    const second = await again[how]?.(world);
    const kept = structuredClone(second);
    const objects = new Set(objectsIn(first));
    expect(objectsIn(second).filter((object) => objects.has(object))).toEqual([]);
    for (const object of objectsIn(first)) for (const name of Object.keys(object)) Reflect.set(object, name, "changed");
    expect(second).toEqual(kept);
    expect((await again[how]?.(world))?.model_result).toEqual(kept?.model_result);
  });

  test("a reconciled answer too", async () => {
    const world = openWorld();
    await loseAnswer(world);
    const first = await world.query();
    const kept = structuredClone(first);
    for (const object of objectsIn(first)) for (const name of Object.keys(object)) Reflect.set(object, name, "changed");
    expect(await world.query()).toEqual(kept);
  });

  test("what the tool returned may be changed by the tool afterwards", async () => {
    const world = openWorld();
    let returned: unknown;
    world.service.behaviour.answer = (good) => {
      returned = good;
      return good;
    };
    const first = structuredClone(await world.dispatch());
    for (const object of objectsIn(returned)) {
      for (const name of Object.keys(object)) Reflect.set(object, name, "changed");
    }
    expect((await world.dispatch({ id: "call-2" })).model_result.data).toEqual(first.model_result.data);
  });

  test("what the host passed may be changed while the call runs", async () => {
    const world = openWorld();
    const input = { note: "milk" };
    const by = { tenant_id: USER.tenant_id, subject_id: USER.subject_id, roles: ["auditor"] };
    world.service.behaviour.authorize = ({ arguments: given, principal }) => {
      Object.assign(input, { note: "changed" });
      Object.assign(by, { tenant_id: "changed" });
      by.roles[0] = "changed";
      return given.note === "milk" && principal.tenant_id === "tenant-a" && principal.roles[0] === "auditor";
    };
    world.service.behaviour.begin = ({ arguments: given, principal }) => {
      expect(given).toEqual({ note: "milk" });
      expect(principal).toEqual({ ...USER, roles: ["auditor"] });
    };
    expect(told(await world.dispatch({ input, by }))).toBe("OK fresh");
  });

  test("no function of a tool can change what the next one is given", async () => {
    const world = openWorld();
    const seen: unknown[] = [];
    const spoil = (request: { readonly arguments: object; readonly principal: object }): boolean => {
      seen.push(structuredClone({ arguments: request.arguments, principal: request.principal }));
      Reflect.set(request.arguments, "note", "changed");
      Reflect.set(request.principal, "tenant_id", "changed");
      Reflect.set(request, "arguments", "changed");
      return true;
    };
    Object.assign(world.service.behaviour, { authorize: spoil, precondition: spoil, begin: spoil });
    world.service.behaviour.answer = (good) => ({ ...good, output: { ...good.output, note: "milk" } });
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(seen).toEqual(Array.from({ length: 3 }, () => ({ arguments: { note: "milk" }, principal: USER })));
  });
});

describe("a replay", () => {
  test("repeats data, provenance and evidence; the rest is its own", async () => {
    const world = openWorld();
    const first = await world.dispatch();
    world.host.setNow(world.host.now() + 1_000);
    const second = await world.dispatch({ id: "call-2", context: { operation_id: "operation-2" } });
    expect(second.model_result).toEqual({
      ...first.model_result,
      execution: { ...first.model_result.execution, delivery: "local_replay" },
    });
    expect(second.protected_audit.downstream).toEqual(first.protected_audit.downstream);
    expect(second.protected_audit.operation_id).toBe("operation-2");
    expect(second.protected_audit.provider_context.call_id).toBe("call-2");
    expect(second.protected_audit.binding.request_sha256).toBe(first.protected_audit.binding.request_sha256);
    expect(second.protected_audit.binding.result_sha256).not.toBe(first.protected_audit.binding.result_sha256);
  });

  test("looks at access first, and needs neither approval nor a business state that allows it", async () => {
    const world = openWorld();
    await world.dispatch();
    world.service.behaviour.precondition = () => false;
    expect(told(await world.dispatch({ id: "call-2", approvals: [] }))).toBe("OK local_replay");
    world.service.behaviour.authorize = () => false;
    expect(told(await world.dispatch({ id: "call-3" }))).toBe("NOT_FOUND");
  });

  test("is valid as a package of its own call", async () => {
    const world = openWorld();
    await world.dispatch();
    const result = await world.dispatch({ id: "call-2" });
    const { protected_audit: audit } = result;
    const call = {
      ...{ name: "write_note", arguments: { note: "milk" }, idempotency_key: "key-1" },
      ...{ ...audit.provider_context, operation_id: audit.operation_id },
    };
    expect(world.gate.validateResult({ principal: USER, call, package: result })).toEqual([]);
  });
});
