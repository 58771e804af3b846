import { APPROVAL_EVENTS } from "../protocol/approval-run.ts";
import { OPERATION_EVENTS } from "../protocol/operation.ts";
import { STATUS_QUERY_EVENTS } from "../protocol/status-query.ts";

/** Why a value is not an event that a machine could answer. */
export type EventRefusal = "EVENT_UNKNOWN" | "EVENT_FOREIGN" | "EVENT_MALFORMED";

type Alphabet = Readonly<Record<string, readonly string[]>>;

/** Every event of every machine. */
const KNOWN: ReadonlySet<string> = new Set(
  [OPERATION_EVENTS, STATUS_QUERY_EVENTS, APPROVAL_EVENTS].flatMap((events: Alphabet) => Object.keys(events)),
);

/**
 * Makes the boundary of one machine: an event comes out as a fresh copy with exactly the members of its type, read once,
 * so that what was checked is what is stepped. The values of the members are the feeder's own and are not checked here.
 * Errors: a code; whatever is put in, nothing is thrown.
 */
export function eventReader<Event extends { readonly type: string }>(
  alphabet: Readonly<Record<Event["type"], readonly string[]>>,
): (value: unknown) => Event | EventRefusal {
  const membersOf = new Map<string, readonly string[]>(Object.entries<readonly string[]>(alphabet));

  function read(value: unknown): Event | EventRefusal {
    if (typeof value !== "object" || value === null) return "EVENT_MALFORMED";
    const type = dataIn(value, "type");
    if (typeof type !== "string") return "EVENT_MALFORMED";
    const members = membersOf.get(type);
    if (members === undefined) return KNOWN.has(type) ? "EVENT_FOREIGN" : "EVENT_UNKNOWN";
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return "EVENT_MALFORMED";
    // Two questions: `Reflect.ownKeys` answers both at once, and takes as long as all the rest of a step.
    if (Object.getOwnPropertyNames(value).length !== members.length + 1) return "EVENT_MALFORMED";
    if (Object.getOwnPropertySymbols(value).length > 0) return "EVENT_MALFORMED";
    const copy: Record<string, unknown> = { type };
    for (const member of members) {
      const data = dataIn(value, member);
      if (data === undefined) return "EVENT_MALFORMED";
      copy[member] = data;
    }
    return copy as Event;
  }

  return (value) => {
    try {
      return read(value);
    } catch {
      // Only a proxy's own code can throw there.
      return "EVENT_MALFORMED";
    }
  };
}

/** The value of an own member that is data, else undefined: a getter is not asked. */
function dataIn(value: object, member: string): unknown {
  return Object.getOwnPropertyDescriptor(value, member)?.value;
}
