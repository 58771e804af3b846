import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/dispatcher/diagnostic.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { Behaviour, KeptNote } from "./note-tools.ts";
import { calm, loseAnswer, openWorld, told, type CallSketch, type World } from "./world.ts";

type Good = KeptNote["answer"];

const SECRET = "s3cret-4711";

function watched(): { readonly world: World; readonly diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const world = openWorld({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  return { world, diagnostics };
}

/** A diagnostic in short: what it is about, and every place with what is wrong there. */
const short = ({ subject, problems }: Diagnostic): string =>
  `${subject}: ${problems.map(({ at, problem }) => (at === "" ? problem : `${at} ${problem}`)).join("; ")}`;

const read: CallSketch = { tool: "read_note", key: null };

describe("of a dispatch", () => {
  const throwing = (): never => {
    throw new TypeError("x is not a function");
  };
  const changed = (change: Readonly<Record<string, unknown>>) => (good: Good) => ({ ...good, ...change });
  const output = (change: Readonly<Record<string, unknown>>) => (good: Good) => ({
    ...good,
    output: { ...good.output, ...change },
  });
  const cases: readonly [name: string, Partial<Behaviour>, CallSketch, code: string, said: string][] = [
    [
      "authorize throws",
      { authorize: throwing },
      {},
      "NOT_FOUND",
      "authorize: it threw: TypeError: x is not a function",
    ],
    [
      "authorize answers 1",
      { authorize: () => 1 },
      read,
      "NOT_FOUND",
      "authorize: it answered number, and only `true` grants",
    ],
    [
      "authorize answers nothing",
      { authorize: () => undefined },
      read,
      "NOT_FOUND",
      "authorize: it answered undefined, and only `true` grants",
    ],
    [
      "precondition throws",
      { precondition: throwing },
      {},
      "BUSINESS_RULE_VIOLATION",
      "precondition: it threw: TypeError: x is not a function",
    ],
    [
      "precondition answers null",
      { precondition: () => null },
      {},
      "BUSINESS_RULE_VIOLATION",
      "precondition: it answered null, and only `true` grants",
    ],
    [
      "a write throws",
      { answer: throwing },
      {},
      "OUTCOME_UNKNOWN",
      "execute: it threw: TypeError: x is not a function",
    ],
    ["a read throws", { read: throwing }, read, "TOOL_ERROR", "execute: it threw: TypeError: x is not a function"],
    [
      "milliseconds",
      { read: changed({ observedAt: "2026-01-02T03:04:05.678Z" }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /observedAt it is no time in UTC of whole seconds, YYYY-MM-DDTHH:MM:SSZ",
    ],
    [
      "another producer",
      { answer: changed({ producerRevision: "v0" }) },
      {},
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /producerRevision it is not the registered one",
    ],
    [
      "a receipt of a read",
      { read: changed({ receiptId: "r-1" }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /receiptId a read leaves no receipt",
    ],
    [
      "a blank request id",
      { read: changed({ requestId: " " }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /requestId it is neither null nor a text that says something",
    ],
    [
      "no object",
      { read: () => [SECRET] },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: it is no object of plain data",
    ],
    [
      "a Date",
      { read: changed({ observedAt: new Date() }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: it is no object of plain data",
    ],
    [
      "members missing and extra",
      { read: ({ requestId, ...rest }) => ({ ...rest, status: requestId }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /requestId it is missing; /status an answer has no such member",
    ],
    [
      "an output that is a text",
      { read: changed({ output: SECRET }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output it is no object",
    ],
    [
      "an extra output member",
      { read: output({ extra: SECRET }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output there is no member `extra`",
    ],
    [
      "a wrong type",
      { read: output({ note_id: 1 }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output/note_id it must be string",
    ],
    [
      "another argument",
      { read: output({ note: SECRET }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output/note it is not what the argument `note` is",
    ],
    [
      "a forbidden name",
      { read: output({ password: SECRET }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output/password no output may have a member of this name: it is that of a secret or a control field",
    ],
    [
      "too big",
      { read: output({ note_id: "x".repeat(20_000) }) },
      read,
      "OUTPUT_CONTRACT_VIOLATION",
      "execute: /output it has 20028 bytes, and `limits.outputBytes` allows 16384",
    ],
    [
      "arguments",
      {},
      { input: { note: "", more: SECRET } },
      "INVALID_ARGUMENTS",
      "arguments: there is no member `more`; /note it must NOT have fewer than 1 characters",
    ],
  ];

  test.each(cases)("%s", async (_name, behaviour, sketch, code, said) => {
    const { world, diagnostics } = watched();
    Object.assign(world.service.behaviour, behaviour);
    const answered = await world.dispatch(sketch);
    expect(told(answered)).toBe(code);
    expect(diagnostics.map(short)).toEqual([said]);
    const [{ tool, operationId, callId, run } = {} as Diagnostic] = diagnostics;
    expect([tool, operationId, callId]).toEqual([sketch.tool ?? "write_note", "operation-1", "call-1"]);
    expect(run).toMatch(/^[0-9a-f]{32}$/);
    // Values stay where they are, and nothing of it gets to the model or into the audit.
    expect(
      diagnostics.flatMap(({ problems }) => problems.map(({ problem, remedy }) => problem + remedy)).join(),
    ).not.toContain(SECRET);
    expect(JSON.stringify(answered)).not.toMatch(/threw|s3cret|TypeError/);
  });

  test("what was thrown comes as it was", async () => {
    const { world, diagnostics } = watched();
    const thrown = new Error("no route to host");
    world.service.behaviour.read = () => {
      throw thrown;
    };
    await world.dispatch(read);
    expect(diagnostics[0]?.thrown).toBe(thrown);
  });

  test("nothing is said where nothing went wrong, nor of a refusal that a tool meant", async () => {
    const { world, diagnostics } = watched();
    expect(told(await world.dispatch())).toBe("OK fresh");
    expect(told(await world.dispatch({ ...read, id: "call-2" }))).toBe("OK fresh");
    world.service.behaviour.authorize = () => false;
    expect(told(await world.dispatch({ ...read, id: "call-3" }))).toBe("NOT_FOUND");
    world.service.behaviour.authorize = () => true;
    world.service.behaviour.read = () => {
      throw new NotStarted("RATE_LIMIT");
    };
    expect(told(await world.dispatch({ ...read, id: "call-4" }))).toBe("RATE_LIMIT");
    expect(told(await world.dispatch({ tool: "no_such_tool", id: "call-5" }))).toBe("UNKNOWN_TOOL");
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ["authorize", "NOT_STARTED", "TIMEOUT_BEFORE_EXECUTE"],
    ["begin", "STARTED", "OUTCOME_UNKNOWN"],
  ] as const)("a deadline that passes in %s is said", async (member, _when, code) => {
    const { world, diagnostics } = watched();
    world.service.behaviour[member] = () => new Promise(() => undefined);
    const answered = world.dispatch();
    await calm();
    world.host.advance(900);
    expect(told(await answered)).toBe(code);
    const subject = member === "begin" ? "execute" : member;
    expect(diagnostics.map(short)).toEqual([`${subject}: it had not answered when the deadline of the call passed`]);
  });

  test("a caller that gives up is said", async () => {
    const { world, diagnostics } = watched();
    const caller = new AbortController();
    world.service.behaviour.begin = () => new Promise(() => undefined);
    const answered = world.dispatch({ signal: caller.signal });
    await calm();
    caller.abort();
    expect(told(await answered)).toBe("OUTCOME_UNKNOWN");
    expect(diagnostics.map(short)).toEqual(["execute: it had not answered when the caller gave the call up"]);
  });
});

describe("of a status query", () => {
  const binding = "/binding/status_ref it is not that of the call";
  const cases: readonly [name: string, Behaviour["receipt"], code: string, said: RegExp][] = [
    [
      "throws",
      () => {
        throw new RangeError("no such row");
      },
      "OUTCOME_UNKNOWN",
      /^queryReceipt: it threw: RangeError: no such row$/,
    ],
    ["no binding", (kept) => kept?.answer, "STATUS_CONFLICT", /^queryReceipt: \/binding it is missing$/],
    [
      "an empty binding",
      (kept) => ({ ...kept?.answer, binding: {} }),
      "STATUS_CONFLICT",
      new RegExp(`^queryReceipt: ${binding}; /binding/`),
    ],
    [
      "a digest of another",
      (kept) => ({ ...kept?.answer, binding: "0".repeat(64) }),
      "STATUS_CONFLICT",
      /^queryReceipt: \/binding it is the digest of another call's binding$/,
    ],
    [
      "milliseconds",
      (kept) => ({ ...kept?.answer, binding: kept?.binding, observedAt: "2026-01-02T03:04:05.1Z" }),
      "STATUS_CONFLICT",
      /^queryReceipt: \/observedAt it is no time/,
    ],
  ];

  test.each(cases)("%s", async (_name, receipt, code, said) => {
    const { world, diagnostics } = watched();
    await loseAnswer(world);
    diagnostics.length = 0;
    world.service.behaviour.receipt = receipt;
    expect(told(await world.query())).toBe(code);
    expect(diagnostics.map(short)).toEqual([expect.stringMatching(said)]);
    expect(diagnostics[0]?.callId).toBe("query-1");
  });

  test("a receipt that fits, and one that is not there, are no news", async () => {
    const { world, diagnostics } = watched();
    await loseAnswer(world);
    diagnostics.length = 0;
    const { receipt } = world.service.behaviour;
    world.service.behaviour.receipt = () => null;
    expect(told(await world.query())).toBe("OUTCOME_UNKNOWN");
    world.service.behaviour.receipt = receipt;
    expect(told(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
    expect(diagnostics).toEqual([]);
  });

  test("one whose deadline passes, and one whose arguments do not fit, are said", async () => {
    const { world, diagnostics } = watched();
    await loseAnswer(world);
    diagnostics.length = 0;
    world.service.behaviour.receipt = () => new Promise(() => undefined);
    const answered = world.query();
    await calm();
    world.host.advance(900);
    expect(told(await answered)).toBe("OUTCOME_UNKNOWN");
    expect(told(await world.query({ id: "query-2", input: {}, about: `status_${"0".repeat(32)}` }))).toBe(
      "INVALID_ARGUMENTS",
    );
    expect(diagnostics.map(short)).toEqual([
      "queryReceipt: it had not answered when the deadline of the call passed",
      "arguments: it must have required property 'note'",
    ]);
  });
});

test("an explanation is given exactly where the guard says no", async () => {
  const { world, diagnostics } = watched();
  const member = fc.oneof(
    fc.constantFrom("", " ", "read-producer-v1", "2026-01-02T03:04:05Z", "2026-02-30T03:04:05Z", "milk", "NOTE-1"),
    fc.jsonValue(),
  );
  const changes = fc.dictionary(
    fc.constantFrom(
      "output",
      "producerRevision",
      "resourceRevision",
      "observedAt",
      "requestId",
      "receiptId",
      "binding",
    ),
    member,
    { maxKeys: 2 },
  );
  const inOutput = fc.dictionary(fc.constantFrom("note_id", "note", "secret", "more"), member, { maxKeys: 1 });
  const left = fc.option(fc.constantFrom("output", "requestId", "receiptId"), { freq: 4 });
  let number = 0;
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(changes, inOutput, left, async (change, output, without) => {
      world.service.behaviour.read = (good) => {
        const answer: Record<string, unknown> = { ...good, output: { ...good.output, ...output }, ...change };
        if (without !== null) delete answer[without];
        return answer;
      };
      diagnostics.length = 0;
      number += 1;
      const code = told(await world.dispatch({ ...read, id: `call-${number}` }));
      codes.add(code);
      expect(diagnostics.length).toBe(code === "OUTPUT_CONTRACT_VIOLATION" ? 1 : 0);
    }),
    { numRuns: 1_000 },
  );
  expect([...codes].toSorted()).toEqual(["OK fresh", "OUTPUT_CONTRACT_VIOLATION"]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("the log is full");
    },
  ],
  ["rejects", () => Promise.reject(new Error("the log is full"))],
])("a listener that %s changes nothing", async (_name, onDiagnostic: () => unknown) => {
  const world = openWorld({ onDiagnostic });
  world.service.behaviour.read = () => null;
  expect(told(await world.dispatch(read))).toBe("OUTPUT_CONTRACT_VIOLATION");
  world.service.behaviour.authorize = () => {
    throw new Error(SECRET);
  };
  expect(told(await world.dispatch({ ...read, id: "call-2" }))).toBe("NOT_FOUND");
});

test("what is no function is refused", () => {
  expect(() => openWorld({ onDiagnostic: "console.log" as never })).toThrow(/onDiagnostic/);
});
