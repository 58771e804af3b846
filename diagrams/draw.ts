// Draws every machine anew; with --check, only says which drawings are stale.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { staleFiles } from "./drawings.ts";

const PROJECT_ROOT = join(import.meta.dirname, "..");
const [option, ...more] = process.argv.slice(2);

if ((option !== undefined && option !== "--check") || more.length > 0) {
  process.stderr.write("usage: node diagrams/draw.ts [--check]\n");
  process.exitCode = 2;
} else {
  for (const { path, problem, text } of await staleFiles(PROJECT_ROOT)) {
    if (option === undefined && text !== null) {
      writeFileSync(join(PROJECT_ROOT, path), text);
      process.stdout.write(`${path} ${problem}: drawn\n`);
    } else {
      process.stderr.write(`${path} ${problem}${text === null ? "" : ": npm run diagrams"}\n`);
      process.exitCode = 1;
    }
  }
}
