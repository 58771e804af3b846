import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unnamedTypes } from "./unnamed-types.ts";

const FILES: Readonly<Record<string, string>> = {
  "index.d.ts": `
    export { made, type Named, type Options } from "./inner.js";
    export { Made } from "./made.js";
  `,
  "inner.d.ts": `
    import { Library } from "library";
    type Short<Value> = Value | Promise<Hidden<Value>>;
    type Round = Round[] | Deep;
    interface Local { readonly a: string; }
    export interface Hidden<Value> { readonly value: Value; }
    export interface Deep { readonly below: Unseen; }
    export interface Unseen { readonly b: string; }
    export interface Named { readonly own: Named; readonly list: readonly string[]; readonly other: Library; }
    export declare const LIST: readonly ["a", "b"];
    export interface Options extends Omit<Local, "a"> { readonly round: Round; readonly of: (typeof LIST)[number]; }
    export declare function made<Value extends Named>(value: Short<Value>): import("./made.js").Far;
  `,
  "made.d.ts": `
    import type { Named, Unseen } from "./inner.js";
    export interface Far { readonly c: string; }
    export declare class Made extends Map<string, Named> { constructor(given: Unseen["b"]); }
  `,
  "node_modules/library/index.d.ts": "export interface Library { readonly d: string; }",
  "node_modules/library/package.json": '{ "name": "library", "version": "1.0.0", "types": "index.d.ts" }',
  "package.json": '{ "name": "ours", "version": "1.0.0", "type": "module" }',
};
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "callgate-types-")));
  mkdirSync(join(folder, "node_modules/library"), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("finds what is mentioned and cannot be named, shorthands looked through, other packages left out", () => {
  expect(unnamedTypes(join(folder, "index.d.ts"), folder)).toEqual([
    "Made: Unseen",
    "Options: Deep",
    "Options: Local",
    "made: Far",
    "made: Hidden",
  ]);
});

test("finds nothing where all can be named, and says when there is nothing to look at", () => {
  writeFileSync(
    join(folder, "whole.d.ts"),
    `export * from "./inner.js"; export * from "./made.js"; export interface Local { readonly a: string; }`,
  );
  expect(unnamedTypes(join(folder, "whole.d.ts"), folder)).toEqual(["Options: Local"]);
  writeFileSync(join(folder, "empty.d.ts"), "declare const nothing: string;");
  expect(() => unnamedTypes(join(folder, "empty.d.ts"), folder)).toThrow(TypeError);
});
