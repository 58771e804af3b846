// Runs every `check:…` script of package.json in the order in which they stand there, and stops at the first that fails.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const steps = Object.keys(scripts).filter((name) => name.startsWith("check:"));

for (const [index, step] of steps.entries()) {
  console.log(`\n── ${step} (${index + 1} of ${steps.length}): ${scripts[step]}`);
  const startedMs = performance.now();
  const { status, signal, error } = spawnSync(process.execPath, ["--run", step], { stdio: "inherit" });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (status !== 0) {
    const reason = error?.message ?? (signal === null ? `exit status ${status}` : `ended by ${signal}`);
    console.error(`\n── ${step} FAILED after ${seconds} s: ${reason}`);
    process.exit(1);
  }
  console.log(`── ${step} passed in ${seconds} s`);
}
console.log(`\n── all ${steps.length} steps passed`);
