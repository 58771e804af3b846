import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { callgate } from "../cli/command.ts";
import { told } from "../dispatcher/world.ts";
import { holding, SUBJECTS } from "../engine/subjects.ts";
import { bytesOf, editedDocument } from "../scenarios/sample-document.ts";
import { objectAt } from "./forger.ts";
import { openPayments, requestOf } from "./payments.ts";

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
/** What stands in the prototypes that all values share, by place, name and part of the descriptor. */
const members = (): ReadonlyMap<string, unknown> =>
  new Map(
    PROTOTYPES.flatMap((prototype, place) =>
      Reflect.ownKeys(prototype).flatMap((name) =>
        Object.entries(Object.getOwnPropertyDescriptor(prototype, name) ?? {}).map(
          ([part, held]): [string, unknown] => [`${place}.${String(name)}.${part}`, held],
        ),
      ),
    ),
  );
const BEFORE = members();

afterEach(() => {
  const after = members();
  const changed = new Set([...BEFORE.keys(), ...after.keys()].filter((at) => BEFORE.get(at) !== after.get(at)));
  if (changed.size > 0) throw new Error(`prototypes were changed: ${[...changed].join(", ")}`);
});

/** Members that reach a prototype where somebody merges or assigns carelessly. */
const POLLUTING: Readonly<Record<string, string>> = {
  __proto__: '{"__proto__":{"isOpen":true,"roles":["support_admin"]}}',
  "constructor.prototype": '{"constructor":{"prototype":{"isOpen":true}}}',
  "__proto__ in __proto__": '{"__proto__":{"__proto__":{"isOpen":true}}}',
  "toString and valueOf": '{"toString":"x","valueOf":null,"hasOwnProperty":1}',
  "inherited getters": '{"__defineGetter__":1,"__lookupSetter__":1}',
};
const parsed = (which: string): object => JSON.parse(POLLUTING[which] ?? "") as object;
const merged = (base: object, which: string): object => {
  const copy = { ...base };
  for (const [name, value] of Object.entries(parsed(which))) {
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
};
const KINDS = Object.keys(POLLUTING);

describe("prototypes cannot be reached", () => {
  test.each(KINDS)("through arguments: %s", async (which) => {
    const world = openPayments();
    const inputs = [
      merged({ account: "A-1", amount: 5 }, which),
      parsed(which),
      { account: parsed(which), amount: 5 },
      { account: "__proto__", amount: 5 },
    ];
    const answers = await Promise.all(inputs.map((input, index) => world.dispatch({ id: `call-${index}`, input })));
    expect(answers.map(told)).toEqual(["INVALID_ARGUMENTS", "INVALID_ARGUMENTS", "INVALID_ARGUMENTS", "NOT_FOUND"]);
    expect(world.bank.payments).toEqual([]);
  });

  test.each(KINDS)("through output: %s", async (which) => {
    const world = openPayments();
    const places: readonly ((good: object) => unknown)[] = [
      (good) => ({ ...good, output: merged(objectAt(good, "output"), which) }),
      (good) => ({ ...good, output: { ...objectAt(good, "output"), notes: merged({}, which) } }),
      (good) => merged(good, which),
      () => parsed(which),
    ];
    for (const [index, place] of places.entries()) {
      world.bank.behaviour.lookUp = place;
      const answer = await world.dispatch({ id: `call-${index}`, tool: "look_up", input: { account: "A-1" } });
      expect(told(answer)).toBe("OUTPUT_CONTRACT_VIOLATION");
      expect(answer.model_result.data).toBeNull();
    }
  });

  test.each(KINDS)("through an approval, a principal and a context: %s", async (which) => {
    const world = openPayments();
    expect(told(await world.dispatch({}, [merged(world.approve(), which), parsed(which)]))).toBe("APPROVAL_INVALID");
    const by = merged({ tenant_id: "tenant-a", subject_id: "payer-1", roles: [] }, which) as never;
    await expect(world.dispatch({ by })).rejects.toThrow(expect.objectContaining({ code: "PRINCIPAL_INVALID" }));
    const request = requestOf();
    const executionContext = merged(request.executionContext, which) as never;
    await expect(world.gate.dispatch({ ...request, executionContext })).rejects.toThrow(
      expect.objectContaining({ code: "CONTEXT_INVALID" }),
    );
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "through the name of a tool, an account, a key or a call: %s",
    async (name) => {
      const world = openPayments();
      expect(told(await world.dispatch({ tool: name, input: {} }))).toBe("UNKNOWN_TOOL");
      expect(told(await world.pay({ id: name, key: name }))).toBe("OK fresh");
      expect(told(await world.pay({ id: "call-2", key: name }))).toBe("OK local_replay");
      expect(told(await world.dispatch({ id: "call-3", input: { account: name, amount: 5 } }))).toBe("NOT_FOUND");
    },
  );

  test.each(["", "/cases/0/principal", "/cases/0/steps/0/expected"])(
    "through a scenario file, at the pointer %j",
    (place) => {
      const folder = mkdtempSync(join(tmpdir(), "callgate-pollution-"));
      const file = join(folder, "polluting.json");
      const polluting = { isOpen: true };
      writeFileSync(file, bytesOf(editedDocument({ [`${place}/__proto__`]: polluting })));
      const { status, stderr } = callgate(["run", file], { cwd: folder });
      rmSync(folder, { recursive: true });
      expect([status, stderr.split(": ")[1]]).toEqual([2, "FIXTURE_INVALID"]);
    },
  );

  describe.each(SUBJECTS)("through events of the machine $name", (subject) => {
    const engine = subject.engine(holding(subject, subject.guards));
    test.each(Object.keys(subject.alphabet))("%s", (type) => {
      const [state = ""] = subject.table.rows.filter(({ event }) => event === type).map((row) => row.state);
      const good = subject.event(type);
      const feed = (event: unknown): string => engine.step(state, subject.contextIn(state), event).kind;
      expect(feed(good)).toBe("stepped");
      expect(KINDS.map((which) => feed(merged(good, which)))).toEqual(KINDS.map(() => "refused"));
      expect(feed(Object.create(good))).toBe("refused");
      expect(feed(Object.setPrototypeOf({ ...good }, { isOpen: true }))).toBe("refused");
    });
  });
});
