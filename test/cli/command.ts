import { spawnSync } from "node:child_process";
import { join } from "node:path";

const LAUNCHER = join(import.meta.dirname, "../../src/cli/launcher.js");

// What the environment of the tests says about colours is not what is tested.
const { NO_COLOR: _noColor, ...ENVIRONMENT } = { ...process.env, TERM: "xterm" } as NodeJS.ProcessEnv;

/** What a command came to. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `callgate` from the sources. */
export function callgate(
  args: readonly string[],
  options: { input?: string | Uint8Array; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: ENVIRONMENT,
    ...options,
  });
  return { status, stdout, stderr };
}

/** Runs a line of shell, in which `$CALLGATE` is the command. */
export function shell(line: string, cwd: string): Outcome {
  const env = { ...ENVIRONMENT, CALLGATE: `${process.execPath} ${LAUNCHER}` };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], { encoding: "utf8", cwd, env });
  return { status, stdout, stderr };
}
