import { types } from "node:util";
import { describe, expect, test } from "vitest";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { Behaviour, KeptNote } from "./note-tools.ts";
import { calm, loseAnswer, openWorld, told } from "./world.ts";

type Loose = Record<string, unknown>;
type Good = KeptNote["answer"];

const MARK = "not-for-models";
const boom = (): never => {
  throw new Error(MARK);
};
/** Throws on every look but the one that a promise takes at what it is given. */
const trapping = (target: object): object =>
  new Proxy(target, {
    get: (_target, name) => (name === "then" ? undefined : boom()),
    has: boom,
    ownKeys: boom,
    getPrototypeOf: boom,
    getOwnPropertyDescriptor: boom,
  });
const THEN = ["th", "en"].join("");
/** What a promise takes for one of its kind. */
const thenable = (then: (resolve: (said: unknown) => void, reject: (why: unknown) => void) => void): object => ({
  [THEN]: then,
});
const cyclic: Loose = {};
cyclic["self"] = cyclic;

class Answer {
  output = { note_id: "NOTE-1", note: "milk" };
  producerRevision = "write-producer-v1";
  resourceRevision = null;
  observedAt = "2026-01-02T03:04:05Z";
  requestId = null;
  receiptId = null;
}

const inOutput = (change: Loose) => (good: Good) => ({ ...good, output: { ...good.output, ...change } });
const inAnswer = (change: Loose) => (good: Good) => ({ ...good, ...change });

/** What tools may say that is outside their contract. */
const BAD: Readonly<Record<string, (good: Good) => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  "a text": () => MARK,
  "a number": () => 1,
  "a list": () => [MARK],
  "a function": () => boom,
  "a class instance": () => new Answer(),
  "a map": () => new Map([["output", MARK]]),
  "an error": () => new Error(MARK),
  "a trapping proxy": (good) => trapping(good),
  "a plain proxy": (good) => new Proxy(good, {}),
  "a getter": (good) => Object.defineProperty({ ...good }, "output", { get: () => good.output, enumerable: true }),
  "a getter that throws": (good) => Object.defineProperty({ ...good }, "output", { get: boom, enumerable: true }),
  "with toJSON": (good) => ({ ...good, toJSON: () => good }),
  "a cycle": inOutput({ more: cyclic }),
  "one member more": inAnswer({ note: MARK }),
  "one member less": (good) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== "receiptId")),
  "an undefined member": inAnswer({ requestId: undefined }),
  "no output": inAnswer({ output: null }),
  "a list for an output": inAnswer({ output: [] }),
  "an output with one member more": inOutput({ more: MARK }),
  "an output with an inherited name": inOutput({ constructor: MARK }),
  "an output with __proto__": (good) => ({
    ...good,
    output: JSON.parse(`{"note_id":"NOTE-1","note":"milk","__proto__":"${MARK}"}`) as object,
  }),
  "an output of another argument": inOutput({ note: MARK }),
  "a big integer": inOutput({ note_id: 1n }),
  "not a number": inOutput({ note_id: Number.NaN }),
  "an endless number": inOutput({ note_id: Infinity }),
  "a list with holes": inOutput({ note_id: new Array(3) }),
  "a date": inOutput({ note_id: new Date(0) }),
  "ten megabytes of text": inOutput({ note_id: MARK + "x".repeat(10_000_000) }),
  "more bytes than its limit": inOutput({ note_id: "x".repeat(16_384) }),
  "half of a surrogate pair": inOutput({ note_id: "\ud800" }),
  "a symbol": inOutput({ note_id: Symbol(MARK) }),
  "another producer": inAnswer({ producerRevision: MARK }),
  "a blank resource revision": inAnswer({ resourceRevision: "\u3000" }),
  "a number for a resource revision": inAnswer({ resourceRevision: 7 }),
  "a blank request id": inAnswer({ requestId: "" }),
  "a blank receipt id": inAnswer({ receiptId: " " }),
  "a day that is none": inAnswer({ observedAt: "2026-02-30T00:00:00Z" }),
  "a time with parts of seconds": inAnswer({ observedAt: "2026-01-02T03:04:05.000Z" }),
  "a time of another zone": inAnswer({ observedAt: "2026-01-02T03:04:05+00:00" }),
  "the second 60": inAnswer({ observedAt: "2026-06-30T23:59:60Z" }),
  "the year 0000": inAnswer({ observedAt: "0000-01-01T00:00:00Z" }),
  "digits that are not ASCII": inAnswer({ observedAt: "٢٠٢٦-01-02T03:04:05Z" }),
  "a time that is a date": inAnswer({ observedAt: new Date(0) }),
};

/** A real one whose code was changed afterwards: the constructor takes no other. */
const notStartedWith = (code: unknown): Error => Object.assign(new NotStarted("RATE_LIMIT"), { code });

/** What tools may throw that does not say that nothing has begun. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  nothing: () => undefined,
  "a text": () => MARK,
  "an error": () => new Error(MARK),
  "an error that looks like it": () => Object.assign(new Error(MARK), { name: "NotStarted", code: "RATE_LIMIT" }),
  "a trapping proxy": () => trapping({}),
  "a proxy before the real one": () => trapping(new NotStarted("RATE_LIMIT")),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "one whose code throws": () => Object.defineProperty(new NotStarted("RATE_LIMIT"), "code", { get: boom }),
  "one with a code that only the gate gives": () => notStartedWith("NOT_FOUND"),
  "one with the code of an unknown outcome": () => notStartedWith("OUTCOME_UNKNOWN"),
  "one with the code of a conflict": () => notStartedWith("IDEMPOTENCY_CONFLICT"),
  "one with a code that is none": () => notStartedWith("toString"),
  "one with a code that is a list": () => notStartedWith(["RATE_LIMIT"]),
  "one whose code changes": () => {
    let reads = 0;
    return Object.defineProperty(new NotStarted("RATE_LIMIT"), "code", {
      get: () => (reads++ === 0 ? "CANCELLED" : "RATE_LIMIT"),
    });
  },
};

const WAYS: Readonly<Record<string, (say: () => unknown) => unknown>> = {
  "at once": (say) => say(),
  promised: async (say) => {
    await Promise.resolve();
    return say();
  },
  "in a thenable": (say) =>
    thenable((resolve: (said: unknown) => void) => {
      resolve(say());
    }),
};

const tells = (result: Awaited<ReturnType<ReturnType<typeof openWorld>["dispatch"]>>): string => {
  expect(JSON.stringify(result)).not.toContain(MARK);
  return told(result);
};

describe("an answer outside the contract becomes a controlled code, and nothing of it is passed on", () => {
  const cases = Object.keys(BAD).flatMap((what) => Object.keys(WAYS).map((way) => [what, way] as const));
  test.each(cases)("a write says %s, %s", async (what, way) => {
    const world = openWorld();
    world.service.behaviour.answer = (good) => WAYS[way]?.(() => BAD[what]?.(good));
    const result = await world.dispatch();
    expect(tells(result)).toBe("OUTPUT_CONTRACT_VIOLATION");
    expect(result.protected_audit.downstream.status_ref).toMatch(/^status_[0-9a-f]{32}$/);
    expect(tells(await world.dispatch({ id: "call-2" }))).toBe("OUTCOME_UNKNOWN");
    expect(tells(await world.query())).toBe("OK receipt_reconciled");
    expect(world.service.effects).toBe(1);
  });

  test.each(Object.keys(BAD))("a read says %s", async (what) => {
    const world = openWorld();
    world.service.behaviour.read = (good) => BAD[what]?.({ ...good, receiptId: null });
    const result = await world.dispatch({ tool: "read_note" });
    expect(tells(result)).toBe("OUTPUT_CONTRACT_VIOLATION");
    expect(result.protected_audit.downstream.status_ref).toBe(null);
  });

  test("a read that claims a receipt is not the read that was registered", async () => {
    const world = openWorld();
    world.service.behaviour.read = inAnswer({ receiptId: "receipt-1" });
    expect(told(await world.dispatch({ tool: "read_note" }))).toBe("OUTPUT_CONTRACT_VIOLATION");
  });

  test.each(Object.keys(BAD).filter((what) => what !== "nothing" && what !== "null"))(
    "a receipt says %s: it contradicts",
    async (what) => {
      const world = openWorld();
      await loseAnswer(world);
      world.service.behaviour.receipt = (kept) => {
        if (kept === null) return null;
        const said = BAD[what]?.(kept.answer);
        if (typeof said !== "object" || said === null || types.isProxy(said)) return said;
        if (Object.getPrototypeOf(said) !== Object.prototype) return said;
        return Object.defineProperties({ binding: kept.binding }, Object.getOwnPropertyDescriptors(said));
      };
      expect(tells(await world.query())).toBe("STATUS_CONFLICT");
      expect(tells(await world.dispatch({ id: "call-2" }))).toBe("STATUS_CONFLICT");
    },
  );

  test.each([[null], [undefined]])("a receipt of %s is none", async (nothing) => {
    const world = openWorld();
    await loseAnswer(world);
    const good = world.service.behaviour.receipt;
    world.service.behaviour.receipt = () => nothing;
    expect(told(await world.query())).toBe("OUTCOME_UNKNOWN");
    world.service.behaviour.receipt = good;
    expect(told(await world.query())).toBe("OK receipt_reconciled");
  });
});

describe("only the real thing says that nothing has begun", () => {
  const cases = Object.keys(THROWN).flatMap((what) => Object.keys(WAYS).map((way) => [what, way] as const));
  const throwing = (what: string, way: string) => (): unknown =>
    WAYS[way]?.(() => {
      throw THROWN[what]?.();
    });

  test.each(cases)("a write throws %s, %s: it is unknown", async (what, way) => {
    const world = openWorld();
    world.service.behaviour.answer = throwing(what, way);
    expect(tells(await world.dispatch())).toBe("OUTCOME_UNKNOWN");
    expect(tells(await world.dispatch({ id: "call-2" }))).toBe("OUTCOME_UNKNOWN");
    expect(world.service.effects).toBe(1);
  });

  test.each(cases)("a read throws %s, %s", async (what, way) => {
    const world = openWorld();
    world.service.behaviour.read = throwing(what, way);
    expect(tells(await world.dispatch({ tool: "read_note" }))).toBe("TOOL_ERROR");
  });

  test.each(cases)("a receipt throws %s, %s: it cannot be had", async (what, way) => {
    const world = openWorld();
    await loseAnswer(world);
    const good = world.service.behaviour.receipt;
    world.service.behaviour.receipt = throwing(what, way);
    expect(tells(await world.query())).toBe("OUTCOME_UNKNOWN");
    world.service.behaviour.receipt = good;
    expect(tells(await world.query({ id: "query-2" }))).toBe("OK receipt_reconciled");
  });

  test.each(["RATE_LIMIT", "TOOL_ERROR", "TIMEOUT_BEFORE_EXECUTE"] as const)(
    "NotStarted %s gives everything back",
    async (code) => {
      const world = openWorld();
      const { begin } = world.service.behaviour;
      world.service.behaviour.begin = () => {
        throw new NotStarted(code, { cause: new Error(MARK) });
      };
      expect(tells(await world.dispatch())).toBe(code);
      world.service.behaviour.begin = begin;
      // The same call, with the same approval.
      expect(tells(await world.dispatch())).toBe("OK fresh");
    },
  );
});

describe("only the value true grants", () => {
  const YES: Readonly<Record<string, () => unknown>> = {
    true: () => true,
    "a promise of true": () => Promise.resolve(true),
    "a thenable of true": () =>
      thenable((resolve) => {
        resolve(true);
      }),
  };
  const NO: Readonly<Record<string, () => unknown>> = {
    false: () => false,
    1: () => 1,
    "the text true": () => "true",
    "an object": () => ({}),
    "a list": () => [true],
    "a boxed true": (): unknown => Object(true),
    "a function": () => () => true,
    nothing: () => undefined,
    null: () => null,
    "a promise of 1": () => Promise.resolve(1),
    "a promise of a boxed true": () => Promise.resolve<unknown>(Object(true)),
    "a promise of a promise of false": () => Promise.resolve(Promise.resolve(false)),
    "a thenable of yes": () =>
      thenable((resolve) => {
        resolve("yes");
      }),
    "a thenable that refuses": () =>
      thenable((_resolve, reject) => {
        reject(MARK);
      }),
    "a thenable that throws": () => thenable(boom),
    "a getter for then that throws": () => Object.defineProperty({}, THEN, { get: boom }),
    "a trapping proxy": () => trapping({}),
    ...Object.fromEntries(
      Object.entries(THROWN).map(([what, thrown]) => [
        `throws ${what}`,
        () => {
          throw thrown();
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(THROWN).map(([what, thrown]) => [
        `promises and throws ${what}`,
        async () => {
          throw thrown();
        },
      ]),
    ),
  };
  const checks: readonly (readonly [keyof Behaviour, string])[] = [
    ["authorize", "NOT_FOUND"],
    ["precondition", "BUSINESS_RULE_VIOLATION"],
  ];

  test.each(checks.flatMap(([check]) => Object.keys(YES).map((what) => [check, what] as const)))(
    "%s says %s: granted",
    async (check, what) => {
      const world = openWorld();
      Object.assign(world.service.behaviour, { [check]: YES[what] });
      expect(told(await world.dispatch())).toBe("OK fresh");
    },
  );

  test.each(checks.flatMap(([check, code]) => Object.keys(NO).map((what) => [check, what, code] as const)))(
    "%s says or does: %s",
    async (check, what, code) => {
      const world = openWorld();
      Object.assign(world.service.behaviour, { [check]: NO[what] });
      expect(tells(await world.dispatch())).toBe(code);
      expect(world.service.effects).toBe(0);
      const failed = /throws|refuses/.test(what);
      const cautious = world.notices.filter((notice) => "failed" in notice && notice.failed);
      expect(cautious.map(({ event }) => event)).toEqual(
        failed ? [check === "authorize" ? "access.denied" : "business.refused"] : [],
      );
    },
  );

  test.each(Object.keys(NO))("a query's authorize says or does: %s", async (what) => {
    const world = openWorld();
    await loseAnswer(world);
    Object.assign(world.service.behaviour, { authorize: NO[what] });
    expect(tells(await world.query())).toBe("NOT_FOUND");
  });
});

test("a tool that goes on after it was given up is not heard, whatever it says", async () => {
  for (const late of [...Object.values(BAD).slice(0, 12), boom]) {
    const world = openWorld();
    const caller = new AbortController();
    let say: (said: unknown) => void = () => undefined;
    world.service.behaviour.answer = () =>
      new Promise((resolve) => {
        say = resolve;
      });
    const running = world.dispatch({ signal: caller.signal });
    await calm();
    caller.abort();
    expect(told(await running)).toBe("OUTCOME_UNKNOWN");
    say(Promise.resolve().then(() => late({} as Good)));
    await calm();
    expect(told(await world.query())).toBe("OK receipt_reconciled");
  }
});
