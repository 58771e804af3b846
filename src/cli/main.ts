import { Command, CommanderError } from "commander";
import { CallgateError } from "../errors/callgate-error.ts";
import { packageVersion } from "../host/files.ts";
import { failureText } from "./failure-text.ts";
import { print, printError } from "./output.ts";

const PROGRAM_EXAMPLES = `Examples:
  callgate run                         the sample scenarios, and a report
  callgate run my-scenarios --json     all scenarios of a folder, one JSON object
  callgate digest calls.json           every digest of a call
  callgate validate packages.json      whether a package says the truth about its call
  callgate diagram operation           the machine, as Mermaid
`;

const RUN_EXAMPLES = `Examples:
  callgate run
  callgate run first.json more-scenarios
  callgate run first.json --json | jq .passed
`;

const RUN_DETAILS = `
A scenario file is JSON of schema_version tool-cases-v2, at most 65536 bytes. Folders are searched for .json files, but not
their hidden folders, node_modules and links. Every file is checked before the first one runs.

With --json: passed, case_count, step_count and cases[] (id, file, passed, steps[]). A step has step_id, passed, actual_code,
status, outcome, recovery, delivery, data, side_effect_count, lifecycle (states of its own run), owner_lifecycle (a query's:
states of the operation asked about), digests, validation_errors and failure: null, or place, differences and lost_in, the
first state from which the expected code and delivery could no longer be reached.

Exit status: 0 all steps passed, 1 a step failed, 2 bad input or usage.
`;

const DIGEST_EXAMPLES = `Examples:
  callgate digest calls.json
  callgate digest - --json < calls.json
`;

const DIGEST_DETAILS = `
FILE has one object or a list of them, at most 16 MiB; - is the standard input. An object has principal and call (name,
arguments and the seven members of the execution context), and may have result_sha256, downstream and approver_id (else
human-reviewer-1). Tools are those of the sample world.

With --json: a list for a list, an object for an object. Exit status: 0, or 2 for bad input or usage.
`;

const VALIDATE_EXAMPLES = `Examples:
  callgate validate packages.json
  callgate validate - --json < packages.json
`;

const VALIDATE_DETAILS = `
FILE has one object or a list of them, at most 16 MiB; - is the standard input. An object has principal, call and package, or
principal, calls and packages; its other members are not looked at. Tools are those of the sample world.

With --json: a list of valid, errors[] (at, rule, message) and payload (what goes back to the provider; null unless the
object is a single valid package). Exit status: 0 all are valid, 1 some are not, 2 bad input or usage.
`;

const DIAGRAM_EXAMPLES = `Examples:
  callgate diagram                     the names of the machines
  callgate diagram operation > operation.mmd
`;

const DIAGRAM_DETAILS = `
The text is a Mermaid state diagram. It shows the whole machine: every state, event, guard, code, delivery and effect.

With --json: name and mermaid, or a list of names where none is given. Exit status: 0, or 2 for a name that is unknown.
`;

const JSON_OPTION = ["--json", "print JSON; an error is then one JSON object on the standard error output"] as const;
const FILE_ARGUMENT = ["<file>", "JSON file, or - for the standard input"] as const;

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
    .option("--no-color", "no colours; they are used on terminals only, and not where NO_COLOR is set")
    .addHelpText("before", RUN_EXAMPLES)
    .addHelpText("after", RUN_DETAILS)
    .action(async (paths: readonly string[], { json = false, color }: { json?: boolean; color: boolean }) => {
      const { run } = await import("./run.ts");
      status = await run(paths, { json, color });
    });

  program
    .command("digest")
    .description("Print every digest of calls.")
    .argument(...FILE_ARGUMENT)
    .option(...JSON_OPTION)
    .addHelpText("before", DIGEST_EXAMPLES)
    .addHelpText("after", DIGEST_DETAILS)
    .action(async (file: string, { json = false }: { json?: boolean }) => {
      const { digest } = await import("./digest.ts");
      status = await digest(file, { json });
    });

  program
    .command("validate")
    .description("Say whether packages are valid for their calls, why not, and what goes back to the provider.")
    .argument(...FILE_ARGUMENT)
    .option(...JSON_OPTION)
    .addHelpText("before", VALIDATE_EXAMPLES)
    .addHelpText("after", VALIDATE_DETAILS)
    .action(async (file: string, { json = false }: { json?: boolean }) => {
      const { validate } = await import("./validate.ts");
      status = await validate(file, { json });
    });

  program
    .command("diagram")
    .description("Print a machine as a Mermaid diagram.")
    .argument("[name]", "name of a machine; none: the names that there are")
    .option(...JSON_OPTION)
    .addHelpText("before", DIAGRAM_EXAMPLES)
    .addHelpText("after", DIAGRAM_DETAILS)
    .action(async (name: string | undefined, { json = false }: { json?: boolean }) => {
      const { diagram } = await import("./diagram.ts");
      status = await diagram(name, { json });
    });

  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const failure = usageFailure(error);
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

/** The failure to be told; null where commander ends in this way because it showed what was asked for. */
function usageFailure(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return null;
  const isBare = error.code === "commander.help";
  const detail = isBare
    ? "a command is expected"
    : error.message.replace(/^error: |\.$/g, "").replaceAll(/\s*\n\s*/g, " ");
  return new CallgateError("USAGE", { detail, cause: error });
}

// Until something says otherwise: a process that falls silent has not passed.
process.exitCode = 2;
process.exitCode = await main(process.argv.slice(2));
