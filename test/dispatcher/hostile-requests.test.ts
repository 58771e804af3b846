import { describe, expect, test } from "vitest";
import type { DispatchRequest } from "../../src/dispatcher/request.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";
import { PROFILES } from "../../src/protocol/call.ts";
import { dispatchRequest, openWorld, START_SECONDS, statusQueryRequest, told, USER, type World } from "./world.ts";

type Loose = Record<string, unknown>;

const MARK = "not-for-hosts";
const boom = (): never => {
  throw new Error(MARK);
};
const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const trapping = (target: object): object => new Proxy(target, { get: boom, ownKeys: boom, getPrototypeOf: boom });

/** Values that no member of a request may be. */
const NEVER: Readonly<Record<string, unknown>> = {
  "a number": 7,
  "a text of spaces": " \u3000\u0085",
  "an empty text": "",
  "a text too long": "x".repeat(256),
  "half of a surrogate pair": "\ud800",
  true: true,
  "a list": [[]],
  "a class instance": new Date(0),
  "a function": () => 1,
  "a symbol": Symbol("x"),
  "a revoked proxy": revoked({}),
  "a trapping proxy": trapping({}),
  "a big integer": 1n,
};

async function codeOf(running: Promise<unknown>): Promise<string> {
  try {
    await running;
    return "answered";
  } catch (error) {
    if (!(error instanceof CallgateError)) return `not coded: ${String(error)}`;
    if (error.message.includes(MARK) || error.message.includes("\n")) return `told too much: ${error.message}`;
    return error.code;
  }
}

const requestIn = (world: World): Loose => ({ ...dispatchRequest(world.gate, {}, START_SECONDS) });
const queryIn = (world: World): Loose => ({ ...statusQueryRequest(world.gate, {}) });

/** What stands wrong where, and the code of the failure. */
interface Wrong {
  readonly what: string;
  readonly code: string;
  readonly change: (request: Loose) => unknown;
}

const inMember = (member: string, names: readonly string[], code: string): Wrong[] =>
  names.flatMap((name) => [
    ...Object.entries(NEVER).map(([what, value]) => ({
      what: `${member}.${name}: ${what}`,
      code,
      change: (request: Loose) => ({ ...request, [member]: { ...(request[member] as Loose), [name]: value } }),
    })),
    {
      what: `${member} without ${name}`,
      code,
      change: (request: Loose) => {
        const { [name]: _gone, ...rest } = request[member] as Loose;
        return { ...request, [member]: rest };
      },
    },
  ]);

const context = [
  "provider",
  "api_family",
  "response_id",
  "call_id",
  "operation_id",
  "idempotency_key",
  "adapter_revision",
];
const ODD_ROLES: readonly (readonly [string, unknown])[] = [
  ["too many", Array.from({ length: 33 }, (_, index) => `role-${String(index).padStart(2, "0")}`)],
  ["unsorted", ["b", "a"]],
  ["twice", ["a", "a"]],
  ["sorted by unit, not by code point", ["\u{1f600}", "\uffee"]],
  ["one that is blank", [" "]],
  ["with a hole", [, "a"]], // oxlint-disable-line no-sparse-arrays -- what the test is about
  ["a list in disguise", { length: 1, 0: "a" }],
  ["a trapping proxy", trapping([])],
];

const WRONG: readonly Wrong[] = [
  ...Object.entries({ ...NEVER, null: null, undefined }).map(([what, value]) => ({
    what: `the request: ${what}`,
    code: "REQUEST_INVALID",
    change: () => value,
  })),
  ...["principal", "executionContext", "proposal"].map((member) => ({
    what: `without ${member}`,
    code: "REQUEST_INVALID",
    change: (request: Loose) => Object.fromEntries(Object.entries(request).filter(([name]) => name !== member)),
  })),
  { what: "one member more", code: "REQUEST_INVALID", change: (request) => ({ ...request, tool: "write_note" }) },
  {
    what: "__proto__ as a member",
    code: "REQUEST_INVALID",
    change: (request) => Object.defineProperty({ ...request }, "__proto__", { value: {}, enumerable: true }),
  },
  {
    what: "a getter that throws",
    code: "REQUEST_INVALID",
    change: (request) => Object.defineProperty({ ...request }, "proposal", { get: boom, enumerable: true }),
  },
  ...[null, undefined, 7, "user-1", [], () => 1].map((value) => ({
    what: `the principal: ${typeof value}`,
    code: "PRINCIPAL_INVALID",
    change: (request: Loose) => ({ ...request, principal: value }),
  })),
  ...inMember("principal", ["tenant_id", "subject_id"], "PRINCIPAL_INVALID"),
  ...ODD_ROLES.map(([what, value]) => ({
    what: `roles: ${what}`,
    code: what === "a trapping proxy" ? "REQUEST_INVALID" : "PRINCIPAL_INVALID",
    change: (request: Loose) => ({ ...request, principal: { ...USER, roles: value } }),
  })),
  {
    what: "an admin flag",
    code: "PRINCIPAL_INVALID",
    change: (request) => ({ ...request, principal: { ...USER, admin: true } }),
  },
  ...inMember("executionContext", context, "CONTEXT_INVALID"),
  {
    what: "a context with more",
    code: "CONTEXT_INVALID",
    change: (request) => ({ ...request, executionContext: { ...(request["executionContext"] as Loose), trace: "t" } }),
  },
  ...[
    { provider: "mistral" },
    { api_family: "chat" },
    { adapter_revision: "openai-responses-v2" },
    { provider: PROFILES[1].provider },
  ].map((change) => ({
    what: `profile: ${JSON.stringify(change)}`,
    code: "PROFILE_UNREGISTERED",
    change: (request: Loose) => ({
      ...request,
      executionContext: { ...(request["executionContext"] as Loose), ...change },
    }),
  })),
  ...Object.entries(NEVER).map(([what, value]) => ({
    what: `name: ${what}`,
    code: "NAME_INVALID",
    change: (request: Loose) => ({ ...request, proposal: { name: value, arguments: {} } }),
  })),
  {
    what: "a proposal with a call id",
    code: "REQUEST_INVALID",
    change: (request) => ({ ...request, proposal: { name: "write_note", arguments: {}, call_id: "x" } }),
  },
  ...[
    7,
    {},
    "abort",
    { aborted: false },
    Object.create(AbortSignal.prototype) as object,
    trapping(AbortSignal.abort()),
  ].map((signal, index) => ({
    what: `signal: ${index}`,
    code: "REQUEST_INVALID",
    change: (request: Loose) => ({ ...request, signal }),
  })),
];

const cyclic: Loose = {};
cyclic["self"] = cyclic;
const deep = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

/** Arguments that cannot be hashed. */
const UNHASHABLE: Readonly<Record<string, unknown>> = {
  undefined,
  "a function": () => 1,
  "a big integer": 1n,
  "not a number": Number.NaN,
  infinite: { n: -Infinity },
  "a cycle": cyclic,
  "too deep": deep(34),
  "a getter": Object.defineProperty({}, "note", { get: boom, enumerable: true }),
  "a proxy": new Proxy({ note: "milk" }, {}),
  "a revoked proxy": revoked({}),
  "a date": new Date(0),
  "a map": new Map(),
  "a text object": Object("milk"),
  "with toJSON": { toJSON: () => ({ note: "milk" }) },
  "a hole": { note: new Array(1) },
  "too many members": Array.from({ length: 1_025 }, () => 0),
  "too long a text": { note: "x".repeat(65_537) },
  "half of a surrogate pair": { note: "\udfff" },
  "a symbol for a name": { [Symbol("note")]: 1 },
  "undefined inside": { note: undefined },
};

describe("a dispatch that is malformed is a host error, and asks nobody", () => {
  test.each(WRONG)("$what: $code", async ({ change, code }) => {
    const world = openWorld();
    const request = change(requestIn(world)) as DispatchRequest;
    expect(await codeOf(world.gate.dispatch(request))).toBe(code);
    expect(world.service.asked).toEqual([]);
    expect(world.notices).toEqual([]);
    expect(told(await world.dispatch())).toBe("OK fresh");
  });

  test.each(Object.keys(UNHASHABLE))("arguments that are %s, also for a tool that nobody registered", async (which) => {
    const world = openWorld();
    for (const name of ["write_note", "burn_note"]) {
      const request = { ...requestIn(world), proposal: { name, arguments: UNHASHABLE[which] } };
      expect(await codeOf(world.gate.dispatch(request as never))).toBe("ARGUMENTS_UNHASHABLE");
    }
    expect(world.service.asked).toEqual([]);
  });

  test.each([-1, 0.5, Number.NaN, Infinity, 253_402_300_800, "now", null, undefined, 1n])(
    "a clock that says %s",
    async (now) => {
      const world = openWorld();
      const request = requestIn(world);
      world.host.setNow(now as never);
      expect(await codeOf(world.gate.dispatch(request as never))).toBe("CLOCK_INVALID");
      expect(world.service.asked).toEqual([]);
    },
  );
});

test("lists are read by their indices, once", async () => {
  const world = openWorld();
  const endless = function* () {
    for (;;) yield "a";
  };
  const roles = Object.assign(["a"], { [Symbol.iterator]: endless });
  expect(told(await world.dispatch({ by: { ...USER, roles } }))).toBe("OK fresh");
});

describe("a query that is malformed is a host error, and asks nobody", () => {
  const refs: readonly Wrong[] = [
    null,
    undefined,
    7,
    "",
    "status_",
    `status_${"A".repeat(32)}`,
    `status_${"0".repeat(33)}`,
    `Status_${"0".repeat(32)}`,
    `status_${"0".repeat(32)}\n`,
  ].map((statusRef) => ({
    what: `statusRef: ${JSON.stringify(statusRef)}`,
    code: "STATUS_REF_INVALID",
    change: (request: Loose) => ({ ...request, statusRef }),
  }));
  const digests: readonly Wrong[] = [
    null,
    undefined,
    7,
    "",
    "0".repeat(63),
    "A".repeat(64),
    `sha256:${"0".repeat(64)}`,
    `${"0".repeat(64)}\n`,
  ].map((expectedRequestSha256) => ({
    what: `digest: ${JSON.stringify(expectedRequestSha256)}`,
    code: "EXPECTED_DIGEST_INVALID",
    change: (request: Loose) => ({ ...request, expectedRequestSha256 }),
  }));
  const approvals: Wrong = {
    what: "with approvals",
    code: "REQUEST_INVALID",
    change: (request) => ({ ...request, approvals: [] }),
  };

  test.each([...WRONG, ...refs, ...digests, approvals])("$what: $code", async ({ change, code }) => {
    const world = openWorld();
    expect(await codeOf(world.gate.queryStatus(change(queryIn(world)) as never))).toBe(code);
    expect(world.notices).toEqual([]);
  });
});

describe("arguments that are data, however odd, are only wrong", () => {
  const odd: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["a list", []],
    ["a text", "milk"],
    ["__proto__ as a member", JSON.parse('{"note":"milk","__proto__":{"admin":true}}')],
    ["constructor as a member", { note: "milk", constructor: { prototype: { admin: true } } }],
    ["without a prototype, and one more", Object.assign(Object.create(null) as object, { note: "milk", more: 1 })],
    ["as deep as can be", { note: deep(31) }],
  ];
  test.each(odd)("%s", async (_which, input) => {
    const world = openWorld();
    expect(told(await world.dispatch({ input }))).toBe("INVALID_ARGUMENTS");
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });

  test.each([
    ["without a prototype", Object.assign(Object.create(null) as object, { note: "milk" })],
    ["frozen", Object.freeze({ note: "milk" })],
  ])("fine: %s", async (_which, input) => {
    expect(told(await openWorld().dispatch({ input }))).toBe("OK fresh");
  });
});

describe("approvals are a list, whatever is in it", () => {
  const lists: readonly (readonly [string, unknown, string])[] = [
    ["null", null, "APPROVAL_REQUIRED"],
    ["undefined", undefined, "APPROVAL_REQUIRED"],
    ["empty", [], "APPROVAL_REQUIRED"],
    ["rubbish", [null, 7, "yes", [], {}, trapping({}), revoked({}), () => true, cyclic], "APPROVAL_INVALID"],
    ["a hole", new Array(1), "APPROVAL_INVALID"],
    ["a text", "yes", "REQUEST_INVALID"],
    ["an approval alone", {}, "REQUEST_INVALID"],
    ["a list in disguise", { length: 1, 0: {} }, "REQUEST_INVALID"],
    ["more than can be meant", new Array(4_000_000_000), "REQUEST_INVALID"],
    ["a trapping proxy", trapping([]), "REQUEST_INVALID"],
    ["a revoked proxy", revoked([]), "REQUEST_INVALID"],
    ["a list that maps as it likes", Object.assign([{}], { map: boom }), "APPROVAL_INVALID"],
  ];
  test.each(lists)("%s", async (_which, approvals, expected) => {
    const world = openWorld();
    const request = { ...requestIn(world), approvals };
    const code = await world.gate
      .dispatch(request as never)
      .then(told, async (error: unknown) => codeOf(Promise.reject(error as Error)));
    expect(code).toBe(expected);
  });
});
