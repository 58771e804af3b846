import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { sha256 } from "../../src/json/digests.ts";
import { writeEntry, type ChainHead, type EntryContent } from "../../src/ledger/journal.ts";
import { attemptId, NOW } from "./attempts.ts";

const FIRST: ChainHead = { sequence: 0, sha256: null };
const LATER: ChainHead = { sequence: 3, sha256: sha256("the entry before") };
const CONTENT: EntryContent = {
  transaction: "settlement",
  at: NOW,
  steps: [{ event: "tool.returned", state: "fresh" }],
  detail: { b: [1, "é\n"], a: null },
};

describe("an entry", () => {
  test.each<[string, ChainHead, Partial<EntryContent>, object]>([
    ["first", FIRST, {}, { attempt_id: attemptId(1), previous_sha256: null, sequence: 1 }],
    ["later", LATER, {}, { previous_sha256: LATER.sha256, sequence: 4 }],
    ["no step", LATER, { steps: [] }, { steps: [], previous_sha256: LATER.sha256, sequence: 4 }],
    [
      "several steps, one of which threw",
      LATER,
      {
        steps: [
          { event: "access.denied", state: "rejected", failed: true },
          { event: "host.bound", state: "bound" },
        ],
      },
      {
        steps: [
          ["access.denied", "rejected", "failed"],
          ["host.bound", "bound"],
        ],
        previous_sha256: LATER.sha256,
        sequence: 4,
      },
    ],
  ])(
    "%s: its text is the canonical form of its members, and its digest that of the text",
    (_name, head, change, members) => {
      const content = { ...CONTENT, ...change };
      const { text, sha256: digest } = writeEntry(attemptId(1), head, 17, content);
      const { at, detail, transaction } = content;
      const steps = [["tool.returned", "fresh"]];
      expect(text).toBe(canonicalize({ at, detail, position: 17, steps, transaction, ...members }));
      expect(digest).toBe(sha256(text));
    },
  );

  test("keeps data as deep as a result may have it, and no deeper", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const record = (levels: number): EntryContent => ({
      ...CONTENT,
      detail: { record: { data: nested(levels) as never } },
    });
    expect(() => writeEntry(attemptId(1), FIRST, 1, record(31))).not.toThrow();
    expect(() => writeEntry(attemptId(1), FIRST, 1, record(32))).toThrow(/levels/);
  });
});
