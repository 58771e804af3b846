import { expect, test } from "vitest";
import { createGate } from "../../src/dispatcher/gate.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { NotStarted } from "../../src/tools/not-started.ts";

const revisions = { inputSchema: "i", outputSchema: "o", effect: "e", handler: "h", producer: "p", policy: "y" };
const INPUT = {
  type: "object",
  properties: {
    colour: { type: "string", enum: ["red", "green"] },
    size: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["colour"],
  additionalProperties: false,
} as const;
const OUTPUT = {
  type: "object",
  properties: { id: { type: "string" }, done: { type: "boolean" } },
  required: ["id"],
  additionalProperties: false,
} as const;

const base = {
  name: "paint",
  description: "Paints.",
  inputSchema: INPUT,
  outputSchema: OUTPUT,
  revisions,
  sourceLabel: "paints",
  deadlineMs: 100,
} as const;
const evidence = {
  producerRevision: "p",
  resourceRevision: null,
  observedAt: "2026-01-02T03:04:05Z",
  requestId: null,
  receiptId: null,
};

/** The compiler is the test: each line marked as an error is one. */
function definitions(): void {
  defineTool({
    ...base,
    risk: "read",
    authorize: ({ arguments: { colour, size, tags }, principal, signal }) => {
      const known: "red" | "green" = colour;
      const maybe: number | undefined = size;
      const list: readonly string[] | undefined = tags;
      // @ts-expect-error -- no such colour
      const wrong: "blue" = colour;
      // @ts-expect-error -- not required, so it may be missing
      const sure: number = size;
      // @ts-expect-error -- nobody may change who acts
      principal.tenant_id = "other";
      return signal.aborted || [known, maybe, list, wrong, sure].length > 0;
    },
    execute: ({ arguments: args, operationId, idempotencyKey, statusRef, requestSha256, binding }) => {
      const texts: string[] = [operationId, requestSha256, binding.provider];
      const keys: (string | null)[] = [idempotencyKey, statusRef, binding.status_ref];
      // @ts-expect-error -- the input schema names no such member
      const unnamed: unknown = args.weight;
      texts.push(String(unnamed));
      return { output: { id: [...texts, ...keys].join() }, ...evidence };
    },
  });

  defineTool({
    ...base,
    risk: "write",
    authorize: () => true,
    execute: ({ arguments: { colour }, idempotencyKey, statusRef }) => {
      const handles: [string, string] = [idempotencyKey, statusRef];
      return { output: { id: [...handles, colour].join(), done: true }, ...evidence };
    },
    queryReceipt: () => null,
  });

  defineTool({
    ...{ ...base, risk: "write" as const },
    authorize: () => true,
    execute: ({ idempotencyKey }) => ({ output: { id: idempotencyKey }, ...evidence }),
    queryReceipt: () => null,
  });

  defineTool({
    ...base,
    risk: "read",
    authorize: () => true,
    execute: ({ idempotencyKey, statusRef }) => {
      // @ts-expect-error -- a read can be without a key
      const key: string = idempotencyKey;
      // @ts-expect-error -- a read has no status_ref
      const reference: string = statusRef;
      return { output: { id: key + reference }, ...evidence };
    },
  });

  defineTool({
    ...base,
    risk: base.deadlineMs > 0 ? "read" : "write",
    authorize: () => true,
    execute: ({ idempotencyKey }) => {
      // @ts-expect-error -- nobody said that it writes
      const key: string = idempotencyKey;
      return { output: { id: key }, ...evidence };
    },
  });

  defineTool({
    ...base,
    risk: "write",
    authorize: async () => true,
    precondition: () => Promise.resolve(false),
    execute: async () => ({ output: { id: "1", done: true }, ...evidence }),
    queryReceipt: ({ statusRef, idempotencyKey }) =>
      statusRef === "status_"
        ? null
        : { output: { id: idempotencyKey }, ...evidence, binding: "0".repeat(64) as never },
  });

  defineTool({
    ...base,
    risk: "read",
    // @ts-expect-error -- a number is no verdict
    authorize: () => 1,
    // @ts-expect-error -- the output schema wants an id
    execute: () => ({ output: { done: true }, ...evidence }),
  });

  defineTool({
    ...base,
    risk: "read",
    authorize: () => true,
    // @ts-expect-error -- an id is a text
    execute: () => ({ output: { id: 7 }, ...evidence }),
  });

  defineTool({
    ...base,
    risk: "read",
    authorize: () => true,
    // @ts-expect-error -- who produced it is part of an answer
    execute: () => ({ output: { id: "1" }, observedAt: "2026-01-02T03:04:05Z" }),
  });

  // @ts-expect-error -- there is no such risk
  defineTool({ ...base, risk: "delete", authorize: () => true, execute: () => ({ output: { id: "1" }, ...evidence }) });

  // @ts-expect-error -- there is no such code
  throw new NotStarted("NOT_FOUND");
}

test("the types of a tool follow from its schemas", () => {
  // It is checked by compiling; what it does when run is not the question.
  expect(definitions).toBeTypeOf("function");
});

test("a gate's options are checked as they are written", () => {
  const wrong = [
    // @ts-expect-error -- misspelt
    () => createGate({ tools: [], approvers: [], leaseGrace: 1 }),
    // @ts-expect-error -- there is no such interpreter
    () => createGate({ tools: [], approvers: [], interpreter: "compiled" }),
    // @ts-expect-error -- somebody has to be able to approve, or nobody on purpose
    () => createGate({ tools: [] }),
  ];
  for (const make of wrong) expect(make).toThrow(Error);
});
