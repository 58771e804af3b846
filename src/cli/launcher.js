#!/usr/bin/env node
// Plain JavaScript, and no import before the check: an older Node has to get as far as saying what it lacks.
const requiredMajor = 24;

if (Number.parseInt(process.versions.node, 10) < requiredMajor) {
  process.stderr.write(`callgate needs Node ${requiredMajor} or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  import("./main.ts").catch((error) => {
    // Not even the commands could be loaded. `node src/cli/main.ts` shows where.
    process.stderr.write(`callgate could not start (${error.code || error.name}); install it again\n`);
    process.exitCode = 2;
  });
}
