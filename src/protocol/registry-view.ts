import type { Risk, ToolContract } from "./call.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** The part of a registered tool that judgement may ask: plain facts and two total questions. */
export interface ToolView {
  readonly name: string;
  readonly risk: Risk;
  readonly contract: ToolContract;
  /** `provenance.source_label` of the tool's answers. */
  readonly sourceLabel: string;
  /** Whether somebody may approve a call made in their own name. */
  readonly allowsSelfApproval: boolean;
  /** Whether arguments are exactly the input schema. Never throws. */
  inputFits(args: JsonValue): boolean;
  /** Whether an output keeps the whole output contract against the arguments of its call. Never throws. */
  outputFits(output: JsonValue, args: JsonObject): boolean;
}

/** A read-only view of the registry. A tool is found here or not at all. */
export interface RegistryView {
  /** The tool of that name, or null. */
  find(name: string): ToolView | null;
}
