import { benchMemory } from "./memory.ts";
import type { BenchRow } from "./measure.ts";
import { benchOperations } from "./operations.ts";
import { benchStartUp } from "./start-up.ts";

// `npm run bench` builds first; `-- --json` prints the rows alone; `-- --operations N` sets how far memory is filled.
const asJson = process.argv.includes("--json");
const given = process.argv.indexOf("--operations");
const operations = given === -1 ? 1_000_000 : Number(process.argv[given + 1]);

const rows = [...(await benchOperations()), ...(await benchStartUp()), ...(await benchMemory(operations))];
const text = asJson ? JSON.stringify(rows, null, 2) : rows.map(lineOf).join("\n");
process.stdout.write(`${text}\n`);

function lineOf({ name, rate, ratio }: BenchRow): string {
  const shown = ratio === null ? "" : ratio.toFixed(2);
  return `${name.padEnd(64)} ${Math.round(rate).toLocaleString("en").padStart(12)} ${shown.padStart(7)}`;
}
