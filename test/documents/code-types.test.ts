import { dirname, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { codeBlocks, PAGES, ROOT } from "./code-blocks.ts";

/** Where the blocks are said to stand: nothing is written there. Deep enough to find the installed packages. */
const FOLDER = join(ROOT, "test/documents/.pages");

/** What the pages say is the reader's own. */
const READERS_OWN = {
  "shop.mts": `
import type { ScenarioClock, Tool, JsonObject } from "callgate";
export interface Shop {
  readonly refundCount: number;
  loseAnswers(): () => void;
  close(): Promise<void>;
}
export declare const tools: readonly Tool[];
export declare const approvers: readonly string[];
export declare function connect(url: string | undefined): Promise<Shop>;
export declare function fakeShop(parameters: JsonObject, clock: ScenarioClock): Shop;
export declare function refundTool(resolve: () => Shop): Tool;
`,
  "bank.mts": `
export interface Charge {
  readonly status: "charged" | "declined";
  readonly reason?: string;
}
`,
} as const;

/** The TypeScript of a page by file. A block that is to be run continues the one before it. */
function filesOf(page: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { language, label, text, line } of codeBlocks(page)) {
    if (language !== "ts") continue;
    const name = label === null ? "program.mts" : label === "no-run" ? `line-${line}.mts` : label;
    files.set(join(FOLDER, page, name), (files.get(join(FOLDER, page, name)) ?? "") + text);
  }
  if (files.size === 0) return files;
  for (const [name, text] of Object.entries(READERS_OWN)) files.set(join(FOLDER, page, name), text);
  return files;
}

/** What the compiler, at its strictest, says of files that are nowhere on disk. Shape: `page/file:line: message`. */
function errorsIn(files: ReadonlyMap<string, string>): readonly string[] {
  const config = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path));
  // Nothing of the project but what the pages import.
  const project = { compilerOptions: (config.config as { compilerOptions: object }).compilerOptions, files: [] };
  const { options } = ts.parseJsonConfigFileContent(project, ts.sys, ROOT, { noUnusedLocals: false });
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  const onDisk = { ...host };
  host.readFile = (path) => files.get(path) ?? onDisk.readFile(path);
  host.fileExists = (path) => files.has(path) || onDisk.fileExists(path);
  host.directoryExists = (path) => folders.has(path) || (onDisk.directoryExists?.(path) ?? true);
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? onDisk.getSourceFile(path, target, ...rest)
      : ts.createSourceFile(path, text, target, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${path.slice(FOLDER.length + 1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
}

const FILES = PAGES.map((page) => [page, filesOf(page)] as const).filter(([, files]) => files.size > 0);
let errors: readonly string[];

beforeAll(() => {
  errors = errorsIn(new Map(FILES.flatMap(([, files]) => [...files])));
}, 120_000);

describe("the code of the pages", () => {
  test("is found", () => {
    expect(FILES.map(([page]) => page)).toEqual(["GUIDE.md", "README.md"]);
    const names = FILES.flatMap(([, files]) => [...files.keys()].map((path) => path.slice(path.lastIndexOf("/") + 1)));
    expect(names).toEqual(expect.arrayContaining(["program.mts", "openai.mts", "anthropic.mts", "gemini.mts"]));
    expect(names.filter((name) => name.startsWith("line-"))).toHaveLength(3);
  });

  test.each(FILES)("of %s is what the compiler takes at its strictest", (page) => {
    expect(errors.filter((error) => error.startsWith(page))).toEqual([]);
  });

  test("would not be taken with an error in it", () => {
    const [, files] = FILES[0] ?? ["", new Map<string, string>()];
    const broken = new Map(
      [...files].map(([path, text]) => [path, text.replace("deadlineMs: 2_000", 'deadlineMs: "2 s"')]),
    );
    expect(errorsIn(broken)).toEqual([
      expect.stringMatching(/^GUIDE\.md\/gate\.mts:\d+: Type 'string' is not assignable/),
    ]);
  });
});
