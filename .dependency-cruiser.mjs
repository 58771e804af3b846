// Who may import whom: one table of rooms, one of packages. What stands in neither is forbidden.
// Rings, inward: words <- judgement <- hands <- dispatcher <- doors.

const WORDS = ["protocol", "errors"];
const JUDGEMENT = ["json", "schemas", "policy", "machines", "guards", "packages", "engine"];
const HANDS = ["host", "ledger", "tools"];
const INNER = [...WORDS, ...JUDGEMENT, ...HANDS, "dispatcher"];

/**
 * Every room: what it may import besides itself, and why no more.
 *
 * @type {Record<string, { mayImport: string[], reason: string }>}
 */
export const ROOMS = {
  // words
  protocol: { mayImport: ["errors"], reason: "Words depend on nothing but words; of errors they take types only." },
  errors: { mayImport: ["protocol"], reason: "The catalogue is a table; of the protocol it takes types only." },

  // judgement: no clock, no randomness, no input or output
  json: { mayImport: WORDS, reason: "Reading and hashing know no schema, no tool and no machine." },
  schemas: {
    mayImport: [...WORDS, "json"],
    reason: "A validator turns unknown data into words; it judges nothing else.",
  },
  policy: { mayImport: [...WORDS, "json"], reason: "A verdict is a pure function of words." },
  machines: { mayImport: WORDS, reason: "A machine says what may happen; no code stands behind it." },
  packages: {
    mayImport: [...WORDS, "json", "schemas", "policy"],
    reason: "A package is built and validated from words alone, so that an auditor needs no machine.",
  },
  guards: {
    mayImport: [...WORDS, "json", "schemas", "policy", "packages", "machines"],
    reason: "Guards answer the machines' questions; of the machines they take the names.",
  },
  engine: {
    mayImport: [...WORDS, "json", "packages", "machines"],
    reason: "The engine steps any machine of the dialect and knows no tool.",
  },

  // hands
  host: { mayImport: WORDS, reason: "Clock, randomness, files and environment decide nothing." },
  ledger: {
    mayImport: [...WORDS, ...JUDGEMENT, "host"],
    reason: "A ledger stores what was decided and calls no tool.",
  },
  tools: { mayImport: [...WORDS, ...JUDGEMENT, "host"], reason: "A tool is run within its limits and stores nothing." },

  dispatcher: { mayImport: [...WORDS, ...JUDGEMENT, ...HANDS], reason: "Record, then act: it joins the hands." },

  // doors and readers
  providers: {
    mayImport: [...WORDS, ...JUDGEMENT],
    reason: "A provider's dialect is translated; nothing is run or stored on the way.",
  },
  sample: { mayImport: INNER, reason: "The sample world is a user of the gate like any other." },
  scenarios: { mayImport: [...INNER, "sample"], reason: "Scenarios run in the sample world." },
  drawing: {
    mayImport: [...WORDS, "json", "machines", "engine", "host", "dispatcher"],
    reason: "A picture is drawn from the machine alone; what is watched, from what a gate tells its observer.",
  },
  cli: {
    mayImport: [...INNER, "providers", "sample", "scenarios", "drawing"],
    reason: "Commands are thin and the outermost ring: nothing imports them.",
  },
  index: { mayImport: [...INNER, "providers", "sample", "drawing"], reason: "The public door, by name." },
};

/**
 * Every package and part of Node that the product uses: who knows it.
 *
 * @type {Record<string, { knownBy: string[], typesOnlyIn?: string[], reason: string }>}
 */
export const PACKAGES = {
  ajv: { knownBy: ["schemas"], reason: "Its errors are shared and its patterns unbounded: only schemas knows how." },
  "ajv-formats": { knownBy: ["schemas"], reason: "A part of Ajv." },
  re2js: { knownBy: ["schemas"], reason: "Patterns of other people's schemas run in linear time." },
  "json-schema-to-ts": {
    knownBy: [],
    typesOnlyIn: ["schemas", "tools"],
    reason: "It consists of types: a tool's arguments and output follow from its schemas.",
  },
  xstate: {
    knownBy: ["machines", "engine", "drawing"],
    reason: "The rest of the product sees state, event and effect.",
  },
  commander: { knownBy: ["cli"], reason: "Only the command line has options." },
  "node:crypto": { knownBy: ["json", "host"], reason: "Digests are pure; randomness is the host's." },
  "node:fs": { knownBy: ["host"], reason: "The host is the only way to files." },
  "node:http": { knownBy: ["host"], reason: "The host is the only way to other processes." },
  "node:net": { knownBy: ["host"], reason: "The host is the only way to other processes." },
  "node:module": { knownBy: ["host"], reason: "Other people's modules are loaded by the host." },
  "node:path": { knownBy: ["host"], reason: "Names of files are the host's." },
  "node:url": { knownBy: ["host"], reason: "Names of files are the host's." },
  "node:process": { knownBy: ["host"], reason: "The environment is the host's." },
  "node:util": { knownBy: ["json", "packages"], reason: "To look at foreign values without running their code." },
};

const pathOf = (room) => (room === "machines" ? "^machines/" : room === "index" ? "^src/[^/]+[.]ts$" : `^src/${room}/`);
const pathsOf = (rooms) => rooms.map(pathOf);

// The cruiser names a part of Node without its prefix.
const pathOfPackage = (name) =>
  name.startsWith("node:") ? `^(node:)?${name.slice("node:".length)}(/|$)` : `(^|node_modules/)${name}(/|$)`;

const roomRules = Object.entries(ROOMS).map(([room, { mayImport, reason }]) => ({
  name: `room-${room}`,
  comment: reason,
  severity: "error",
  from: { path: pathOf(room) },
  to: { dependencyTypes: ["local"], pathNot: pathsOf([room, ...mayImport]) },
}));

const packageRules = Object.entries(PACKAGES).flatMap(([name, { knownBy, typesOnlyIn = [], reason }]) => {
  const rule = { comment: reason, severity: "error" };
  const known = {
    ...rule,
    name: `package-${name}`,
    from: { path: "^(src|machines)/", pathNot: pathsOf([...knownBy, ...typesOnlyIn]) },
    to: { path: pathOfPackage(name) },
  };
  const typesOnly = {
    ...rule,
    name: `package-${name}-types-only`,
    from: { path: pathsOf(typesOnlyIn) },
    to: { path: pathOfPackage(name), dependencyTypesNot: ["type-only"] },
  };
  return typesOnlyIn.length === 0 ? [known] : [known, typesOnly];
});

const wordRules = [
  ["protocol", "errors"],
  ["errors", "protocol"],
].map(([from, to]) => ({
  name: `words-${from}-types-only`,
  comment: "The two rooms of words name each other, so at run time neither may need the other.",
  severity: "error",
  from: { path: pathOf(from) },
  to: { path: pathOf(to), dependencyTypesNot: ["type-only"] },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-room",
      comment: "Every file stands in a room of the table.",
      severity: "error",
      from: { path: "^(src|machines)/", pathNot: pathsOf(Object.keys(ROOMS)) },
      to: {},
    },
    ...roomRules,
    ...wordRules,
    ...packageRules,
    {
      name: "no-other-package",
      comment: "A package or part of Node is used once it stands in the table, with a reason.",
      severity: "error",
      from: { path: "^(src|machines)/" },
      to: { dependencyTypesNot: ["local", "unknown"], pathNot: Object.keys(PACKAGES).map(pathOfPackage) },
    },
    {
      name: "no-development-package",
      comment: "The published package is installed without development dependencies.",
      severity: "error",
      from: { path: "^(src|machines)/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-unresolved",
      comment: "An import that leads nowhere cannot be judged.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-circle",
      comment: "Modules in a circle can only be understood together. Types may name each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-orphan",
      comment: "A module that nothing imports, and that imports nothing, is left over.",
      severity: "error",
      from: { orphan: true, path: "^(src|machines)/" },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Types count: a ring is left by a type as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    combinedDependencies: false,
  },
};
