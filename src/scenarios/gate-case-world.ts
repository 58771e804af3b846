import type { ScenarioClock } from "../dispatcher/gate-module.ts";
import type { ReadGateModule, ReadScenarioOffer } from "../dispatcher/read-gate-module.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { thrownText } from "../errors/thrown-text.ts";
import { makeApproval } from "../sample/approval.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallToApprove, CaseWorld, CountedEffects } from "./case-world.ts";
import type { GateStep, WorldSetUp } from "./document.ts";
import { patiently } from "./patience.ts";

/** How a world is opened and dealt with. */
export interface GateWorldOptions {
  readonly clock: ScenarioClock;
  /** How long each function that the gate offers may take in real time. Units: milliseconds. */
  readonly patienceMs: number;
}

/** Opens the world that a case names. Errors: SCENARIO_GATE_FAILED, here and in all that the world does. */
export async function openGateCaseWorld(
  module: ReadGateModule,
  setUp: WorldSetUp,
  { clock, patienceMs }: GateWorldOptions,
): Promise<CaseWorld<GateStep>> {
  const { scenarios } = module;
  const open = scenarios?.worlds.get(setUp.name);
  if (scenarios === null || open === undefined) throw new TypeError("a world is to be opened that is not offered");
  const { name, parameters } = setUp;
  const services = await offered(`worlds.${name}`, patienceMs, () => open({ parameters, clock }));
  return new GateCaseWorld(module, scenarios, services, patienceMs);
}

class GateCaseWorld implements CaseWorld<GateStep> {
  readonly tools: readonly Tool[];
  readonly approvers: readonly string[];
  readonly #offer: ReadScenarioOffer;
  readonly #services: unknown;
  readonly #patienceMs: number;
  #takeBacks: (readonly [name: string, takeBack: () => unknown])[] = [];

  constructor(module: ReadGateModule, offer: ReadScenarioOffer, services: unknown, patienceMs: number) {
    this.tools = module.toolsWith(() => services).tools;
    this.approvers = module.approvers;
    this.#offer = offer;
    this.#services = services;
    this.#patienceMs = patienceMs;
  }

  async arm({ faults }: GateStep): Promise<void> {
    for (const name of faults) {
      const place = `faults.${name}`;
      const takeBack = await this.#offered(place, () => this.#offer.faults.get(name)?.(this.#services));
      if (typeof takeBack === "function")
        this.#takeBacks.push([`${place}, taking it back`, () => (takeBack as () => unknown)()]);
      else if (takeBack !== undefined) throw failed(place, "it returned neither a function nor nothing");
    }
  }

  async disarm(): Promise<{ readonly isOutOfPlace: boolean }> {
    const takeBacks = this.#takeBacks.toReversed();
    this.#takeBacks = [];
    for (const [place, takeBack] of takeBacks) await this.#offered(place, takeBack);
    return { isOutOfPlace: false };
  }

  approvals(step: GateStep, call: CallToApprove): readonly unknown[] {
    const { approval: kind, execution_context: context, now, proposal } = step;
    const ordered = { context, now, ...call };
    if (kind === "valid" || kind === "expired" || kind === "mismatched") {
      return this.approvers.slice(0, 1).map((approverId) => makeApproval({ kind, ...ordered, approverId }));
    }
    const place = `approvals.${kind}`;
    let made: unknown;
    try {
      made = this.#offer.approvals.get(kind)?.({
        principal: call.principal,
        proposal,
        executionContext: context,
        now,
        approvalBy: (approverId) => makeApproval({ kind: "valid", ...ordered, approverId }),
      });
    } catch (error) {
      throw failed(place, thrownText(error), error);
    }
    if (!Array.isArray(made)) throw failed(place, "it returned no list of approvals");
    return made;
  }

  async effects(): Promise<CountedEffects> {
    const place = "sideEffects";
    const counted = await this.#offered(place, () => this.#offer.sideEffects(this.#services));
    if (typeof counted !== "object" || counted === null || Array.isArray(counted)) {
      throw failed(place, "it returned no object of counts by tool name");
    }
    const writing = new Set(this.tools.filter(({ risk }) => risk === "write").map(({ name }) => name));
    const byTool: Record<string, number> = {};
    for (const [name, count] of Object.entries<unknown>({ ...counted })) {
      if (!writing.has(name)) throw failed(place, "it counts something that is no tool that writes");
      if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
        throw failed(place, `the count of ${name} is no integer from 0`);
      }
      byTool[name] = count;
    }
    return { total: Object.values(byTool).reduce((sum, count) => sum + count, 0), byTool };
  }

  async close(): Promise<void> {
    const { close } = this.#offer;
    if (close !== null) await this.#offered("close", () => close(this.#services));
  }

  #offered(place: string, work: () => unknown): Promise<unknown> {
    return offered(place, this.#patienceMs, work);
  }
}

function offered(place: string, patienceMs: number, work: () => unknown): Promise<unknown> {
  const guarded = async (): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      throw failed(place, thrownText(error), error);
    }
  };
  return patiently(patienceMs, guarded, () => failed(place, `it has not ended after ${patienceMs / 1_000} s`));
}

function failed(place: string, detail: string, cause?: unknown): CallgateError {
  return new CallgateError("SCENARIO_GATE_FAILED", { detail: `scenarios.${place}: ${detail}`, cause });
}
