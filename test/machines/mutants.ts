import { and, createMachine, type AnyStateMachine } from "xstate";
import type { CheckName } from "./checks.ts";

/** A machine's configuration, open to change. */
export interface OpenConfig {
  states: Record<string, OpenState>;
  [member: string]: unknown;
}

/** A state, open to change. */
export interface OpenState {
  on?: Record<string, OpenBranch | OpenBranch[]>;
  [member: string]: unknown;
}

/** A branch, open to change. */
export interface OpenBranch {
  guard?: unknown;
  target?: unknown;
  actions?: unknown[];
  [member: string]: unknown;
}

/** One fault put into a machine, and the checks that must see it: no fewer, and no more. */
export interface Mutant {
  readonly fault: string;
  readonly machine: "operation" | "status_query" | "approval";
  readonly put: (config: OpenConfig) => void;
  readonly seenBy: readonly CheckName[];
}

/** The machine with a fault put into a copy of its configuration. */
export function mutated(machine: AnyStateMachine, put: (config: OpenConfig) => void): AnyStateMachine {
  const config = copied(machine.config as OpenConfig);
  put(config);
  const mutant: AnyStateMachine = createMachine(config as Parameters<typeof createMachine>[0]);
  return mutant.provide(machine.implementations);
}

/** The branches of an event. */
export function branchesOf(config: OpenConfig, state: string, event: string): OpenBranch[] {
  const branches = config.states[state]?.on?.[event];
  if (branches === undefined) throw new TypeError(`${state} does not answer ${event}`);
  return Array.isArray(branches) ? branches : [branches];
}

function branchOf(config: OpenConfig, state: string, event: string, index = 0): OpenBranch {
  const branch = branchesOf(config, state, event)[index];
  if (branch === undefined) throw new TypeError(`${state} has no such branch of ${event}`);
  return branch;
}

function stateOf(config: OpenConfig, name: string): OpenState {
  const state = config.states[name];
  if (state === undefined) throw new TypeError(`there is no state ${name}`);
  return state;
}

function answer(config: OpenConfig, state: string, event: string, branches: OpenBranch | OpenBranch[]): void {
  const open = stateOf(config, state);
  open.on = { ...open.on, [event]: branches };
}

function copied<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copied) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)])) as Value;
}

/** Of each machine: a state that answers something, an event of it, another state, and an end. */
interface Place {
  readonly state: string;
  readonly event: string;
  readonly other: string;
  readonly end: string;
}

const PLACES = {
  operation: { state: "unknown", event: "status.queried", other: "querying", end: "rejected" },
  status_query: { state: "asking", event: "owner.disputed", other: "answered", end: "rejected" },
  approval: { state: "granted", event: "grant.voided", other: "reserved", end: "voided" },
} as const satisfies Record<Mutant["machine"], Place>;

interface Fault {
  readonly fault: string;
  readonly put: (config: OpenConfig, place: Place) => void;
  readonly seenBy: readonly CheckName[];
  /** The checks that see it beside those in the operation, whose place is `unknown`: the exits of that are looked for. */
  readonly seenAtUnknownBy?: readonly CheckName[];
}

const EXIT: readonly CheckName[] = ["static", "dynamic"];

/** Faults that any machine can have. */
const FAULTS: readonly Fault[] = [
  {
    fault: "an always",
    put: (config, { state, other }) => void (stateOf(config, state)["always"] = { target: other }),
    seenBy: ["dialect"],
    seenAtUnknownBy: EXIT,
  },
  {
    fault: "an after",
    put: (config, { state, other }) => void (stateOf(config, state)["after"] = { 1000: { target: other } }),
    seenBy: ["dialect"],
    seenAtUnknownBy: EXIT,
  },
  {
    fault: "a wildcard",
    put: (config, { state, other }) => answer(config, state, "*", { target: other }),
    seenBy: ["dialect"],
    seenAtUnknownBy: EXIT,
  },
  {
    fault: "a partial wildcard",
    put: (config, { state, other }) => answer(config, state, "status.*", { target: other }),
    seenBy: ["dialect"],
    seenAtUnknownBy: EXIT,
  },
  {
    fault: "an on at the root",
    put: (config, { event, other }) => void (config["on"] = { [event]: { target: `.${other}` } }),
    seenBy: ["dialect", ...EXIT],
  },
  {
    fault: "a wildcard at the root",
    put: (config, { other }) => void (config["on"] = { "*": { target: `.${other}` } }),
    seenBy: ["dialect", ...EXIT],
  },
  {
    fault: "an always at the root",
    put: (config, { other }) => void (config["always"] = { guard: () => false, target: `.${other}` }),
    seenBy: ["dialect", "static"],
  },
  {
    fault: "an entry",
    put: (config, { state }) => void (stateOf(config, state)["entry"] = [() => undefined]),
    seenBy: ["dialect"],
    seenAtUnknownBy: ["static"],
  },
  {
    fault: "an exit",
    put: (config, { state }) => void (stateOf(config, state)["exit"] = [() => undefined]),
    seenBy: ["dialect"],
    seenAtUnknownBy: ["static"],
  },
  {
    fault: "an invoke",
    put: (config, { state }) => void (stateOf(config, state)["invoke"] = { src: "child" }),
    seenBy: ["dialect"],
    seenAtUnknownBy: ["static"],
  },
  {
    fault: "a nested state",
    put: (config, { state }) => void Object.assign(stateOf(config, state), { initial: "inner", states: { inner: {} } }),
    seenBy: ["dialect"],
    seenAtUnknownBy: ["dynamic"],
  },
  {
    fault: "an end that answers",
    put: (config, { event, other, end }) => answer(config, end, event, { target: other }),
    seenBy: ["dialect", ...EXIT],
  },
  {
    fault: "an end that is none",
    put: (config, { event, other, end }) => void (config.states[end] = { on: { [event]: { target: other } } }),
    seenBy: ["golden", "promises", ...EXIT],
  },
  {
    fault: "a misspelt guard",
    put: (config, { state, event }) => void (branchOf(config, state, event)["gaurd"] = "isWrite"),
    seenBy: ["dialect"],
  },
  {
    fault: "a guard that is a function",
    put: (config, { state, event, other, end }) =>
      answer(config, state, event, [{ guard: () => true, target: other }, { target: end }]),
    seenBy: ["dialect"],
  },
  {
    fault: "a guard combined of others",
    put: (config, { state, event, other, end }) =>
      answer(config, state, event, [{ guard: and([() => true]), target: other }, { target: end }]),
    seenBy: ["dialect"],
  },
  {
    fault: "no branch without a guard",
    put: (config, { state, event, other }) => answer(config, state, event, { guard: "isWrite", target: other }),
    seenBy: ["dialect"],
  },
  {
    fault: "an action that is a function",
    put: (config, { state, event }) => void (branchOf(config, state, event).actions = [() => undefined]),
    seenBy: ["dialect"],
  },
  {
    fault: "an action that nobody implements",
    put: (config, { state, event }) => void (branchOf(config, state, event).actions = ["setle"]),
    seenBy: ["complete"],
  },
  {
    fault: "a guard that nobody declared",
    put: (config, { state, event, other, end }) =>
      answer(config, state, event, [{ guard: "isWirte", target: other }, { target: end }]),
    seenBy: ["complete"],
  },
  {
    fault: "an event outside the alphabet",
    put: (config, { state, other }) => answer(config, state, "tool.finished", { target: other }),
    seenBy: ["dialect"],
    seenAtUnknownBy: ["static"],
  },
  {
    fault: "a state outside the words",
    put: (config) => void (config.states["limbo"] = { type: "final" }),
    seenBy: ["dialect"],
  },
  {
    fault: "another start",
    put: (config, { state }) => void (config["initial"] = state),
    seenBy: ["golden", "words"],
  },
];

/** Faults of one machine's own: the table they make is a table still, and only what it says is wrong. */
const OWN: readonly Mutant[] = [
  {
    fault: "another exit from unknown",
    machine: "operation",
    put: (config) => answer(config, "unknown", "receipt.found", { target: "fresh" }),
    seenBy: ["golden", "promises", "static", "dynamic"],
  },
  {
    fault: "the query's guard dropped",
    machine: "operation",
    put: (config) => answer(config, "unknown", "status.queried", { target: "querying", actions: ["fetchReceipt"] }),
    seenBy: ["golden", "words", "promises"],
  },
  {
    fault: "the approval's guard dropped",
    machine: "operation",
    put: (config) =>
      answer(config, "permitted", "approval.presented", { target: "approved", actions: ["recordIntent"] }),
    seenBy: ["golden", "words", "promises"],
  },
  {
    fault: "a lost outcome of a write called a known no",
    machine: "operation",
    put: (config) => void (branchOf(config, "executing", "outcome.lost", 1).target = "rejected"),
    seenBy: ["golden", "promises"],
  },
  {
    fault: "the branches of the settled scope swapped in all but their guards",
    machine: "operation",
    put: (config) => {
      const [matches, other] = branchesOf(config, "authorized", "scope.settled");
      if (matches === undefined || other === undefined) throw new TypeError("there are no two branches");
      answer(config, "authorized", "scope.settled", [
        { ...other, guard: matches.guard },
        { target: matches.target, actions: matches.actions ?? [] },
      ]);
    },
    seenBy: ["golden"],
  },
  {
    fault: "two guarded branches swapped",
    machine: "operation",
    put: (config) => branchesOf(config, "identified", "access.granted").splice(0, 2, ...swapped(config)),
    seenBy: ["golden"],
  },
  {
    fault: "a run of the tool that is not ordered",
    machine: "operation",
    put: (config) => void (branchOf(config, "approved", "intent.recorded").actions = []),
    seenBy: ["golden", "words", "promises"],
  },
  {
    fault: "a settlement that is not ordered",
    machine: "operation",
    put: (config) => void branchOf(config, "executing", "tool.returned").actions?.pop(),
    seenBy: ["golden", "promises"],
  },
  {
    fault: "a wait that does not know how it ends",
    machine: "operation",
    put: (config) => void delete stateOf(config, "approved").on?.["wait.expired"],
    seenBy: ["golden", "answered"],
  },
  {
    fault: "a deadline that the authorizer does not know",
    machine: "status_query",
    put: (config) => void delete stateOf(config, "identified").on?.["deadline.passed"],
    seenBy: ["golden", "answered"],
  },
  {
    fault: "a record that need not match",
    machine: "status_query",
    put: (config) =>
      answer(config, "asking", "owner.settled", {
        target: "answered",
        actions: [{ type: "succeed", params: { delivery: "local_replay" } }],
      }),
    seenBy: ["golden", "promises"],
  },
  {
    fault: "an owner that is not asked",
    machine: "status_query",
    put: (config) => void (branchOf(config, "authorized", "owner.found").actions = []),
    seenBy: ["golden", "words", "promises"],
  },
  {
    fault: "a code that is none",
    machine: "status_query",
    put: (config) =>
      void (branchOf(config, "asking", "owner.disputed").actions = [{ type: "refuse", params: { code: "CONFLICT" } }]),
    seenBy: ["dialect"],
  },
  {
    fault: "a refusal without its code",
    machine: "status_query",
    put: (config) => void (branchOf(config, "asking", "owner.disputed").actions = ["refuse"]),
    seenBy: ["dialect"],
  },
  {
    fault: "a grant consumed without a reservation",
    machine: "approval",
    put: (config) => answer(config, "granted", "grant.consumed", { target: "consumed" }),
    seenBy: ["golden", "promises"],
  },
  {
    fault: "a consumed grant granted twice",
    machine: "approval",
    put: (config) => void (branchOf(config, "consumed", "grant.released").actions = []),
    seenBy: ["golden", "promises"],
  },
  {
    fault: "a denial that grants",
    machine: "approval",
    put: (config) => void (branchOf(config, "requested", "request.denied").target = "granted"),
    seenBy: ["golden", "words", "promises"],
  },
];

/** Every seeded fault. */
export const MUTANTS: readonly Mutant[] = [
  ...FAULTS.flatMap(({ fault, put, seenBy, seenAtUnknownBy = [] }) =>
    Object.entries(PLACES).map(([machine, place]) => ({
      fault,
      machine: machine as Mutant["machine"],
      put: (config: OpenConfig) => put(config, place),
      seenBy: machine === "operation" ? [...seenBy, ...seenAtUnknownBy] : seenBy,
    })),
  ),
  ...OWN,
];

function swapped(config: OpenConfig): OpenBranch[] {
  return branchesOf(config, "identified", "access.granted").slice(0, 2).toReversed();
}
