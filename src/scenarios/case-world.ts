import type { Principal, ToolContract } from "../protocol/call.ts";
import type { Sha256 } from "../protocol/ids.ts";
import type { Tool } from "../tools/tool.ts";
import type { ScenarioStep } from "./document.ts";
import type { EffectsByTool } from "./judge.ts";

/** What the approvals of a step are made for. */
export interface CallToApprove {
  readonly principal: Principal;
  readonly contract: ToolContract;
  readonly requestSha256: Sha256;
}

/** The effects that a case has had since it began. */
export interface CountedEffects {
  readonly total: number;
  readonly byTool: EffectsByTool;
}

/** The world of one case, whoever's tools are in it. */
export interface CaseWorld<Step extends ScenarioStep> {
  readonly tools: readonly Tool[];
  readonly approvers: readonly string[];
  /** Lets go wrong what is to go wrong in a step, until it is disarmed. */
  arm(step: Step): Promise<void>;
  /** Takes everything back. Shape: whether a fault met a tool for which there is none. */
  disarm(): Promise<{ readonly isOutOfPlace: boolean }>;
  /** Whatever stands there for approvals of the step. */
  approvals(step: Step, call: CallToApprove): readonly unknown[];
  /** As counted where they happen. */
  effects(): Promise<CountedEffects>;
  /** Lets go of what it holds. */
  close(): Promise<void>;
}
