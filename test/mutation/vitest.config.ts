import { join } from "node:path";
import { defineConfig } from "vitest/config";
import ordinary from "../../vitest.config.ts";
import { NearFirst } from "./near-first.ts";
import { testsOfRun } from "./rooms.ts";

export default defineConfig({
  ...ordinary,
  test: {
    ...ordinary.test,
    include: testsOfRun().map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.test.ts`)),
    sequence: { sequencer: NearFirst },
    setupFiles: [join(import.meta.dirname, "fixed-seed.ts")],
    // A tenth of the ordinary tries, and nothing that stands beside the project: the score must not depend on it.
    env: { CALLGATE_PROPERTY_RUNS: "0.1", CALLGATE_SHARED: "absent" },
    // A promise that a mutant leaves open ends here, which is cheaper than Stryker's own time limit.
    testTimeout: 10_000,
    hookTimeout: 10_000,
  },
});
