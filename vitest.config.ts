import { defineConfig } from "vitest/config";

export default defineConfig({
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
