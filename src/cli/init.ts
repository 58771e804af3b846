import { packageText, packageVersion } from "../host/files.ts";
import { writeNewFiles } from "../host/write-files.ts";
import { print } from "./output.ts";
import { jsonText, visible } from "./text.ts";

/** Where the files stand in the package: a gate that is tested there as it is. */
const STARTER = "fixtures/gates/starter";

/** Name of a file of the starter → where it is written. */
const FILES = {
  "gate.mts": "gate.mts",
  "scenarios/notes.json": "scenarios/notes.json",
  "callgate.yml": ".github/workflows/callgate.yml",
} as const;

/** What stands in the starter for the version of the package. */
const VERSION_MARK = "callgate@VERSION";

/**
 * Writes a gate that works, scenarios for it, and a step that runs them in CI; all of it or nothing. Shape: 0.
 * Errors: INIT_FILE_EXISTS; FILE_UNWRITABLE.
 */
export async function init(folder: string, { json }: { readonly json: boolean }): Promise<number> {
  const files = new Map<string, string>();
  for (const [source, target] of Object.entries(FILES)) {
    const text = await packageText(`${STARTER}/${source}`);
    files.set(target, text.replaceAll(VERSION_MARK, `callgate@${packageVersion()}`));
  }
  await writeNewFiles(folder, files);
  const names = [...files.keys()];
  await print(json ? jsonText({ files: names }) : nextSteps(names, folder));
  return 0;
}

function nextSteps(names: readonly string[], folder: string): string {
  const enter = folder === "." ? "" : `  cd ${visible(folder)}\n`;
  return `Written:
${names.map((name) => `  ${name}\n`).join("")}
Next:
${enter}  npx callgate run --gate gate.mts scenarios
  npm install callgate      # for your editor, and for the program that opens this gate

The workflow runs where the folder is the root of its repository.
`;
}
