import type { AttemptId, Sha256 } from "../../protocol/ids.ts";
import {
  CHECKPOINT_ENTRIES,
  foldCheckpoint,
  verifyKeptJournal,
  writeEntry,
  type ChainHead,
  type EntryContent,
  type JournalVerdict,
  type StoredEntry,
} from "../journal.ts";

/** A chain that can be appended to. */
export interface Chain {
  readonly attemptId: AttemptId;
  readonly entries: StoredEntry[];
  head: ChainHead;
}

/** The journal in memory: a chain a run, and checkpoints over all of them. */
export class MemoryJournal {
  readonly #chains = new Map<AttemptId, Chain>();
  readonly #checkpoints: Sha256[] = [];
  #pending: Sha256[] = [];
  #written = 0;

  /** Writes the next entry of a chain, and a checkpoint when one is due. */
  append(chain: Chain, content: EntryContent): void {
    const entry = writeEntry(chain.attemptId, chain.head, this.#written + 1, content);
    if (chain.head.sequence === 0) this.#chains.set(chain.attemptId, chain);
    chain.entries.push(entry);
    chain.head = { sequence: chain.head.sequence + 1, sha256: entry.sha256 };
    this.#written += 1;
    this.#pending.push(entry.sha256);
    if (this.#pending.length < CHECKPOINT_ENTRIES) return;
    this.#checkpoints.push(foldCheckpoint(this.#checkpoints.at(-1) ?? null, this.#pending));
    this.#pending = [];
  }

  /** The entries of a run, oldest first; none for one that is not known. */
  entriesOf(attemptId: AttemptId): readonly StoredEntry[] {
    return [...(this.#chains.get(attemptId)?.entries ?? [])];
  }

  /** The chain of a run, or null. */
  chainOf(attemptId: AttemptId): Chain | null {
    return this.#chains.get(attemptId) ?? null;
  }

  /** Checks chains and checkpoints. */
  verify(): JournalVerdict {
    const chains = new Map([...this.#chains].map(([attemptId, chain]) => [attemptId, chain.entries]));
    return verifyKeptJournal({
      chains,
      written: this.#written,
      checkpoints: this.#checkpoints,
      pending: this.#pending,
    });
  }
}
