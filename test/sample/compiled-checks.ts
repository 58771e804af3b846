import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import { format } from "prettier";
import { SAMPLE_SCHEMAS } from "../../src/sample/schemas.ts";
import { AJV_OPTIONS, lookUpOwnMembers } from "../../src/schemas/compile.ts";

const HEAD = `// @ts-nocheck: Ajv writes JavaScript.
// Made by \`npm run validators\` out of schemas.ts: what Ajv compiles the schemas of the sample tools to, so that nobody waits for
// Ajv who runs these tools only. Their patterns are our own, and run as they are.
import { codePointLength } from "../protocol/identifier.ts";
`;

/** The text of src/sample/compiled-checks.ts, as the schemas want it. */
export async function compiledChecks(): Promise<string> {
  const ajv = new Ajv2020({
    ...AJV_OPTIONS,
    messages: false,
    code: { source: true, esm: true, lines: true, process: lookUpOwnMembers },
  });
  for (const [name, schema] of Object.entries(SAMPLE_SCHEMAS)) ajv.addSchema(schema, name);
  const names = Object.keys(SAMPLE_SCHEMAS);
  const code = standaloneModule
    .default(ajv, Object.fromEntries(names.map((name) => [name, name])))
    .replace('"use strict";', "")
    .replaceAll(/const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g, "const $1 = codePointLength;")
    // What a check says against a value is read by nobody here.
    .replaceAll(/validate\d+\.errors = \[.*\];\n/g, "")
    .replaceAll(/^const schema\d+ = .*;\n/gm, "")
    .replaceAll(
      /^export const (\w+) = (\w+);$/gm,
      "/** Whether a value fits the schema `$1`. */\nexport const $1: (value: unknown) => boolean = $2;",
    );
  if (code.includes("require(")) throw new Error("Ajv needs more of its run time than is handed on");
  return format(HEAD + code, { parser: "typescript", printWidth: 120 });
}
