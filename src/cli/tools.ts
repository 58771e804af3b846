import { simulatedHost } from "../host/simulated.ts";
import { canonicalize } from "../json/canonical.ts";
import { sha256 } from "../json/digests.ts";
import { providerToolName } from "../protocol/provider-tool-name.ts";
import { sampleWorld } from "../sample/world.ts";
import type { Tool } from "../tools/tool.ts";
import { lintTools } from "../tools/lint-tools.ts";
import { createRegistry } from "../tools/registry.ts";
import { print } from "./output.ts";
import { jsonText, visible } from "./text.ts";

/** The tools that are looked at where no others are named. */
export function sampleTools(): readonly Tool[] {
  return sampleWorld(simulatedHost(0)).tools;
}

/** Prints what a gate would register. Shape: 0. Errors: as `createRegistry`. */
export async function listTools(tools: Iterable<Tool>, { json }: { readonly json: boolean }): Promise<number> {
  const rows = createRegistry(tools).tools.map(rowOf);
  await print(json ? jsonText(rows) : rows.map(rowText).join("\n"));
  return 0;
}

/** Prints everything that is wrong with tools, defined ones or mere definitions. Shape: 0 when nothing is, else 1. */
export async function lintToolList(tools: readonly unknown[], { json }: { readonly json: boolean }): Promise<number> {
  const problems = lintTools(tools);
  const told = problems.map(({ at, problem, remedy }) => visible(`${at}: ${problem}. To mend it: ${remedy}.`));
  const count = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}, ${problems.length === 0 ? "no problems" : `${problems.length} problems`}`;
  await print(json ? jsonText({ passed: problems.length === 0, problems }) : [...told, count, ""].join("\n"));
  return problems.length === 0 ? 0 : 1;
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
