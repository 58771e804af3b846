import { CallgateError } from "../errors/callgate-error.ts";
import { readParams, type ActionParams } from "./action-params.ts";

/** One action of a branch, as the machine writes it. */
export interface WrittenAction {
  readonly type: string;
  readonly params: ActionParams;
}

/** One branch of an event, as the machine writes it. */
export interface WrittenBranch {
  readonly guard: string | null;
  /** Null stays. */
  readonly target: string | null;
  readonly actions: readonly WrittenAction[];
}

/** One state, as the machine writes it. */
export interface WrittenState {
  readonly final: boolean;
  readonly on: ReadonlyMap<string, readonly WrittenBranch[]>;
}

/** A machine that keeps to the dialect: flat, with named guards and actions, and nothing that happens by itself. */
export interface WrittenMachine {
  readonly id: string;
  readonly initial: string;
  readonly states: ReadonlyMap<string, WrittenState>;
}

const MACHINE_MEMBERS = ["id", "initial", "context", "states"];
const STATE_MEMBERS = ["type", "on"];
const BRANCH_MEMBERS = ["guard", "target", "actions"];
const ACTION_MEMBERS = ["type", "params"];

/**
 * Reads the configuration of an XState machine, by lists of allowed members: XState itself takes a misspelt `gaurd` for
 * no guard at all.
 * Errors: MACHINE_OUT_OF_DIALECT, with the place.
 */
export function readMachine(config: unknown): WrittenMachine {
  const machine = membersOf(config, "machine");
  // `setup` always adds this member; it carries nothing unless somebody gave schemas.
  if (machine.get("schemas") === undefined) machine.delete("schemas");
  allowOnly(machine, MACHINE_MEMBERS, "machine");
  const id = textIn(machine, "id", "machine");
  if (typeof machine.get("context") !== "function") refuse(id, "context must be a function of the input");
  const states = new Map<string, WrittenState>();
  for (const [name, state] of membersOf(machine.get("states"), id)) states.set(name, readState(state, `${id}/${name}`));
  return { id, initial: textIn(machine, "initial", id), states };
}

function readState(config: unknown, at: string): WrittenState {
  const state = membersOf(config, at);
  allowOnly(state, STATE_MEMBERS, at);
  const final = state.has("type");
  if (final && state.get("type") !== "final") refuse(at, "the only type of a state is final");
  if (final === state.has("on")) refuse(at, "a state is final or answers events");
  const on = new Map<string, readonly WrittenBranch[]>();
  if (final) return { final, on };
  for (const [event, branches] of membersOf(state.get("on"), at))
    on.set(event, readBranches(branches, `${at}/${event}`));
  return { final, on };
}

function readBranches(config: unknown, at: string): readonly WrittenBranch[] {
  const written: readonly unknown[] = Array.isArray(config) ? config : [config];
  const branches = written.map((branch, index) => readBranch(branch, `${at}/${index}`));
  if (branches.at(-1)?.guard !== null) refuse(at, "the last branch has no guard");
  const guards = branches.slice(0, -1).map(({ guard }) => guard);
  if (guards.includes(null)) refuse(at, "only the last branch has no guard");
  if (new Set(guards).size !== guards.length) refuse(at, "a guard is asked twice");
  return branches;
}

function readBranch(config: unknown, at: string): WrittenBranch {
  const branch = membersOf(config, at);
  allowOnly(branch, BRANCH_MEMBERS, at);
  return {
    guard: branch.has("guard") ? textIn(branch, "guard", at) : null,
    target: branch.has("target") ? textIn(branch, "target", at) : null,
    actions: branch.has("actions") ? readActions(branch.get("actions"), at) : [],
  };
}

function readActions(config: unknown, at: string): readonly WrittenAction[] {
  if (!Array.isArray(config)) refuse(at, "actions are a list");
  return config.map((action: unknown) => {
    if (typeof action !== "string" && (typeof action !== "object" || action === null)) refuse(at, "an action is named");
    const written = typeof action === "string" ? new Map<string, unknown>([["type", action]]) : membersOf(action, at);
    allowOnly(written, ACTION_MEMBERS, at);
    const type = textIn(written, "type", at);
    const given = written.has("params") ? membersOf(written.get("params"), at) : new Map<string, unknown>();
    const params = readParams(type, given) ?? refuse(at, `${type} has not the params that it needs`);
    return { type, params };
  });
}

function membersOf(value: unknown, at: string): Map<string, unknown> {
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) refuse(at, "a plain object must stand here");
  const members = new Map<string, unknown>();
  for (const key of Reflect.ownKeys(value)) {
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || member === undefined || !("value" in member)) refuse(at, "members are named data");
    members.set(key, member.value);
  }
  return members;
}

function allowOnly(members: ReadonlyMap<string, unknown>, allowed: readonly string[], at: string): void {
  for (const name of members.keys()) if (!allowed.includes(name)) refuse(at, `${name} is not in the dialect`);
}

function textIn(members: ReadonlyMap<string, unknown>, name: string, at: string): string {
  const value = members.get(name);
  return typeof value === "string" ? value : refuse(at, `${name} must be a name`);
}

function refuse(at: string, detail: string): never {
  throw new CallgateError("MACHINE_OUT_OF_DIALECT", { at, detail });
}
