import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import {
  CHECKPOINT_ENTRIES,
  foldCheckpoint,
  verifyKeptJournal,
  writeEntry,
  type JournalVerdict,
  type StoredEntry,
} from "../../src/ledger/journal.ts";
import type { AttemptId, Sha256 } from "../../src/protocol/ids.ts";
import { attemptId, NOW } from "./attempts.ts";

/** A journal as a driver keeps it, open to whoever has the store. */
interface Kept {
  chains: Map<AttemptId, StoredEntry[]>;
  written: number;
  checkpoints: Sha256[];
  pending: Sha256[];
}

const CHAINS = 5;

/** A journal of some chains, in turns. */
function journalOf(entries: number): Kept {
  const kept: Kept = { chains: new Map(), written: 0, checkpoints: [], pending: [] };
  for (let index = 0; index < entries; index += 1) {
    const id = attemptId(1 + (index % CHAINS));
    const chain = kept.chains.get(id) ?? [];
    kept.chains.set(id, chain);
    const head = { sequence: chain.length, sha256: chain.at(-1)?.sha256 ?? null };
    const content = {
      transaction: "end",
      at: NOW + index,
      steps: [{ event: "e", state: "s" }],
      detail: { index },
    } as const;
    const entry = writeEntry(id, head, index + 1, content);
    chain.push(entry);
    kept.written += 1;
    kept.pending.push(entry.sha256);
    if (kept.pending.length < CHECKPOINT_ENTRIES) continue;
    kept.checkpoints.push(foldCheckpoint(kept.checkpoints.at(-1) ?? null, kept.pending));
    kept.pending = [];
  }
  return kept;
}

const chain = (kept: Kept, number: number): StoredEntry[] => {
  const found = kept.chains.get(attemptId(number));
  if (found === undefined) throw new TypeError("no such chain");
  return found;
};

/** Replaces an entry's text, and makes its digest and those behind it in the chain anew, as somebody careful would. */
function rewrite(kept: Kept, number: number, place: number, change: (was: string) => string): void {
  const entries = chain(kept, number);
  for (let index = place; index < entries.length; index += 1) {
    const was = entries[index]?.text ?? "";
    const previous_sha256 = entries[index - 1]?.sha256 ?? null;
    const text = index === place ? change(was) : reread((entry) => ({ ...entry, previous_sha256 }))(was);
    entries[index] = { text, sha256: sha256(text) };
  }
}

const reread = (change: (entry: Record<string, unknown>) => Record<string, unknown>) => (text: string) =>
  canonicalize(change(JSON.parse(text) as Record<string, unknown>));

/** What can be done to a journal by whoever has the store. */
const TAMPERING: Readonly<Record<string, (kept: Kept) => void>> = {
  "an entry is changed": (kept) => {
    const entries = chain(kept, 2);
    const [first] = entries;
    if (first !== undefined) entries[0] = { ...first, text: first.text.replace('"end"', '"start"') };
  },
  "an entry is changed, and its chain made to fit": (kept) => {
    rewrite(kept, 2, 0, (text) => text.replace('"end"', '"start"'));
  },
  "the last entry of a chain is changed, and made to fit": (kept) => {
    rewrite(kept, 2, chain(kept, 2).length - 1, (text) => text.replace('"end"', '"start"'));
  },
  "a digest is changed": (kept) => {
    const entries = chain(kept, 3);
    const [first] = entries;
    if (first !== undefined) entries[0] = { ...first, sha256: "0".repeat(64) as Sha256 };
  },
  "a chain loses its tail": (kept) => {
    chain(kept, 1).pop();
  },
  "a chain loses its head": (kept) => {
    chain(kept, 1).shift();
  },
  "a chain loses one in the middle": (kept) => {
    chain(kept, 1).splice(1, 1);
  },
  "a chain is gone": (kept) => {
    kept.chains.delete(attemptId(4));
  },
  "the last entries of all are gone": (kept) => {
    for (let number = 1; number <= CHAINS; number += 1) chain(kept, number).pop();
  },
  "the last entries of all are gone, and the count with them": (kept) => {
    for (let number = 1; number <= CHAINS; number += 1) chain(kept, number).pop();
    kept.written -= CHAINS;
  },
  "two entries of a chain are swapped": (kept) => {
    chain(kept, 1).reverse();
  },
  "two chains are swapped": (kept) => {
    const [one, two] = [chain(kept, 1), chain(kept, 2)];
    kept.chains.set(attemptId(1), two);
    kept.chains.set(attemptId(2), one);
  },
  "two chains swap their tails": (kept) => {
    const [one, two] = [chain(kept, 1), chain(kept, 2)];
    const [a, b] = [one.pop(), two.pop()];
    if (a !== undefined && b !== undefined) {
      one.push(b);
      two.push(a);
    }
  },
  "an entry stands there twice": (kept) => {
    const entries = chain(kept, 1);
    const last = entries.at(-1);
    if (last !== undefined) entries.push(last);
  },
  "an entry is added": (kept) => {
    const entries = chain(kept, 1);
    const head = { sequence: entries.length, sha256: entries.at(-1)?.sha256 ?? null };
    entries.push(
      writeEntry(attemptId(1), head, kept.written + 1, { transaction: "end", at: NOW, steps: [], detail: {} }),
    );
  },
  "a chain is added": (kept) => {
    const entry = writeEntry(attemptId(9), { sequence: 0, sha256: null }, kept.written + 1, {
      transaction: "end",
      at: NOW,
      steps: [],
      detail: {},
    });
    kept.chains.set(attemptId(9), [entry]);
  },
  "more are said to have been written": (kept) => {
    kept.written += 1;
  },
  "fewer are said to have been written": (kept) => {
    kept.written -= 1;
  },
  "an entry is no JSON": (kept) => {
    rewrite(kept, 1, 0, () => "not JSON");
  },
  "an entry is JSON of another kind": (kept) => {
    rewrite(kept, 1, 0, () => "null");
  },
  "an entry is written otherwise": (kept) => {
    rewrite(kept, 1, 0, (text) => ` ${text}`);
  },
  ...Object.fromEntries(
    [0, -1, 1.5, 1e9, "1", null].map((position) => [
      `an entry stands at position ${JSON.stringify(position)}`,
      (kept: Kept) => {
        rewrite(
          kept,
          1,
          0,
          reread((entry) => ({ ...entry, position })),
        );
      },
    ]),
  ),
  "an entry has another number in its chain": (kept) => {
    rewrite(
      kept,
      1,
      1,
      reread((entry) => ({ ...entry, sequence: 7 })),
    );
  },
};

const OF_CHECKPOINTS: Readonly<Record<string, (kept: Kept) => void>> = {
  "a checkpoint is changed": (kept) => {
    kept.checkpoints[0] = "0".repeat(64) as Sha256;
  },
  "a checkpoint is gone": (kept) => {
    kept.checkpoints.pop();
  },
  "a checkpoint is added": (kept) => {
    kept.checkpoints.push("0".repeat(64) as Sha256);
  },
  "two checkpoints are swapped": (kept) => {
    kept.checkpoints.reverse();
  },
  "an entry before a checkpoint is changed, and all that is pending made to fit": (kept) => {
    rewrite(kept, 2, 0, (text) => text.replace('"end"', '"start"'));
    const entries = [...kept.chains.values()].flat();
    const positionOf = ({ text }: StoredEntry): number => (JSON.parse(text) as { position: number }).position;
    const ordered = entries.toSorted((left, right) => positionOf(left) - positionOf(right));
    kept.pending = ordered.slice(kept.checkpoints.length * CHECKPOINT_ENTRIES).map((entry) => entry.sha256);
  },
};

function verdictOf(entries: number, tamper: (kept: Kept) => void): JournalVerdict {
  const kept = journalOf(entries);
  tamper(kept);
  return verifyKeptJournal(kept);
}

describe("a journal that nobody touched is whole", () => {
  test.each([0, 1, CHAINS, CHECKPOINT_ENTRIES - 1, CHECKPOINT_ENTRIES, CHECKPOINT_ENTRIES + 1, 1_030])(
    "%d entries",
    (entries) => {
      expect(verifyKeptJournal(journalOf(entries))).toEqual({ intact: true, entries });
    },
  );
});

describe("whatever was done to it shows", () => {
  const cases = Object.keys(TAMPERING).flatMap((what) =>
    [20, 2 * CHECKPOINT_ENTRIES, 1_030].map((entries) => [what, entries] as const),
  );
  test.each(cases)("%s (%d entries)", (what, entries) => {
    expect(verdictOf(entries, TAMPERING[what] ?? (() => undefined))).toMatchObject({ intact: false });
  });

  test.each(Object.keys(OF_CHECKPOINTS))("%s", (what) => {
    expect(verdictOf(1_030, OF_CHECKPOINTS[what] ?? (() => undefined))).toMatchObject({ intact: false });
  });

  test("the first fault is named with the attempt where it stands", () => {
    expect(verdictOf(20, TAMPERING["an entry is changed"] ?? (() => undefined))).toMatchObject({
      attemptId: attemptId(2),
    });
  });
});
