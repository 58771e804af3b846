// How Stryker tries the tests; what is mutated, and by whom it has to be noticed, stands in test/mutation/rooms.ts.

/** @type {ConstructorParameters<typeof import("@stryker-mutator/core").Stryker>[0]} */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  // Tables of a module (catalogue, keywords, machines) count like all else.
  ignoreStatic: false,
  // Nothing is compiled, and some tests read what a file begins with.
  disableTypeChecks: false,
  reporters: ["json", "progress-append-only"],
};
