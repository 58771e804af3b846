import { describe, expect, test } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { createRegistry } from "../../src/tools/registry.ts";

type Loose = Record<string, unknown>;

const OBJECT = { type: "object", properties: { note: { type: "string" } }, required: ["note"] } as const;
const revisions = { inputSchema: "i1", outputSchema: "o1", effect: "e1", handler: "h1", producer: "p1", policy: "y1" };
const answer = {
  output: { note: "milk" },
  producerRevision: "p1",
  resourceRevision: null,
  observedAt: "2026-01-02T03:04:05Z",
  requestId: null,
  receiptId: null,
};

const WRITE = {
  name: "write_note",
  description: "Writes a note.",
  risk: "write",
  inputSchema: OBJECT,
  outputSchema: OBJECT,
  revisions,
  sourceLabel: "notes",
  limits: { outputBytes: 100, outputDepth: 2 },
  outputEquals: { note: "note" },
  deadlineMs: 100,
  authorize: () => true,
  precondition: () => true,
  execute: () => answer,
  queryReceipt: () => null,
};
const { precondition: _precondition, queryReceipt: _queryReceipt, ...common } = WRITE;
const READ = { ...common, risk: "read" };

const define = (definition: unknown): Tool => defineTool(definition as never);

function failureOf(act: () => unknown): CallgateError {
  try {
    act();
  } catch (error) {
    if (error instanceof CallgateError) return error;
    throw error;
  }
  throw new TypeError("nothing was refused");
}

describe("a definition that is not one is refused, with a code", () => {
  const without = (name: string): Loose =>
    Object.fromEntries(Object.entries(WRITE).filter(([member]) => member !== name));
  const wrong: Readonly<Record<string, unknown>> = {
    nothing: undefined,
    null: null,
    "a text": "write_note",
    "a list": [],
    ...Object.fromEntries(
      Object.keys(WRITE)
        .filter((name) => !["limits", "outputEquals", "precondition"].includes(name))
        .map((name) => [`no ${name}`, without(name)]),
    ),
    ...Object.fromEntries(
      Object.keys(WRITE).flatMap((name) =>
        [null, 7, "", [], true].map((value) => [`${name}: ${JSON.stringify(value)}`, { ...WRITE, [name]: value }]),
      ),
    ),
    "a misspelt member": { ...WRITE, precondiction: () => false },
    "a misspelt limit": { ...WRITE, limits: { outputByte: 7 } },
    "a limit of nothing": { ...WRITE, limits: { outputDepth: 0 } },
    "a limit of a part": { ...WRITE, limits: { outputBytes: 1.5 } },
    "a misspelt revision": { ...WRITE, revisions: { ...revisions, handlers: "h2" } },
    "a blank revision": { ...WRITE, revisions: { ...revisions, handler: " " } },
    "a name too long": { ...WRITE, name: "n".repeat(256) },
    "a deadline of nothing": { ...WRITE, deadlineMs: 0 },
    "a deadline beyond what can be waited for": { ...WRITE, deadlineMs: 2 ** 31 },
    "an argument that is no name": { ...WRITE, outputEquals: { note: 7 } },
    "a read with a precondition, which nobody would ask": { ...READ, precondition: () => false },
    "a read with a receipt, which nobody would fetch": { ...READ, queryReceipt: () => null },
    "a read that allows an approval, which it needs not": { ...READ, unsafeSelfApproval: true },
    "a read that waives its receipt": { ...READ, unsafeNoReceipt: true },
    "a getter that throws": {
      ...WRITE,
      get execute(): never {
        throw new Error("not for you");
      },
    },
    "a proxy": new Proxy(WRITE, {
      get: () => {
        throw new Error("not for you");
      },
    }),
    "a revoked proxy": (() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    })(),
    "revisions that cannot be read": {
      ...WRITE,
      revisions: new Proxy(revisions, {
        ownKeys: () => {
          throw new Error("not for you");
        },
      }),
    },
  };
  const fine = new Set(["deadlineMs: 7"]);

  test.each(Object.keys(wrong).filter((which) => !fine.has(which)))("%s", (which) => {
    const failure = failureOf(() => define(wrong[which]));
    expect(["TOOL_INVALID", "SCHEMA_INVALID"]).toContain(failure.code);
    expect(failure.message).not.toContain("not for you");
    expect(failure.message).not.toContain("\n");
  });

  test("everything that is wrong is said at once", () => {
    const { detail } = failureOf(() =>
      define({ ...WRITE, description: "", deadlineMs: "1s", limits: { outputDepth: 0 } }),
    );
    expect(detail).toMatch(/description.*deadlineMs|deadlineMs.*description/);
    expect(detail).toContain("limits.outputDepth");
  });

  test.each(["inputSchema", "outputSchema"])("a fault in %s is placed there", (member) => {
    const failure = failureOf(() => define({ ...WRITE, [member]: { type: "object", propertys: {} } }));
    expect(failure.code).toBe("SCHEMA_INVALID");
    expect(failure.at).toContain(member);
    expect(failure.at).toContain("write_note");
  });

  test.each([
    [
      "cyclic",
      () => {
        const schema: Loose = { type: "object" };
        schema["not"] = schema;
        return schema;
      },
    ],
    [
      "endlessly wide",
      () => ({
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, true])),
      }),
    ],
  ])("a %s schema", (_which, schema) => {
    expect(failureOf(() => define({ ...WRITE, inputSchema: schema() })).code).toBe("SCHEMA_INVALID");
  });
});

describe("what is registered is what was checked", () => {
  test("changing the definition afterwards changes nothing", async () => {
    const definition: Loose = {
      ...WRITE,
      revisions: { ...revisions },
      limits: { outputBytes: 100 },
      inputSchema: structuredClone(OBJECT),
    };
    const tool = define(definition);
    Object.assign(definition, {
      execute: () => "other",
      authorize: () => false,
      queryReceipt: () => "other",
      precondition: () => false,
    });
    Object.assign(definition["revisions"] as Loose, { effect: "e2" });
    Object.assign(definition["inputSchema"] as Loose, { properties: {} });
    expect(await tool.execute({} as never)).toBe(answer);
    expect(tool.authorize({} as never)).toBe(true);
    expect(tool.queryReceipt?.({} as never)).toBe(null);
    expect(tool.precondition?.({} as never)).toBe(true);
    expect(tool.contract.effect_revision).toBe("e1");
    expect(tool.inputFits({ note: "a" })).toBe(true);
  });

  test("and it cannot be changed itself", () => {
    const tool = define(WRITE);
    for (const name of Object.keys(tool)) expect(Reflect.set(tool, name, null)).toBe(false);
    expect(Reflect.set(tool.contract, "effect_revision", "e2")).toBe(false);
  });

  test("each member is read once", () => {
    const reads: Record<string, number> = {};
    define(new Proxy(WRITE, {
      get: (target, name) => {
        reads[String(name)] = (reads[String(name)] ?? 0) + 1;
        return Reflect.get(target, name) as unknown;
      },
    }));
    expect(Object.entries(reads).filter(([name, count]) => name in WRITE && count !== 1)).toEqual([]);
  });

  test("a tool may be an instance of a class, and keeps its own self", async () => {
    class NoteTool {
      readonly name = "write_note";
      readonly description = "Writes a note.";
      readonly risk = "write";
      readonly inputSchema = OBJECT;
      readonly outputSchema = OBJECT;
      readonly revisions = revisions;
      readonly sourceLabel = "notes";
      readonly deadlineMs = 100;
      readonly #answer = answer;
      authorize(): boolean {
        return this.#answer === answer;
      }
      precondition(): boolean {
        return this.#answer === answer;
      }
      async execute(): Promise<typeof answer> {
        return this.#answer;
      }
      queryReceipt(): null {
        return this.#answer === answer ? null : (undefined as never);
      }
    }
    const tool = defineTool(new NoteTool());
    expect(tool.authorize({} as never)).toBe(true);
    expect(tool.precondition?.({} as never)).toBe(true);
    expect(await tool.execute({} as never)).toBe(answer);
    expect(tool.queryReceipt?.({} as never)).toBe(null);
  });

  test("a write without a receipt says so", () => {
    const { queryReceipt: _, ...rest } = WRITE;
    expect(failureOf(() => define(rest)).detail).toContain("unsafeNoReceipt");
    expect(define({ ...rest, unsafeNoReceipt: true }).queryReceipt).toBe(null);
  });
});

describe("the registry", () => {
  test("holds what was defined, by name alone", () => {
    const [write, read] = [define(WRITE), define({ ...READ, name: "read_note" })];
    const registry = createRegistry([write, read]);
    expect(registry.tools).toEqual([write, read]);
    expect(registry.find("write_note")).toBe(write);
    for (const name of ["", "Write_note", "toString", "__proto__", "constructor", "node:fs"]) {
      expect(registry.find(name)).toBe(null);
    }
  });

  test("refuses two of one name, and whatever was not defined", () => {
    const tool = define(WRITE);
    expect(failureOf(() => createRegistry([tool, tool])).code).toBe("TOOL_DUPLICATE");
    for (const forged of [{ ...tool }, Object.create(tool) as Tool, null, "write_note"]) {
      expect(failureOf(() => createRegistry([forged as Tool])).code).toBe("TOOL_INVALID");
    }
  });
});
