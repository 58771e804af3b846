import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SHARED = process.env["CALLGATE_SHARED"] ?? fileURLToPath(new URL("../../../shared/", import.meta.url));

/** A folder of data that others made, or null where it is absent. */
export function sharedFolder(name: string): string | null {
  const folder = join(SHARED, name);
  return existsSync(folder) ? folder : null;
}
