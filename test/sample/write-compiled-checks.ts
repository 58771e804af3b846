// Writes src/sample/compiled-checks.ts anew. A test says whether it is stale.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledChecks } from "./compiled-checks.ts";

writeFileSync(join(import.meta.dirname, "../../src/sample/compiled-checks.ts"), await compiledChecks());
