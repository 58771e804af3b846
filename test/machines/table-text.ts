import { readFileSync } from "node:fs";
import type { ActionParams } from "../../src/engine/action-params.ts";
import type { TransitionTable } from "../../src/engine/compile.ts";

interface Order {
  readonly type: string;
  readonly params?: ActionParams;
}

/** A machine's whole table as text, one branch a line, for people to compare with the design and for tests to keep. */
export function tableText(table: TransitionTable<string, string, string>): string {
  const rows = table.rows.map(({ state, event, branch, guard, target, changes, effects }) =>
    [
      `${state} ${event} ${branch + 1}`,
      guard ?? "otherwise",
      target === state ? "stays" : target,
      changes.map(orderText).join(", ") || "-",
      effects.map(orderText).join(", ") || "-",
    ].join(" | "),
  );
  const events = new Set(table.rows.map(({ event }) => event));
  return [
    `${table.name}: ${table.states.length} states, ${events.size} events, ${rows.length} branches`,
    `starts in ${table.initial}`,
    `ends in ${[...table.finals].join(", ")}`,
    "",
    "state event branch | guard | target | changes | effects",
    ...rows,
    "",
  ].join("\n");
}

/** Where the committed table of a machine stands. */
export function goldenFile(name: string): string {
  return `${import.meta.dirname}/golden/${name}.txt`;
}

/** The committed table of a machine. */
export function goldenText(name: string): string {
  return readFileSync(goldenFile(name), "utf8");
}

function orderText({ type, params = {} }: Order): string {
  const told = Object.values(params).join(" ");
  return told === "" ? type : `${type}(${told})`;
}
