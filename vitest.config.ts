import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Gates in fixtures name the package as their users do; the tests mean the sources by it.
  resolve: { alias: [{ find: /^callgate$/, replacement: join(import.meta.dirname, "src/index.ts") }] },
  test: {
    include: ["test/**/*.test.ts"],
    // Wide enough for two busy cores: a test that needs a bound of its own measures it itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A forgotten `.only` must not hide the other tests, and a test that asserts nothing must not pass.
    allowOnly: false,
    expect: { requireAssertions: true },
  },
});
