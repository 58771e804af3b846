// Writes ERRORS.md anew; with --check, only says whether it is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorsPage } from "./errors-page.ts";

const PAGE = join(import.meta.dirname, "../../ERRORS.md");
const [option, ...more] = process.argv.slice(2);

if ((option !== undefined && option !== "--check") || more.length > 0) {
  process.stderr.write("usage: node test/documents/write-errors-page.ts [--check]\n");
  process.exitCode = 2;
} else {
  const text = await errorsPage();
  if (!existsSync(PAGE) || readFileSync(PAGE, "utf8") !== text) {
    if (option === undefined) writeFileSync(PAGE, text);
    else {
      process.stderr.write("ERRORS.md is stale: npm run errors\n");
      process.exitCode = 1;
    }
  }
}
