import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

interface Manifest {
  readonly files: readonly string[];
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What `npm` and what it starts see: the Node of this project first, and nothing that an npm around the tests has set. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
};

function done(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", env: ENVIRONMENT });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * Builds this package aside, packs it, and installs what was packed into a folder, as npm would. Its dependencies are those
 * of this project: nothing is fetched.
 */
export function installPacked(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const stage = join(folder, ".stage");
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(stage);
  const [compiler, bundler] = ["typescript/bin/tsc", "rolldown/bin/cli.mjs"].map((path) =>
    join(ROOT, "node_modules", path),
  );
  done(process.execPath, [`${compiler}`, "-p", "tsconfig.build.json", "--outDir", join(stage, "dist")], ROOT);
  done(process.execPath, [`${bundler}`, "-c", "--dir", join(stage, "dist/src")], ROOT);
  const patterns = ["package.json", "README.md", "LICENSE", ...manifest.files.filter((file) => file !== "dist")];
  for (const name of globSync(patterns, { cwd: ROOT }))
    cpSync(join(ROOT, name), join(stage, name), { recursive: true });
  const packed = done("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], stage).trim();
  done("tar", ["-xzf", join(folder, packed), "-C", stage], folder);
  cpSync(join(stage, "package"), join(modules, "callgate"), { recursive: true });
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const [name, target] of Object.entries(manifest.bin)) {
    chmodSync(join(modules, "callgate", target), 0o755);
    symlinkSync(join("../callgate", target), join(modules, ".bin", name));
  }
}

/** Runs a line of shell in a folder. */
export function shellIn(cwd: string, line: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], { cwd, encoding: "utf8", env: ENVIRONMENT });
  return { status, stdout, stderr };
}

/** Every file below a folder but those of installed packages, sorted. Shape: paths from the folder. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("node_modules") && !path.startsWith(".stage") && !path.endsWith(".tgz"))
    .toSorted();
}
