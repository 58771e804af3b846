import { canonicalize } from "../json/canonical.ts";
import { sha256 } from "../json/digests.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import type { Tool } from "../tools/tool.ts";
import { gatePartsOf, lintGate } from "./gate-file.ts";
import { print } from "./output.ts";
import { jsonText, visible } from "./text.ts";

/** What both commands are told. */
export interface ToolsOptions {
  readonly json: boolean;
  /** None: the sample tools. */
  readonly gate: string | undefined;
}

/** Prints what a gate would register. Shape: 0. Errors: as `gatePartsOf`. */
export async function printTools({ json, gate }: ToolsOptions): Promise<number> {
  const rows = (await gatePartsOf(gate)).registry.tools.map(rowOf);
  await print(json ? jsonText(rows) : rows.map(rowText).join("\n"));
  return 0;
}

/** Prints everything that is wrong with the tools of a gate. Shape: 0 when nothing is, else 1. Errors: as `lintGate`. */
export async function printProblems({ json, gate }: ToolsOptions): Promise<number> {
  const { tools, problems } = await lintGate(gate);
  const passed = problems.length === 0;
  const told = problems.map(({ at, problem, remedy }) => visible(`${at}: ${problem}. To mend it: ${remedy}.`));
  const summary = passed ? `${counted(tools.length, "tool")}, no problems` : counted(problems.length, "problem");
  await print(json ? jsonText({ passed, problems }) : [...told, summary, ""].join("\n"));
  return passed ? 0 : 1;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function rowOf({ name, description, risk, contract, deadlineMs, inputSchema, outputSchema }: Tool) {
  return {
    name,
    provider_name: providerToolName(name),
    description,
    risk,
    deadline_ms: deadlineMs,
    tool_contract: contract,
    input_schema_sha256: sha256(canonicalize(inputSchema)),
    output_schema_sha256: sha256(canonicalize(outputSchema)),
  };
}

function rowText(row: ReturnType<typeof rowOf>): string {
  const { name, provider_name, description, risk, deadline_ms, tool_contract } = row;
  const lines: readonly (readonly [string, string])[] = [
    ["risk", risk],
    ["deadline", `${deadline_ms} ms`],
    ["offered as", provider_name],
    ["input schema", `${tool_contract.input_schema_revision}  sha256 ${row.input_schema_sha256}`],
    ["output schema", `${tool_contract.output_schema_revision}  sha256 ${row.output_schema_sha256}`],
    ["effect", tool_contract.effect_revision],
    ["handler", tool_contract.handler_revision],
    ["producer", tool_contract.producer_revision],
    ["policy", tool_contract.policy_revision],
  ];
  const text = lines.map(([label, value]) => `  ${label.padEnd(14)}${visible(value)}\n`).join("");
  return `${visible(name)}: ${visible(description)}\n${text}`;
}
