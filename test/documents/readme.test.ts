import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

describe("README", () => {
  it("has an example that runs and prints what its comments say", () => {
    const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? "";
    const promised = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(3);

    const source = example.replace('from "callgate"', `from ${JSON.stringify(new URL("src/index.ts", root).href)}`);
    const run = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", source], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.stdout.trimEnd().split("\n")).toEqual(promised);
  });

  it("gives the two commands on its first screen", () => {
    const firstScreen = readme.split("\n").slice(0, 24).join("\n");
    expect(firstScreen).toContain("npm ci && npm start");
    expect(firstScreen).toContain("npm ci && npm test");
  });
});
