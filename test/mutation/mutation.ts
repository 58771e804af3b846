// `npm run mutation` tries the tests of every room; `-- guards src/json/read.ts` those of a room, or against one file.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../house-rules/project-files.ts";
import { acceptedSurvivors } from "./accepted.ts";
import { judge, type Judgement } from "./judgement.ts";
import { mutantsOf, readReport, type TriedMutant } from "./report.ts";
import { isRoomName, ROOMS, sourcesOf, type RoomName } from "./rooms.ts";
import { UntypedCopy } from "./untyped-copy.ts";

const RESULTS = join(PROJECT_ROOT, "coverage/mutation");

const chosen = choose(process.argv.slice(2));
if (chosen === null) {
  process.stderr.write(`usage: npm run mutation [-- ROOM | FILE …]\nrooms: ${Object.keys(ROOMS).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const copy = new UntypedCopy(chosen.flatMap(([, files]) => files));
  try {
    const rows = chosen.map(([name, files]) => rowOf(name, attempt(copy.root, name, files)));
    process.stdout.write(`\n${rows.map(({ text }) => text).join("\n")}\n`);
    if (rows.some(({ passed }) => !passed)) process.exitCode = 1;
  } finally {
    copy.remove();
  }
}

type Choice = readonly (readonly [RoomName, readonly string[]])[];

/** The files to mutate, by room; null where an argument names neither room nor file. */
function choose(args: readonly string[]): Choice | null {
  const names = Object.keys(ROOMS).filter(isRoomName);
  const all = names.map((name) => [name, sourcesOf(ROOMS[name])] as const);
  if (args.some((arg) => !isRoomName(arg) && !all.some(([, files]) => files.includes(arg)))) return null;
  if (args.length === 0) return all;
  return all
    .map(([name, files]) => [name, args.includes(name) ? files : files.filter((path) => args.includes(path))] as const)
    .filter(([, files]) => files.length > 0);
}

/** Lets Stryker try the tests of a room against mutants of the files, and keeps what it found. */
function attempt(root: string, name: RoomName, files: readonly string[]): Judgement {
  process.stdout.write(`\n── ${name}\n`);
  const stryker = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const { status } = spawnSync(process.execPath, [stryker, "run", "--mutate", files.join(",")], {
    cwd: root,
    env: { ...process.env, CALLGATE_MUTATION_ROOM: name },
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`Stryker ended with status ${status}`);
  const report = join(root, "reports/mutation/mutation.json");
  const list = acceptedSurvivors().filter(({ file }) => files.includes(file));
  const judgement = judge(mutantsOf(readReport(report)), list);

  mkdirSync(RESULTS, { recursive: true });
  copyFileSync(report, join(RESULTS, `${name}.json`));
  writeFileSync(join(RESULTS, `${name}.txt`), judgement.unaccepted.map(survivorText).join("\n"));
  return judgement;
}

function survivorText({ file, at, line, original, replacement, status }: TriedMutant): string {
  const untouched = status === "NoCoverage" ? " (no test comes here)" : "";
  return `${file}:${at.line}:${at.column}${untouched}\n  in ${line}\n  -  ${original}\n  +  ${replacement}\n`;
}

function rowOf(name: RoomName, judgement: Judgement): { readonly text: string; readonly passed: boolean } {
  const { noticed, cutOff, unloadable, accepted, unaccepted, stale, rawScore, score } = judgement;
  const { leastScore } = ROOMS[name];
  const passed = score >= leastScore && stale.length === 0;
  const lines = [
    `${passed ? "ok  " : "FAIL"} ${name}: ${rawScore.toFixed(2)} % raw, ${score.toFixed(2)} % without accepted survivors (at least ${leastScore} %): ` +
      `${noticed} noticed, ${cutOff} of them cut off by the clock; ${unaccepted.length + accepted} survived, ${accepted} of these accepted; ${unloadable} could not be loaded`,
    ...stale.map(({ file, line }) => `     accepted, but no survivor: ${file}: ${line}`),
  ];
  return { text: lines.join("\n"), passed };
}
