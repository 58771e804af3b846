import { format } from "prettier";
import { FAILURES } from "../../src/errors/failures.ts";
import { REFUSALS } from "../../src/errors/refusals.ts";

const INTRODUCTION = `# Errors

Every code that callgate can give, generated from its catalogue: do not edit this page, run \`npm run errors\`. Codes are never
used again for something else.

- A **refusal** is a value, told to the model in \`model_result.error\`. Its sentence is fixed: nothing of a call is in it.
- A **failure** is a \`CallgateError\`, thrown to the host or printed by a command. A model is never told one. Its sentence may
  be followed by a detail and a place.

The HTTP status is the one to answer with where a host has to give one; the exit status is that of a command.`;

const REFUSALS_INTRODUCTION = `## Refusals

In order of precedence: where several apply, the first one decides. In a command, exit status 1.`;

const FAILURES_INTRODUCTION = `## Failures

A command ends with exit status 2.`;

const inCode = (text: string): string => `\`${text}\``;
const linked = (code: string): string => `[${inCode(code)}](#${code.toLowerCase()})`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A section of one code. Its facts stand in a list: kind, then what the row says. */
function section(code: string, facts: Readonly<Record<string, string>>, quoted: string, remedy: string): string {
  const list = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
  return `### ${code}\n\n> ${quoted}\n\n${list.join("\n")}\n- remedy: ${remedy}`;
}

const retryText = (milliseconds: number | null): string => (milliseconds === null ? "—" : `${milliseconds} ms`);

/** The errors page, from the catalogue. Shape: Markdown as Prettier writes it. */
export async function errorsPage(): Promise<string> {
  const refusals = Object.entries(REFUSALS);
  const failures = Object.entries(FAILURES);
  const parts = [
    INTRODUCTION,
    REFUSALS_INTRODUCTION,
    table(
      ["code", "category", "outcome", "recovery", "HTTP"],
      refusals.map(([code, { category, outcome, recovery, httpStatus }]) => [
        linked(code),
        category,
        inCode(outcome),
        inCode(recovery),
        String(httpStatus),
      ]),
    ),
    ...refusals.map(([code, row]) =>
      section(
        code,
        {
          kind: row.kind,
          category: row.category,
          outcome: inCode(row.outcome),
          recovery: inCode(row.recovery),
          "retry after": retryText(row.retryAfterMs),
          "exit status": String(row.exitStatus),
          "HTTP status": String(row.httpStatus),
        },
        row.sentence,
        row.remedy,
      ),
    ),
    FAILURES_INTRODUCTION,
    table(
      ["code", "category", "HTTP"],
      failures.map(([code, { category, httpStatus }]) => [linked(code), category, String(httpStatus)]),
    ),
    ...failures.map(([code, row]) =>
      section(
        code,
        {
          kind: row.kind,
          category: row.category,
          "exit status": String(row.exitStatus),
          "HTTP status": String(row.httpStatus),
        },
        row.sentence,
        row.remedy,
      ),
    ),
  ];
  return format(parts.join("\n\n"), { parser: "markdown", printWidth: 120 });
}
