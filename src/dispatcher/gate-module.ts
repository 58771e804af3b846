import type { SimulatedHost } from "../host/simulated.ts";
import type { Approval } from "../protocol/approval.ts";
import type { ExecutionContext, Principal, Proposal } from "../protocol/call.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Tool } from "../tools/tool.ts";

type Awaitable<Value> = Value | Promise<Value>;

/** The time of one scenario case. It stands still until somebody moves it. */
export type ScenarioClock = Pick<SimulatedHost, "now" | "monotonicMs" | "advance">;

/** What a world is opened with. */
export interface WorldOpening {
  /** `world.parameters` of the case. */
  readonly parameters: JsonObject;
  /** Keep it where an answer is to be lost: advancing it past a tool's `deadlineMs` is how the deadline passes. */
  readonly clock: ScenarioClock;
}

/** What an approval of a scenario step is made from. */
export interface ApprovalRequest {
  readonly principal: Principal;
  readonly proposal: Proposal;
  readonly executionContext: ExecutionContext;
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
  /** The approval of exactly this call by that person, eligible or not, for 60 s. Change a copy to make a bad one. */
  readonly approvalBy: (approverId: string) => Approval;
}

/** What a gate offers to its scenario files, by name. */
export interface ScenarioOffer<Services> {
  /** Ways to set up what the tools look at. Each case opens one, afresh; nothing may be shared between two. */
  readonly worlds: Readonly<Record<string, (opening: WorldOpening) => Awaitable<Services>>>;
  /** What can go wrong on purpose. Each is armed before its step; the function returned takes it back after the step. */
  readonly faults?: Readonly<Record<string, (services: Services) => Awaitable<(() => Awaitable<void>) | void>>>;
  /** Approvals beside `none`, `valid`, `expired` and `mismatched`, which every gate has. */
  readonly approvals?: Readonly<Record<string, (request: ApprovalRequest) => readonly unknown[]>>;
  /** How often each tool that writes has had its effect downstream: tool name → count; one that is left out has not. */
  readonly sideEffects: (services: Services) => Awaitable<Readonly<Record<string, number>>>;
  /** Lets go of what a world holds: servers, files, connections. */
  readonly close?: (services: Services) => Awaitable<void>;
}

/** What a gate is made of, as one module that the library, the command line and the scenarios take. */
export interface GateDefinition<Services> {
  /**
   * The tools; or how they are made, where they need services. Call `resolve` inside `authorize`, `execute` and the
   * others, not while the tools are made: commands that only look at tools open nothing.
   */
  readonly tools: readonly Tool[] | ((resolve: () => NoInfer<Services>) => readonly Tool[]);
  /** Opens the real services that `resolve` gives to the tools: what they look at, and what they act on. */
  readonly resolver?: () => Awaitable<Services>;
  /** Lets go of what the resolver opened. `openGate`'s gate calls it once, when it is closed and no call runs any more. */
  readonly close?: (services: NoInfer<Services>) => Awaitable<void>;
  /** Ids of the people whose approvals count. The first one approves in scenarios. */
  readonly approvers: readonly string[];
  readonly scenarios?: ScenarioOffer<NoInfer<Services>>;
}
