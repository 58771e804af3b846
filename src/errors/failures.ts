/** One row of the catalogue of failures: an error with a code, thrown to the host or printed to the operator; never told to a model. */
export interface FailureRow {
  readonly kind: "failure";
  readonly category: "input" | "json" | "machine" | "tool" | "ledger" | "scenario" | "package" | "command" | "bug";
  readonly exitStatus: 2;
  readonly httpStatus: number;
  /** What is wrong, without any part of the input. */
  readonly sentence: string;
  /** What to do. */
  readonly remedy: string;
}

const row = (category: FailureRow["category"], httpStatus: number, sentence: string, remedy: string): FailureRow => ({
  kind: "failure",
  category,
  exitStatus: 2,
  httpStatus,
  sentence,
  remedy,
});

/** Every failure code. Codes are never reused. */
export const FAILURES = {
  REQUEST_INVALID: row(
    "input",
    400,
    "the request has not the shape that the gate takes",
    "pass { principal, proposal, executionContext } and nothing else but approvals and signal",
  ),
  CLOCK_INVALID: row(
    "input",
    500,
    "the host's clock gives no valid time",
    "give whole seconds since the Unix epoch, 0 to 253402300799",
  ),
  RANDOMNESS_INVALID: row(
    "input",
    500,
    "the host gives no valid or no new random id",
    "give 128 random bits as 32 lowercase hex digits, never the same twice",
  ),
  PRINCIPAL_INVALID: row(
    "input",
    400,
    "the principal is malformed",
    "give tenant_id, subject_id and roles: identifiers of 1 to 255 characters; roles, at most 32, sorted (ascending by code point) and without duplicates",
  ),
  CONTEXT_INVALID: row(
    "input",
    400,
    "the execution context is malformed",
    "give exactly the seven members, each an identifier of 1 to 255 characters (idempotency_key may be null)",
  ),
  PROFILE_UNREGISTERED: row(
    "input",
    400,
    "provider, API family and adapter revision are not a registered profile",
    "use one of the registered profiles: openai, responses, openai-responses-v1; anthropic, messages, anthropic-messages-v1; google, interactions, gemini-interactions-v1",
  ),
  NAME_INVALID: row(
    "input",
    400,
    "the tool name is not an identifier",
    "give 1 to 255 characters that are not only white space",
  ),
  ARGUMENTS_UNHASHABLE: row(
    "input",
    400,
    "the arguments are outside the JSON that can be hashed",
    "pass plain JSON data within the limits: depth 32, 1024 members, strings of 65536 characters, finite numbers, well-formed Unicode",
  ),
  STATUS_REF_INVALID: row(
    "input",
    400,
    "the status reference is malformed",
    "pass `status_` and 32 lowercase hex digits, as the package gave it",
  ),
  EXPECTED_DIGEST_INVALID: row(
    "input",
    400,
    "the expected request digest is malformed",
    "pass 64 lowercase hex digits, as the package's audit gave them",
  ),
  PROVIDER_CALL_INVALID: row(
    "input",
    400,
    "that is not a tool call as the provider's SDK gives it",
    "pass { call, response } as they came: the `function_call` item, `tool_use` block or `function_call` step, and the whole response that it came in",
  ),
  PROVIDER_RESPONSE_INCOMPLETE: row(
    "input",
    409,
    "the provider's response has not ended, or was cut, and its calls may be cut too",
    "wait for its end; if a limit cut it, raise the limit and ask again; dispatch nothing of it",
  ),
  APPROVER_INELIGIBLE: row(
    "input",
    403,
    "that person may not approve this call",
    "let somebody on the gate's list of approvers decide who did not make the call",
  ),
  APPROVAL_IMPOSSIBLE: row(
    "input",
    409,
    "no approval of that call can be made",
    "approve only calls of registered tools that write, with arguments that fit",
  ),

  JSON_TOO_LARGE: row("json", 413, "the text is longer than its limit", "split it, or shorten it"),
  JSON_NOT_UTF8: row("json", 400, "the text is not valid UTF-8", "save it as UTF-8"),
  JSON_BOM: row("json", 400, "the text starts with a byte order mark", "save it as UTF-8 without a byte order mark"),
  JSON_TOO_DEEP: row("json", 400, "containers are nested more than 32 deep", "flatten the value"),
  JSON_SYNTAX: row(
    "json",
    400,
    "the text is not JSON",
    "mend the text at the place named; comments, trailing commas, NaN and Infinity are not JSON",
  ),
  JSON_DUPLICATE_MEMBER: row("json", 400, "a member stands twice in one object", "remove one of the two"),
  JSON_NUMBER_RANGE: row(
    "json",
    400,
    "a number cannot be held exactly",
    "write integers of magnitude at most 9007199254740991 and finite fractions; put larger ones into strings",
  ),
  JSON_SURROGATE: row("json", 400, "a string has half of a surrogate pair", "write well-formed Unicode"),
  JSON_STRING_TOO_LONG: row("json", 400, "a string has more than 65536 characters", "shorten it"),
  JSON_TOO_MANY_MEMBERS: row("json", 400, "an array or object has more than 1024 members", "split it"),
  JSON_NOT_DATA: row(
    "json",
    400,
    "a value is not plain JSON data",
    "pass plain objects, dense arrays, strings, finite numbers, booleans and null; no getters, proxies, class instances, cycles or undefined",
  ),

  MACHINE_OUT_OF_DIALECT: row(
    "machine",
    500,
    "the machine uses something outside the dialect",
    "keep machines flat, with named guards and actions only, and an unguarded last branch for each guarded event",
  ),
  MACHINE_INCOMPLETE: row(
    "machine",
    500,
    "a guard or action of the machine is not implemented",
    "provide every named guard and action",
  ),
  STATE_INVALID: row(
    "machine",
    500,
    "the stored state is not one of this machine",
    "restore the stored value from a backup; do not edit it",
  ),
  EVENT_UNKNOWN: row("machine", 400, "no machine knows that event", "feed only events of the machine's alphabet"),
  EVENT_FOREIGN: row(
    "machine",
    400,
    "that event belongs to another machine",
    "feed the event to the machine that knows it",
  ),
  EVENT_MALFORMED: row(
    "machine",
    400,
    "the event has not exactly the members of its type",
    "feed the event with exactly its members",
  ),
  EVENT_OUT_OF_PLACE: row(
    "machine",
    409,
    "the state does not answer that event",
    "look up the state first; an unknown outcome answers only the explicit status query",
  ),

  TOOL_INVALID: row("tool", 500, "the tool definition is not valid", "mend the members named"),
  TOOL_DUPLICATE: row("tool", 500, "two tools have one name", "give each tool a name of its own"),
  SCHEMA_INVALID: row(
    "tool",
    500,
    "a schema of the tool is not usable",
    "give a JSON Schema of draft 2020-12 that compiles and whose patterns run in linear time",
  ),
  GATE_OPTIONS_INVALID: row("tool", 500, "the options of the gate are not valid", "mend the option named"),
  GATE_CLOSED: row("input", 503, "the gate is closed", "create a new gate"),

  LEDGER_UNAVAILABLE: row(
    "ledger",
    503,
    "the ledger could not store or read",
    "look at the ledger's store; nothing was started; what was started before is settled by recovery",
  ),
  LEDGER_CORRUPT: row(
    "ledger",
    500,
    "a stored value is not what was stored",
    "restore it from a backup; the row is named",
  ),

  FIXTURE_INVALID: row(
    "scenario",
    400,
    "the scenario file is not valid",
    "mend the member named; the format is described in the README",
  ),
  FIXTURE_VERSION: row(
    "scenario",
    400,
    "the scenario file has another schema version",
    "use schema_version tool-cases-v2, or callgate-scenarios-v1 for a gate of your own",
  ),
  FIXTURE_OF_ANOTHER_GATE: row(
    "scenario",
    400,
    "the scenario file is about other tools",
    "run callgate-scenarios-v1 with --gate FILE, and tool-cases-v2 without: it is about the sample tools",
  ),
  SCENARIO_APPROVAL_UNREGISTERED: row(
    "scenario",
    400,
    "a step asks for an approval of an unregistered tool",
    "take the approval out of the step",
  ),
  SCENARIO_FAULT_ON_READ: row(
    "scenario",
    400,
    "a time-out after commit reached a tool that reads",
    "use that fault only with tools that write",
  ),
  SCENARIO_NO_STATUS_REF: row(
    "scenario",
    400,
    "the step referred to has no status_ref",
    "refer to a step that dispatched a write with an idempotency key",
  ),
  SCENARIO_QUERY_UNREGISTERED: row(
    "scenario",
    400,
    "a step queries the status of an unregistered tool",
    "query a registered tool",
  ),
  SCENARIO_GATE_FAILED: row(
    "scenario",
    500,
    "a function that the gate offers to scenarios failed",
    "mend the function named in the gate's module",
  ),
  SCENARIO_STUCK: row(
    "scenario",
    504,
    "a step does not end: nothing answers, and its clock stands still",
    "let the world advance its clock past the tool's deadline where an answer is to be lost",
  ),

  PACKAGE_INVALID: row(
    "package",
    422,
    "the package does not validate against its call",
    "do not pass it on; validate it to see the list of errors",
  ),

  USAGE: row("command", 400, "the command line is not valid", "see --help"),
  FILE_NOT_FOUND: row("command", 404, "there is no such file or folder", "check the name"),
  FILE_UNREADABLE: row(
    "command",
    400,
    "the file cannot be read",
    "check that it is a regular file and its permissions",
  ),
  NO_SCENARIOS: row(
    "command",
    400,
    "no scenario files were found there",
    "name .json scenario files or folders that have some, with --gate for those of a gate of your own",
  ),
  AUDIT_INPUT_INVALID: row(
    "command",
    400,
    "the input is not what this command takes",
    "give the members that --help names, in one object or in a list of them",
  ),
  GATE_FILE_NOT_FOUND: row(
    "command",
    404,
    "there is no such gate file",
    "name a .js, .mjs, .ts or .mts module; `callgate init` writes one",
  ),
  GATE_FILE_INVALID: row(
    "command",
    400,
    "the module is not what a gate is made of",
    "export default defineGate({ tools, resolver, approvers }), or export these by name",
  ),
  GATE_STRAY_ERROR: row(
    "command",
    500,
    "the gate's code threw where nobody waits for it",
    "find the timer, the event or the promise that threw, and catch it there",
  ),
  INIT_FILE_EXISTS: row(
    "command",
    409,
    "a file that would be written is there already",
    "name an empty folder, or move the file away; nothing was written",
  ),
  FILE_UNWRITABLE: row("command", 400, "the file cannot be written", "check the folder and its permissions"),
  DIAGRAM_UNKNOWN: row("command", 404, "there is no machine of that name", "name one of the machines listed"),
  INSPECT_URL_REFUSED: row(
    "command",
    400,
    "the inspector may not send there",
    "name a relay on this machine, as ws://localhost:8080",
  ),
  INSPECT_INCOMPLETE: row(
    "command",
    503,
    "not all messages got to the inspector",
    "start its relay first, or name where it listens; nothing else was affected",
  ),
  OUTPUT_FAILED: row("command", 500, "the output could not be written", "check the disk and the reader of the pipe"),

  INTERNAL: row(
    "bug",
    500,
    "something went wrong inside",
    "report it with the version; nothing that was unsure was called certain",
  ),
} as const satisfies Record<string, FailureRow>;

/** A code of a failure. */
export type FailureCode = keyof typeof FAILURES;
