import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { race, type BenchRow } from "./measure.ts";

const ROOT = new URL("../../", import.meta.url);
const INSTALLED = fileURLToPath(new URL("dist/src/cli/launcher.js", ROOT));
const CASES = fileURLToPath(new URL("fixtures/tool-cases.json", ROOT));

/** The installed command on the eighteen sample cases, beside a Node that does nothing. */
export async function benchStartUp(): Promise<BenchRow[]> {
  const spawned = (...args: string[]): void => {
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status ?? "a signal"}`);
  };
  return race(
    async () => ({
      operations: 1,
      contenders: [
        { name: "fixture run (the installed command)", run: () => spawned(INSTALLED, "run", CASES) },
        { name: "fixture run: floor (node -e 0)", run: () => spawned("-e", "0") },
      ],
    }),
    9,
  );
}
