import { describe, expect, test } from "vitest";
import { FORGED_TYPES } from "../machines/forged-events.ts";
import { choicesOf, holding, OPERATION_SUBJECT, SUBJECTS, type Subject } from "./subjects.ts";

const yes = (subject: Subject) => subject.engine(holding(subject, subject.guards));
const foreignTo = ({ alphabet }: Subject): readonly string[] =>
  SUBJECTS.flatMap((other) => Object.keys(other.alphabet)).filter((type) => !Object.hasOwn(alphabet, type));

describe.each(SUBJECTS)("$name", (subject) => {
  const engine = yes(subject);
  const { states } = subject.table;
  const feed = (state: string, event: unknown) => engine.step(state, subject.contextIn(state), event);

  test.each(states)("%s refuses every event of another machine", (state) => {
    const codes = foreignTo(subject).map((type) => [type, feed(state, { type })] as const);
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter(([, step]) => step.kind !== "refused" || step.code !== "EVENT_FOREIGN")).toEqual([]);
  });

  test.each(states)("%s refuses every forged type", (state) => {
    const refused = FORGED_TYPES.map((type) => feed(state, { type }));
    expect(refused).toEqual(FORGED_TYPES.map(() => ({ kind: "refused", code: "EVENT_UNKNOWN" })));
  });

  test.each(states)("%s refuses every event of its own machine that it does not answer", (state) => {
    const answered = new Set(subject.table.rows.filter((row) => row.state === state).map(({ event }) => event));
    const others = Object.keys(subject.alphabet).filter((type) => !answered.has(type));
    const refused = others.map((type) => feed(state, subject.event(type)));
    expect(refused).toEqual(others.map(() => ({ kind: "refused", code: "EVENT_OUT_OF_PLACE" })));
  });

  test.each(Object.entries(subject.alphabet))("%s has exactly its members", (type, members) => {
    const [state = ""] = subject.table.rows.filter(({ event }) => event === type).map((row) => row.state);
    const whole = { ...subject.event(type) };
    expect(feed(state, whole)).toHaveProperty("kind", "stepped");
    expect(feed(state, Object.assign(Object.create(null), whole))).toHaveProperty("kind", "stepped");
    const wrong = [
      { ...whole, more: 1 },
      { ...whole, [Symbol("more")]: 1 },
      Object.defineProperty({ ...whole }, "hidden", { value: 1 }),
      ...members.map((member) => ({ ...whole, [member]: undefined })),
      ...members.map((member) => ({ type, ...without(whole, member), [`${member}s`]: 1 })),
      ...choicesOf(members)
        .slice(0, -1)
        .map((some) => ({ type, ...Object.fromEntries(some.map((member) => [member, 1])) })),
    ];
    expect(wrong.map((event) => feed(state, event))).toEqual(wrong.map(() => REFUSED_AS_MALFORMED));
  });
});

const REFUSED_AS_MALFORMED = { kind: "refused", code: "EVENT_MALFORMED" } as const;

class Event {
  readonly type = "identity.claimed";
}

const hostile = (trap: keyof ProxyHandler<object>): object =>
  new Proxy(
    { type: "identity.claimed" },
    {
      [trap]: () => {
        throw new Error("the trap was sprung");
      },
    },
  );

describe("values that are no plain events", () => {
  const { proxy: revoked, revoke } = Proxy.revocable({ type: "identity.claimed" }, {});
  revoke();
  const asked: string[] = [];
  const getter = Object.defineProperty({}, "type", {
    enumerable: true,
    get: () => {
      asked.push("type");
      return "identity.claimed";
    },
  });
  const VALUES: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["a text", "identity.claimed"],
    ["a number", 1],
    ["a function", Object.assign(() => undefined, { type: "identity.claimed" })],
    ["a list", []],
    ["a list with a type", Object.assign([], { type: "identity.claimed" })],
    ["an object without a type", {}],
    ["a type that is no text", { type: ["identity.claimed"] }],
    ["a type that is a text object", { type: Object("identity.claimed") as unknown }],
    ["a type that is inherited", Object.create({ type: "identity.claimed" })],
    ["an object of a class", new Event()],
    ["a getter", getter],
    ["a revoked proxy", revoked],
    ["a proxy that throws on its members", hostile("getOwnPropertyDescriptor")],
    ["a proxy that throws on its names", hostile("ownKeys")],
    ["a proxy that throws on its prototype", hostile("getPrototypeOf")],
  ];

  test.each(VALUES)("%s is malformed", (_what, value) => {
    const step = yes(OPERATION_SUBJECT).step("bound", OPERATION_SUBJECT.contextIn("bound"), value);
    expect(step).toEqual(REFUSED_AS_MALFORMED);
  });

  test("a getter is not asked", () => {
    yes(OPERATION_SUBJECT).step("bound", OPERATION_SUBJECT.contextIn("bound"), getter);
    expect(asked).toEqual([]);
  });

  test("what was checked is what the guards see, whatever a proxy says the second time", () => {
    let told = 0;
    const shifty = new Proxy(
      { type: "tool.refused", code: "RATE_LIMIT" },
      {
        getOwnPropertyDescriptor(target, name) {
          told += name === "code" ? 1 : 0;
          const value: unknown = name === "code" && told > 1 ? "NOT_FOUND" : Reflect.get(target, name);
          return { value, enumerable: true, configurable: true, writable: true };
        },
        get: () => "OTHER",
      },
    );
    const step = yes(OPERATION_SUBJECT).step("executing", OPERATION_SUBJECT.contextIn("executing"), shifty);
    expect(step).toHaveProperty("context.refusal", "RATE_LIMIT");
  });
});

function without(value: object, member: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member && name !== "type"));
}
