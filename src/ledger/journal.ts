import { canonicalize } from "../json/canonical.ts";
import { parseKept } from "../json/parse.ts";
import { sha256 } from "../json/digests.ts";
import type { AttemptId, Sha256 } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";

/** One step of a run, as the journal keeps it. */
export interface JournalStep {
  readonly event: string;
  /** The state that it led to. */
  readonly state: string;
  /** Set when what was asked threw, so that the event is the cautious one. */
  readonly failed?: true;
}

/** Which transaction an entry stands for. */
export type JournalTransaction =
  | "identity"
  | "reservation"
  | "start"
  | "settlement"
  | "uncertainty"
  | "dispute"
  | "release"
  | "query"
  | "recovery"
  | "end";

/** What an entry says; its chain is added when it is appended. */
export interface EntryContent {
  readonly transaction: JournalTransaction;
  /** Units: seconds since the Unix epoch. */
  readonly at: number;
  readonly steps: readonly JournalStep[];
  /** Facts of this transaction: plain data. */
  readonly detail: JsonObject;
}

/** An entry as it is stored. */
export interface StoredEntry {
  /** Canonical JSON of the entry; the first of a chain names the attempt. */
  readonly text: string;
  /** Digest of `text`; the next entry of the chain repeats it. */
  readonly sha256: Sha256;
}

/** Where a chain ends. */
export interface ChainHead {
  readonly sequence: number;
  /** Null before the first entry. */
  readonly sha256: Sha256 | null;
}

/** The head of a chain without entries. */
const EMPTY_CHAIN: ChainHead = { sequence: 0, sha256: null };

/** Whether the whole journal is as it was written; `problem` names the first fault. */
export type JournalVerdict =
  | { readonly intact: true; readonly entries: number }
  | { readonly intact: false; readonly problem: string; readonly attemptId: string | null };

/**
 * Writes the next entry of a chain.
 * @param position place of the entry among all entries of the ledger, from 1
 */
export function writeEntry(
  attemptId: AttemptId,
  head: ChainHead,
  position: number,
  content: EntryContent,
): StoredEntry {
  // Canonical form, written straight: the frame of an entry is always the same, and its numbers and names are our own.
  const members = [
    `"at":${content.at}`,
    ...(head.sequence === 0 ? [`"attempt_id":"${attemptId}"`] : []),
    // The data of a record stands at level 1, as it does in the result that is hashed: what was accepted there can be kept.
    `"detail":${canonicalize(content.detail, { depth: -1 })}`,
    `"position":${position}`,
    `"previous_sha256":${head.sha256 === null ? "null" : `"${head.sha256}"`}`,
    `"sequence":${head.sequence + 1}`,
    `"steps":[${content.steps.map(stepText).join(",")}]`,
    `"transaction":"${content.transaction}"`,
  ];
  const text = `{${members.join(",")}}`;
  return { text, sha256: sha256(text) };
}

function stepText({ event, state, failed }: JournalStep): string {
  return failed === true ? `["${event}","${state}","failed"]` : `["${event}","${state}"]`;
}

/** Entries in one checkpoint. */
export const CHECKPOINT_ENTRIES = 256;

/** Folds the digests of the entries since the last checkpoint into the next one. */
export function foldCheckpoint(previous: Sha256 | null, digests: readonly Sha256[]): Sha256 {
  return sha256(`${previous ?? ""}\n${digests.join("\n")}`);
}

/** What is verified: chains as they are kept, and what is kept about all of them together. */
export interface KeptJournal {
  readonly chains: ReadonlyMap<AttemptId, readonly StoredEntry[]>;
  /** Number of entries ever written. */
  readonly written: number;
  readonly checkpoints: readonly Sha256[];
  /** Digests of the entries since the last checkpoint. */
  readonly pending: readonly Sha256[];
}

/** Checks every chain link by link, and all entries together against the checkpoints, so that a lost tail shows. */
export function verifyKeptJournal(kept: KeptJournal): JournalVerdict {
  const byPosition: Sha256[] = [];
  for (const [attemptId, entries] of kept.chains) {
    let head: ChainHead = EMPTY_CHAIN;
    for (const entry of entries) {
      const problem = linkProblem(attemptId, head, entry, byPosition);
      if (problem !== null) return { intact: false, problem, attemptId };
      head = { sequence: head.sequence + 1, sha256: entry.sha256 };
    }
  }
  return allTogether(kept, byPosition);
}

function linkProblem(attemptId: AttemptId, head: ChainHead, entry: StoredEntry, byPosition: Sha256[]): string | null {
  if (sha256(entry.text) !== entry.sha256) return "an entry is not what its digest says";
  const content = membersIn(entry.text);
  if (content === null) return "an entry is none";
  const { attempt_id, sequence, previous_sha256, position } = content;
  if (head.sequence === 0 && attempt_id !== attemptId) return "an entry stands in another chain";
  if (sequence !== head.sequence + 1 || previous_sha256 !== head.sha256) return "a chain has a gap";
  if (typeof position !== "number" || byPosition[position - 1] !== undefined) return "two entries have one position";
  byPosition[position - 1] = entry.sha256;
  return null;
}

/** The members of an object in a text; null for whatever else it is: a digest that fits proves no more than care. */
function membersIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parseKept(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function allTogether(kept: KeptJournal, byPosition: readonly (Sha256 | undefined)[]): JournalVerdict {
  const digests: Sha256[] = [];
  for (let position = 0; position < kept.written; position += 1) {
    const digest = byPosition[position];
    if (digest === undefined) return { intact: false, problem: `entry ${position + 1} is missing`, attemptId: null };
    digests.push(digest);
  }
  if (byPosition.length > kept.written)
    return { intact: false, problem: "there are more entries than were written", attemptId: null };
  const whole = Math.floor(digests.length / CHECKPOINT_ENTRIES);
  let previous: Sha256 | null = null;
  for (let index = 0; index < whole; index += 1) {
    previous = foldCheckpoint(previous, digests.slice(index * CHECKPOINT_ENTRIES, (index + 1) * CHECKPOINT_ENTRIES));
    if (previous !== kept.checkpoints[index]) {
      return { intact: false, problem: `checkpoint ${index + 1} does not hold`, attemptId: null };
    }
  }
  const rest = digests.slice(whole * CHECKPOINT_ENTRIES);
  const restHolds =
    rest.length === kept.pending.length && rest.every((digest, index) => digest === kept.pending[index]);
  if (whole !== kept.checkpoints.length || !restHolds) {
    return { intact: false, problem: "the entries since the last checkpoint are not those written", attemptId: null };
  }
  return { intact: true, entries: kept.written };
}
