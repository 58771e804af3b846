import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Observer } from "../dispatcher/observer.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { thrownText } from "../errors/thrown-text.ts";
import { packageVersion } from "../host/files.ts";
import { endProcess, endProcessAnyway } from "../host/process-end.ts";
import { DIAGRAM_FORMATS, type DiagramFormat } from "./diagram-formats.ts";
import type { InspectionOptions } from "./inspection.ts";
import { failureText } from "./failure-text.ts";
import { print, printError } from "./output.ts";
import { REPORTER_NAMES, type ReporterName } from "./report-names.ts";

const PROGRAM_EXAMPLES = `Examples:
  callgate run                         the sample scenarios, and a report
  callgate run my-scenarios --json     all scenarios of a folder, one JSON object
  callgate init                        a gate of your own, scenarios for it, and a CI step
  callgate run --gate gate.mts scenarios
  callgate digest calls.json           every digest of a call
  callgate validate packages.json      whether a package says the truth about its call
  callgate diagram operation           the machine, as Mermaid
  callgate tools list                  the tools, their revisions and the digests of their schemas
`;

const RUN_EXAMPLES = `Examples:
  callgate run
  callgate run first.json more-scenarios
  callgate run first.json --json | jq .passed
  callgate run --gate gate.mts scenarios
  callgate run -t refund --bail        ids with "refund", up to the first case that fails
  callgate run --reporter github --reporter junit --output-file junit.xml
  callgate run --inspect               watched in the Stately Inspector
`;

const RUN_DETAILS = `
A scenario file is JSON of schema_version tool-cases-v2 (about the sample tools) or, with --gate, callgate-scenarios-v1 (about
the tools of that gate), at most 65536 bytes. Folders are searched for .json files, but not their hidden folders, node_modules
and links; what they have for another gate is passed over. Every file is checked before the first one runs.

A gate is a module that exports, as its default or by name, tools, approvers, resolver and scenarios: see defineGate. Its code
runs with the rights of this process. It is taken from the command line only, never from a scenario file.

With --json: passed, case_count, step_count and cases[] (id, file, passed, steps[]). A step has step_id, passed, actual_code,
status, outcome, recovery, delivery, data, side_effect_count, lifecycle (states of its own run), owner_lifecycle (a query's:
states of the operation asked about), digests, validation_errors, diagnostics[] (subject and problems[]: why the gate answered
as it did) and failure: null, or place, differences and lost_in, the first state from which the expected code and delivery could
no longer be reached.

Reporters: pretty for people; json as above; junit, XML with a suite a file and a test case a step; github, workflow commands
that GitHub shows at the step in its file. json or junit goes alone to the standard output, or into --output-file, which is
replaced as a whole; with that file the other reporters, or else pretty, go to the standard output. --json is always JSON there.

-t runs all steps of a case whose id contains the name, else its steps up to the last one whose id does. --bail ends the run
after the case in which a step failed. On a terminal, progress is shown on the standard error output, but not with --json or
where CI is set.

With --inspect, every operation, status query and approval is shown in the Stately Inspector by a relay of
@statelyai/inspect on this machine: states, events, codes, names of tools, no argument, output or identity. Where
no relay is, one line on the standard error output says so; report and exit status stay the same.

Exit status: 0 all steps passed, 1 a step failed, 2 bad input or usage.
`;

const INIT_EXAMPLES = `Examples:
  callgate init
  callgate init my-gate
`;

const INIT_DETAILS = `
It writes gate.mts, scenarios/notes.json and .github/workflows/callgate.yml, makes folders where they are missing, and writes
nothing at all where one of the files is there already.

With --json: files[], as they are called from the folder. Exit status: 0, or 2 for bad usage or a file that is there.
`;

const DIGEST_EXAMPLES = `Examples:
  callgate digest calls.json
  callgate digest - --json < calls.json
  callgate digest --gate gate.mts calls.json
`;

const DIGEST_DETAILS = `
FILE has one object or a list of them, at most 16 MiB; - is the standard input. An object has principal and call (name,
arguments and the seven members of the execution context), and may have result_sha256, downstream and approver_id (else the
first approver of the gate). Tools are those of the gate, or of the sample world.

With --json: a list for a list, an object for an object. Exit status: 0, or 2 for bad input or usage.
`;

const VALIDATE_EXAMPLES = `Examples:
  callgate validate packages.json
  callgate validate - --json < packages.json
  callgate validate --gate gate.mts packages.json
`;

const VALIDATE_DETAILS = `
FILE has one object or a list of them, at most 16 MiB; - is the standard input. An object has principal, call and package, or
principal, calls and packages; its other members are not looked at. Tools are those of the gate, or of the sample world.

With --json: a list of valid, errors[] (at, rule, message) and payload (what goes back to the provider; null unless the
object is a single valid package). Exit status: 0 all are valid, 1 some are not, 2 bad input or usage.
`;

const DIAGRAM_EXAMPLES = `Examples:
  callgate diagram                     the names of the machines
  callgate diagram operation > operation.mmd
  callgate diagram operation --format svg > operation.svg
  callgate diagram operation --format stately > operation.json
`;

const DIAGRAM_DETAILS = `
Every format shows the whole machine: every state, event, guard, code, delivery and effect.
  mermaid   a Mermaid state diagram
  svg       a picture, for light and dark
  json      the nodes and edges of that picture
  stately   a configuration that Stately's editor imports and XState's createMachine takes

With --json: name and a member called as the format, or a list of names where none is given. Exit status: 0, or 2 for a name
that is unknown.
`;

const TOOLS_EXAMPLES = `Examples:
  callgate tools list                  the tools that a gate would register
  callgate tools lint --json           everything that is wrong with them, each with its remedy
  callgate tools lint --gate gate.mts  the same of a gate of your own
`;

const TOOLS_DETAILS = `
Tools are those of the gate, or of the sample world. Nothing is opened, and no tool is run.

list, with --json: a list of name, provider_name (the name that every provider takes), description, risk, deadline_ms,
tool_contract (name and six revisions), input_schema_sha256 and output_schema_sha256 (of the canonical form of the schemas,
every object closed). Exit status: 0, or 2 for bad input or usage.

lint, with --json: passed and problems[] (at, problem, remedy), of all tools at once. Exit status: 0 nothing is wrong, 1
something is, 2 bad usage, or a file that is no gate.
`;

const JSON_OPTION = ["--json", "print JSON; an error is then one JSON object on the standard error output"] as const;
const GATE_OPTION = ["--gate <file>", "module of a gate of your own; none: the sample tools"] as const;
const FILE_ARGUMENT = ["<file>", "JSON file, or - for the standard input"] as const;

interface RunOptions extends InspectionOptions {
  readonly json?: boolean;
  readonly gate?: string;
  readonly reporter?: readonly ReporterName[];
  readonly outputFile?: string;
  readonly t?: string;
  readonly bail?: boolean;
  readonly color: boolean;
}

/** Runs the command that is asked for. Shape: the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const asJson = args.includes("--json");
  let told = "";
  let status = 0;
  const program = new Command("callgate")
    .description("A gate between a model's tool calls and the code that carries them out.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      // Kept, to be written like everything else; what commander says of an error is said anew, on one line.
      writeOut: (text) => {
        told += text;
      },
      writeErr: () => undefined,
    })
    .addHelpText("before", PROGRAM_EXAMPLES);

  // Each command is loaded when it is asked for: nobody waits for the others.
  program
    .command("run")
    .description("Run scenario files and report what happened.")
    .argument("[paths...]", "scenario files, or folders of them; none: the sample scenarios")
    .option(...JSON_OPTION)
    .option(...GATE_OPTION)
    .addOption(
      new Option("--reporter <name>", "how it is reported; may be repeated; pretty where it is not said")
        .choices(REPORTER_NAMES)
        .argParser(withReporter),
    )
    .option("--output-file <file>", "write the report of the json, junit or github reporter to a file")
    .addOption(
      new Option(
        "-t <name>",
        "run only cases and steps whose id contains the name, and the steps before them",
      ).argParser(once),
    )
    .option("--bail", "run no further case after one that failed")
    .option("--inspect", "show the lifecycles in the Stately Inspector, by the relay at ws://localhost:8080")
    .option("--inspect-url <url>", "the same by another relay on this machine, as ws://localhost:9000")
    .option("--inspect-file <file>", "write the same messages to a file, one a line")
    .option("--unsafe-inspect-remote", "let --inspect-url name another machine")
    .option("--no-color", "no colours; they are used on terminals only, and not where NO_COLOR is set")
    .addHelpText("before", RUN_EXAMPLES)
    .addHelpText("after", RUN_DETAILS)
    .action(async (paths: readonly string[], options: RunOptions) => {
      const { run } = await import("./run.ts");
      const { json = false, gate, color, reporter: reporters, outputFile, t: name, bail, ...inspection } = options;
      const asked = { json, gate, color, reporters, outputFile, name, bail };
      const runWith = (newObserver?: () => Observer) => run(paths, { ...asked, newObserver });
      if (Object.keys(inspection).length === 0) status = await runWith();
      else {
        const { inspected } = await import("./inspection.ts");
        status = await inspected(inspection, json, runWith);
      }
    });

  program
    .command("init")
    .description("Write a gate that works, scenarios for it, and a step that runs them in CI.")
    .argument("[folder]", "where to; none: the current folder")
    .option(...JSON_OPTION)
    .addHelpText("before", INIT_EXAMPLES)
    .addHelpText("after", INIT_DETAILS)
    .action(async (folder: string | undefined, { json = false }: { json?: boolean }) => {
      const { init } = await import("./init.ts");
      status = await init(folder ?? ".", { json });
    });

  program
    .command("digest")
    .description("Print every digest of calls.")
    .argument(...FILE_ARGUMENT)
    .option(...JSON_OPTION)
    .option(...GATE_OPTION)
    .addHelpText("before", DIGEST_EXAMPLES)
    .addHelpText("after", DIGEST_DETAILS)
    .action(async (file: string, { json = false, gate }: { json?: boolean; gate?: string }) => {
      const { digest } = await import("./digest.ts");
      status = await digest(file, { json, gate });
    });

  program
    .command("validate")
    .description("Say whether packages are valid for their calls, why not, and what goes back to the provider.")
    .argument(...FILE_ARGUMENT)
    .option(...JSON_OPTION)
    .option(...GATE_OPTION)
    .addHelpText("before", VALIDATE_EXAMPLES)
    .addHelpText("after", VALIDATE_DETAILS)
    .action(async (file: string, { json = false, gate }: { json?: boolean; gate?: string }) => {
      const { validate } = await import("./validate.ts");
      status = await validate(file, { json, gate });
    });

  program
    .command("diagram")
    .description("Print a machine as a diagram.")
    .argument("[name]", "name of a machine; none: the names that there are")
    .addOption(
      new Option("--format <format>", "what is printed; mermaid where it is not said").choices(DIAGRAM_FORMATS),
    )
    .option(...JSON_OPTION)
    .addHelpText("before", DIAGRAM_EXAMPLES)
    .addHelpText("after", DIAGRAM_DETAILS)
    .action(async (name: string | undefined, { json = false, format }: { json?: boolean; format?: DiagramFormat }) => {
      const { diagram } = await import("./diagram.ts");
      status = await diagram(name, { json, format });
    });

  const tools = program
    .command("tools")
    .description("List the tools that a gate would register, or say what is wrong with them.")
    .addHelpText("before", TOOLS_EXAMPLES)
    .addHelpText("after", TOOLS_DETAILS);
  tools
    .command("list")
    .description("Print each tool with its revisions and the digests of its schemas.")
    .option(...JSON_OPTION)
    .option(...GATE_OPTION)
    .action(async ({ json = false, gate }: { json?: boolean; gate?: string }) => {
      const { printTools } = await import("./tools.ts");
      status = await printTools({ json, gate });
    });
  tools
    .command("lint")
    .description("Print everything that is wrong with the tools, and how to mend it.")
    .option(...JSON_OPTION)
    .option(...GATE_OPTION)
    .action(async ({ json = false, gate }: { json?: boolean; gate?: string }) => {
      const { printProblems } = await import("./tools.ts");
      status = await printProblems({ json, gate });
    });

  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    // Commander also ends in this way once it has shown what was asked for.
    const failure = told === "" ? usageFailure(error) : null;
    if (failure !== null) {
      await printError(failureText(failure, asJson));
      return 2;
    }
  }
  try {
    await print(told);
  } catch (error) {
    await printError(failureText(error, asJson));
    return 2;
  }
  return status;
}

/** One more reporter. Errors: commander's, for a name that is none. */
function withReporter(value: string, before: readonly ReporterName[] = []): readonly ReporterName[] {
  const name = REPORTER_NAMES.find((known) => known === value);
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${REPORTER_NAMES.join(", ")}.`);
  return [...before, name];
}

/** A value that can be given one time. Errors: commander's, for the second: it would make the first one silently nothing. */
function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError("It is given once.");
  return value;
}

/** What commander says of the command line, as a failure of ours; any other error as it is. */
function usageFailure(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const isBare = error.code === "commander.help";
  const detail = isBare
    ? "a command is expected"
    : error.message.replace(/^error: |\.$/g, "").replaceAll(/\s*\n\s*/g, " ");
  return new CallgateError("USAGE", { detail, cause: error });
}

async function endWith(error: unknown): Promise<never> {
  const stray = new CallgateError("GATE_STRAY_ERROR", { detail: thrownText(error), cause: error });
  await printError(failureText(isWithGate ? stray : error, args.includes("--json")));
  return endProcess(2);
}

const args = process.argv.slice(2);
const isWithGate = args.some((arg) => arg === "--gate" || arg.startsWith("--gate="));

// Other people's code runs in this process, and may throw when nobody waits for it.
process.on("uncaughtException", (error) => void endWith(error));

// Until something says otherwise: a process that falls silent has not passed.
process.exitCode = 2;
process.exitCode = await main(args);
if (isWithGate) endProcessAnyway();
