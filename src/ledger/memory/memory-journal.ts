import { CallgateError } from "../../errors/callgate-error.ts";
import { sha256 } from "../../json/digests.ts";
import type { AttemptId, Sha256 } from "../../protocol/ids.ts";
import {
  CHECKPOINT_ENTRIES,
  foldCheckpoint,
  verifyKeptJournal,
  writeEntry,
  type EntryContent,
  type JournalVerdict,
  type StoredEntry,
} from "../journal.ts";

/** A chain as it is kept: the texts alone, and the digest of the last. The others stand in the text that follows. */
export class Chain {
  readonly attemptId: AttemptId;
  texts: string[] = [];
  headSha256: Sha256 | null = null;

  constructor(attemptId: AttemptId) {
    this.attemptId = attemptId;
  }

  /** Gives back the room that was kept for entries to come; more may still come. */
  trim(): void {
    this.texts = [...this.texts];
  }

  /** The entries, oldest first, with their digests made anew. */
  entries(): readonly StoredEntry[] {
    return this.texts.map((text) => ({ text, sha256: sha256(text) }));
  }

  /** The text of the last entry. Errors: LEDGER_CORRUPT where it is not what was written. */
  lastText(): string {
    const text = this.texts.at(-1);
    if (text === undefined || sha256(text) !== this.headSha256) {
      throw new CallgateError("LEDGER_CORRUPT", { at: `attempt ${this.attemptId}` });
    }
    return text;
  }
}

/** The journal in memory: a chain a run, and checkpoints over all of them. */
export class MemoryJournal<Row extends Chain> {
  readonly #chains = new Map<AttemptId, Row | Chain>();
  readonly #checkpoints: Sha256[] = [];
  #pending: Sha256[] = [];
  #written = 0;

  /** Writes the next entry of a chain, and a checkpoint when one is due. */
  append(chain: Row | Chain, content: EntryContent): void {
    const sequence = chain.texts.length;
    const head = { sequence, sha256: chain.headSha256 };
    const entry = writeEntry(chain.attemptId, head, this.#written + 1, content);
    if (sequence === 0) this.#chains.set(chain.attemptId, chain);
    chain.texts.push(entry.text);
    chain.headSha256 = entry.sha256;
    this.#written += 1;
    this.#pending.push(entry.sha256);
    if (this.#pending.length < CHECKPOINT_ENTRIES) return;
    this.#checkpoints.push(foldCheckpoint(this.#checkpoints.at(-1) ?? null, this.#pending));
    this.#pending = [];
  }

  /** The chain of a run, or null. */
  chainOf(attemptId: AttemptId): Row | Chain | null {
    return this.#chains.get(attemptId) ?? null;
  }

  /** Checks chains and checkpoints. */
  verify(): JournalVerdict {
    const chains = new Map<AttemptId, readonly StoredEntry[]>();
    for (const [attemptId, chain] of this.#chains) {
      const entries = chain.entries();
      if (entries.at(-1)?.sha256 !== chain.headSha256) {
        return { intact: false, problem: "a chain does not end as it was written", attemptId };
      }
      chains.set(attemptId, entries);
    }
    return verifyKeptJournal({
      chains,
      written: this.#written,
      checkpoints: this.#checkpoints,
      pending: this.#pending,
    });
  }
}
