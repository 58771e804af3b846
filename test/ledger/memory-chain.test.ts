import { describe, expect, it } from "vitest";
import type { AttemptRow } from "../../src/ledger/memory/attempt-row.ts";
import { Chain, MemoryJournal } from "../../src/ledger/memory/memory-journal.ts";
import type { AttemptId } from "../../src/protocol/ids.ts";

const ID = "a".repeat(32) as AttemptId;
const ENTRY = { transaction: "end", at: 0, steps: [], detail: {} } as const;

function chainOf(entries: number): { readonly journal: MemoryJournal<AttemptRow>; readonly chain: Chain } {
  const journal = new MemoryJournal<AttemptRow>();
  const chain = new Chain(ID);
  for (let index = 0; index < entries; index += 1) journal.append(chain, ENTRY);
  return { journal, chain };
}

describe("a chain in memory", () => {
  it("gives its last text as it was written", () => {
    const { chain } = chainOf(3);
    expect(chain.lastText()).toBe(chain.texts[2]);
    expect(JSON.parse(chain.lastText())).toMatchObject({ sequence: 3 });
  });

  it.each<[string, (chain: Chain) => void]>([
    ["changed", (chain) => (chain.texts[2] = chain.texts[2]?.replace('"at":0', '"at":1') ?? "")],
    ["dropped", (chain) => chain.texts.pop()],
    ["all gone", (chain) => (chain.texts = [])],
  ])("is a storage error, never a result, when its last entry was %s", (_what, tamper) => {
    const { journal, chain } = chainOf(3);
    tamper(chain);
    expect(() => chain.lastText()).toThrow(expect.objectContaining({ code: "LEDGER_CORRUPT", at: `attempt ${ID}` }));
    expect(journal.verify()).toMatchObject({ intact: false, attemptId: ID });
  });
});
