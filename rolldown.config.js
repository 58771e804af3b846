// What is run of the package: one file a command and a few that they share, because opening a hundred and thirty modules
// took a fifth of the time of a run. Dependencies stay outside; the declarations are tsc's.
import { readFileSync } from "node:fs";
import { defineConfig } from "rolldown";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const names = Object.keys(dependencies);

export default defineConfig({
  input: { index: "src/index.ts", "cli/launcher": "src/cli/launcher.js" },
  platform: "node",
  external: (id) => id.startsWith("node:") || names.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: "dist/src",
    // Each file is one level below the public door, or it, as each source is: modules.ts looks for the door from there.
    chunkFileNames: "parts/[name]-[hash].js",
  },
});
