import { matchesGlob } from "node:path";
import { projectFiles } from "../house-rules/project-files.ts";

/** A part of the product whose tests are tried against mutants of it, with what it has to reach. */
export interface Room {
  /** What is mutated. Shape: patterns from the project's root; `!` takes files out again. */
  readonly sources: readonly string[];
  /** Who has to notice, the nearest first. Shape: test files, or folders of them, from the project's root. */
  readonly tests: readonly string[];
  /** Units: per cent of the mutants that count, accepted survivors set aside. */
  readonly leastScore: number;
}

/** Cheap tests that look at the whole gate from outside: what a room's own tests let through, these may notice. */
const GATE = [
  "test/dispatcher/order.test.ts",
  "test/dispatcher/query-order.test.ts",
  "test/dispatcher/identity.test.ts",
  "test/dispatcher/replay.test.ts",
  "test/dispatcher/approvals.test.ts",
  "test/dispatcher/recovery.test.ts",
  "test/scenarios/fixtures.test.ts",
  "test/attacks/forged-decisions.test.ts",
  "test/attacks/in-doubt.test.ts",
];

const DIGESTS = ["src/json/digests.ts", "src/json/binding-digest.ts"];

/** Every room, the ones that must be whole first. */
export const ROOMS = {
  guards: {
    sources: ["src/guards/**/*.ts"],
    tests: ["test/guards", "test/policy", "test/engine/interpreters.test.ts", ...GATE],
    leastScore: 100,
  },
  digests: {
    sources: DIGESTS,
    tests: ["test/json/digests.test.ts", "test/packages", "test/guards", ...GATE],
    leastScore: 100,
  },
  catalogue: {
    sources: ["src/errors/refusals.ts", "src/errors/failures.ts"],
    tests: [
      "test/errors",
      "test/house-rules/catalogue.test.ts",
      "test/documents/errors-page.test.ts",
      "test/packages/validate.test.ts",
      "test/engine/event-shape.test.ts",
      "test/engine/reachability.test.ts",
      "test/engine/context-changes.test.ts",
      "test/scenarios/run.test.ts",
    ],
    leastScore: 100,
  },
  packages: {
    sources: ["src/packages/**/*.ts"],
    tests: ["test/packages", "test/providers", "test/attacks/packages.test.ts", ...GATE],
    leastScore: 100,
  },
  policy: {
    sources: ["src/policy/**/*.ts"],
    tests: ["test/policy", "test/guards", "test/dispatcher/diagnostics.test.ts", "test/sample/world.test.ts", ...GATE],
    leastScore: 90,
  },
  engine: {
    sources: ["src/engine/**/*.ts"],
    tests: ["test/engine", "test/machines/placeholders.test.ts", "test/paths", "test/drawing/mermaid.test.ts", ...GATE],
    leastScore: 90,
  },
  machines: {
    sources: ["machines/**/*.ts"],
    tests: ["test/machines/golden-table.test.ts", "test/machines/placeholders.test.ts", "test/engine", "test/paths"],
    leastScore: 90,
  },
  json: {
    sources: ["src/json/**/*.ts", ...DIGESTS.map((path) => `!${path}`)],
    // First those that take no time, then those that fill values to their limits.
    tests: [
      "test/json/read.test.ts",
      "test/json/numbers.test.ts",
      "test/json/digests.test.ts",
      "test/json/json-properties.test.ts",
      "test/json",
      "test/scenarios/read.test.ts",
      "test/packages/hostile-input.test.ts",
    ],
    leastScore: 90,
  },
  dispatcher: {
    sources: ["src/dispatcher/**/*.ts"],
    tests: [...GATE, "test/dispatcher", "test/gates/gate-module.test.ts"],
    leastScore: 90,
  },
  schemas: {
    sources: ["src/schemas/**/*.ts"],
    tests: [
      "test/schemas",
      "test/tools/registration.test.ts",
      "test/tools/define-tool.test.ts",
      "test/dispatcher/diagnostics.test.ts",
      "test/sample",
    ],
    leastScore: 90,
  },
} as const satisfies Readonly<Record<string, Room>>;

/** A name of a room. */
export type RoomName = keyof typeof ROOMS;

/** Whether a text names a room. */
export function isRoomName(text: string): text is RoomName {
  return Object.hasOwn(ROOMS, text);
}

/** The files of a room that are mutated. Shape: paths from the project's root. */
export function sourcesOf({ sources }: Room): readonly string[] {
  const without = sources.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return projectFiles(...sources.filter((pattern) => !pattern.startsWith("!"))).filter(
    (path) => !without.some((pattern) => matchesGlob(path, pattern)),
  );
}

/** The tests of the room that the environment names, set by whoever runs Stryker; those of every room where it names none. */
export function testsOfRun(): readonly string[] {
  const name = process.env["CALLGATE_MUTATION_ROOM"] ?? "";
  return isRoomName(name) ? ROOMS[name].tests : [...new Set(Object.values(ROOMS).flatMap(({ tests }) => tests))];
}
