import { APPROVAL } from "../engine/approval.ts";
import { compileMachine, type TransitionTable } from "../engine/compile.ts";
import { OPERATION } from "../engine/operation.ts";
import { STATUS_QUERY } from "../engine/status-query.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import { writeMermaid } from "./mermaid.ts";
import { pictureOf, type Picture } from "./picture.ts";
import { writeStately, type StatelyMachine } from "./stately.ts";

const TABLES = new Map<string, () => TransitionTable<string, string, string>>([
  [OPERATION.machine.id, () => compileMachine(OPERATION)],
  [STATUS_QUERY.machine.id, () => compileMachine(STATUS_QUERY)],
  [APPROVAL.machine.id, () => compileMachine(APPROVAL)],
]);

/** The machines that can be drawn, by name. */
export const DIAGRAM_NAMES: readonly string[] = [...TABLES.keys()];

/** A machine as nodes and edges. Errors: DIAGRAM_UNKNOWN, with the names that there are. */
export function drawPicture(name: string): Picture {
  return pictureOf(tableOf(name));
}

/** A machine as a Mermaid state diagram. Errors: DIAGRAM_UNKNOWN, with the names that there are. */
export function drawMermaid(name: string): string {
  return writeMermaid(drawPicture(name));
}

/** A machine as a configuration for Stately's editor. Errors: DIAGRAM_UNKNOWN, with the names that there are. */
export function drawStately(name: string): StatelyMachine {
  return writeStately(tableOf(name));
}

function tableOf(name: string): TransitionTable<string, string, string> {
  const table = TABLES.get(name);
  if (table === undefined) {
    throw new CallgateError("DIAGRAM_UNKNOWN", { detail: `known are ${DIAGRAM_NAMES.join(", ")}` });
  }
  return table();
}
