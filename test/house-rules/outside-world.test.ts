import ts from "typescript";
import { describe, expect, test } from "vitest";
import { SOURCES, textOf } from "./project-files.ts";

/** What tells the time, waits, throws dice or reaches out of the process. Only the host may. */
const GLOBALS: ReadonlySet<string> = new Set([
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "crypto",
  "fetch",
  "WebSocket",
  "process",
  "globalThis",
  "global",
]);
const MEMBERS: ReadonlySet<string> = new Set(["Date.now", "Math.random", "AbortSignal.timeout"]);

/** The command line is a door: it has a process around it, but no environment, clock or folder of its own. */
const OF_A_PROCESS: ReadonlySet<string> = new Set(["argv", "stdin", "stdout", "stderr", "exitCode", "on", "versions"]);

function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return node !== parent.getChildAt(0);
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) return node === parent.name;
  if (ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent)) return node === parent.name;
  return ts.isImportSpecifier(parent) && node === parent.propertyName;
}

/** Every place in a source text that reaches past the host. Shape: `line: what`. */
function reachesIn(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isDoor = path.startsWith("src/cli/");
  const found: string[] = [];
  const report = (node: ts.Node, what: string): void => {
    found.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && MEMBERS.has(node.getText())) report(node, node.getText());
    if (ts.isIdentifier(node) && GLOBALS.has(node.text) && !isName(node)) {
      const { parent } = node;
      const allowed =
        isDoor &&
        node.text === "process" &&
        ts.isPropertyAccessExpression(parent) &&
        OF_A_PROCESS.has(parent.name.text);
      if (!allowed) report(node, node.text);
    }
    const isDate = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "Date";
    if (isDate && (node.arguments?.length ?? 0) === 0) report(node, "Date()");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe("only the host reaches the outside world", () => {
  test.each(SOURCES.filter((path) => !path.startsWith("src/host/")))("%s", (path) => {
    expect(reachesIn(path, textOf(path))).toEqual([]);
  });

  test.each([
    ["src/engine/seed.ts", "export const now = Date.now();", ["1: Date.now"]],
    ["src/engine/seed.ts", "export const now =\n  new Date();", ["2: Date()"]],
    ["src/engine/seed.ts", "export const now = Date();", ["1: Date()"]],
    ["src/engine/seed.ts", "export const clock = Date.now;", ["1: Date.now"]],
    ["src/engine/seed.ts", "export const dice = Math.random();", ["1: Math.random"]],
    ["src/engine/seed.ts", "export const id = crypto.randomUUID();", ["1: crypto"]],
    ["src/dispatcher/seed.ts", "setTimeout(() => {}, 1);", ["1: setTimeout"]],
    ["src/dispatcher/seed.ts", "export const signal = AbortSignal.timeout(5);", ["1: AbortSignal.timeout"]],
    ["src/dispatcher/seed.ts", "export const ms = performance.now();", ["1: performance"]],
    ["src/dispatcher/seed.ts", "export const wait = { after: setTimeout };", ["1: setTimeout"]],
    ["src/dispatcher/seed.ts", "export const wait = { setTimeout };", ["1: setTimeout"]],
    ["src/dispatcher/seed.ts", "export const ms = globalThis.performance.now();", ["1: globalThis"]],
    ["src/scenarios/seed.ts", "export const home = process.env.HOME;", ["1: process"]],
    ["src/scenarios/seed.ts", "process.stdout.write('');", ["1: process"]],
    ["src/cli/seed.ts", "export const home = process.env.HOME;", ["1: process"]],
    ["src/cli/seed.ts", "export const all = { ...process };", ["1: process"]],
  ])("%s with %j is caught", (path, text, found) => {
    expect(reachesIn(path, text)).toEqual(found);
  });

  test.each([
    ["src/engine/seed.ts", "export const epoch = new Date(0).toISOString();"],
    ["src/engine/seed.ts", "export const epoch = Date.UTC(1970, 0);"],
    ["src/engine/seed.ts", "export interface Wait { setTimeout(): void; readonly process: string }"],
    ["src/engine/seed.ts", "export const wait = (host: { fetch(): void }) => host.fetch();"],
    ["src/engine/seed.ts", "// Date.now() is not called here\nexport const text = 'Math.random()';"],
    ["src/cli/seed.ts", "process.stdout.write(process.argv.join());"],
  ])("%s with %j is fine", (path, text) => {
    expect(reachesIn(path, text)).toEqual([]);
  });
});
