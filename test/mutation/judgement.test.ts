import { describe, expect, test } from "vitest";
import { judge } from "./judgement.ts";
import { mutantsOf, type Report, type Status } from "./report.ts";

const SOURCE = `export function isWrite(bound        )          {
  return bound.risk === "write" && bound.scope === null;
}
`;
const RISK = { start: { line: 2, column: 10 }, end: { line: 2, column: 32 } };
const SCOPE = { start: { line: 2, column: 36 }, end: { line: 2, column: 56 } };
const BODY = { start: { line: 1, column: SOURCE.indexOf("{") + 1 }, end: { line: 3, column: 2 } };

/** A report of mutants of one file. */
function report(...tried: readonly (readonly [typeof RISK, string, Status, string?])[]): Report {
  const mutants = tried.map(([location, replacement, status, statusReason = ""]) => ({
    location,
    replacement,
    status,
    statusReason,
  }));
  return { files: { "src/guards/risk.ts": { source: SOURCE, mutants } } };
}

const accepted = (original: string, replacement: string, times?: number) => ({
  file: "src/guards/risk.ts",
  line: 'return bound.risk === "write" && bound.scope === null;',
  original,
  replacement,
  ...(times !== undefined && { times }),
  reason: "a write has a scope",
});

describe("the mutants of a report", () => {
  test("are named by their text, without types, in the order of the file", () => {
    const names = mutantsOf(report([SCOPE, "true", "Survived"], [BODY, "{}", "Killed"]));
    expect(names).toEqual([
      {
        file: "src/guards/risk.ts",
        line: "export function isWrite(bound) {",
        original: '{ return bound.risk === "write" && bound.scope === null; }',
        replacement: "{}",
        status: "Killed",
        isCutOff: false,
        at: BODY.start,
      },
      {
        file: "src/guards/risk.ts",
        line: 'return bound.risk === "write" && bound.scope === null;',
        original: "bound.scope === null",
        replacement: "true",
        status: "Survived",
        isCutOff: false,
        at: SCOPE.start,
      },
    ]);
  });

  test("are cut where their text is long", () => {
    const [name] = mutantsOf(report([RISK, "x".repeat(200), "Killed"]));
    expect(name?.replacement).toBe(`${"x".repeat(100)}…`);
  });
});

describe("a judgement", () => {
  test.each<[Status, object]>([
    ["Killed", { noticed: 1, unloadable: 0, accepted: 0, unaccepted: [], rawScore: 100, score: 100 }],
    ["Timeout", { noticed: 1, unloadable: 0, accepted: 0, unaccepted: [], rawScore: 100, score: 100 }],
    ["Survived", { noticed: 0, unloadable: 0, accepted: 0, unaccepted: [{ status: "Survived" }], rawScore: 0 }],
    ["NoCoverage", { noticed: 0, unloadable: 0, accepted: 0, unaccepted: [{ status: "NoCoverage" }], rawScore: 0 }],
    ["RuntimeError", { noticed: 0, unloadable: 1, accepted: 0, unaccepted: [], rawScore: 100 }],
    ["CompileError", { noticed: 0, unloadable: 1, accepted: 0, unaccepted: [], rawScore: 100 }],
    ["Ignored", { noticed: 0, unloadable: 0, accepted: 0, unaccepted: [], rawScore: 100 }],
  ])("counts what was %s", (status, counted) => {
    expect(judge(mutantsOf(report([RISK, "true", status])), [])).toMatchObject(counted);
  });

  test("tells how many were cut off by the clock alone", () => {
    const mutants = mutantsOf(
      report(
        [RISK, "true", "Timeout"],
        [RISK, "false", "Timeout", "Hit limit reached (501/500)"],
        [SCOPE, "true", "Killed", "expected false to be true"],
      ),
    );
    expect(judge(mutants, [])).toMatchObject({ noticed: 3, cutOff: 1 });
  });

  test("sets accepted survivors aside in one of its two scores", () => {
    const mutants = mutantsOf(
      report(
        [RISK, "true", "Survived"],
        [RISK, "false", "Killed"],
        [SCOPE, "true", "Survived"],
        [BODY, "{}", "Killed"],
      ),
    );
    const { unaccepted, stale, ...counts } = judge(mutants, [accepted('bound.risk === "write"', "true")]);
    expect(counts).toEqual({ noticed: 2, cutOff: 0, unloadable: 0, accepted: 1, rawScore: 50, score: 200 / 3 });
    expect(unaccepted.map(({ original }) => original)).toEqual(["bound.scope === null"]);
    expect(stale).toEqual([]);
  });

  test.each([
    ["another replacement", accepted("bound.scope === null", "false")],
    ["another text", accepted("bound.scope", "true")],
    ["another line", { ...accepted("bound.scope === null", "true"), line: "return true;" }],
    ["another file", { ...accepted("bound.scope === null", "true"), file: "src/guards/scope.ts" }],
    ["more of them than survive", accepted("bound.scope === null", "true", 2)],
    ["one that was noticed", accepted('bound.risk === "write"', "true")],
  ])("tells an entry of the list that names %s", (_what, entry) => {
    const mutants = mutantsOf(report([SCOPE, "true", "Survived"], [RISK, "true", "Killed"]));
    expect(judge(mutants, [entry]).stale).toEqual([entry]);
  });

  test("takes an entry for as many survivors as it says", () => {
    const twice = mutantsOf(report([SCOPE, "true", "Survived"], [SCOPE, "true", "NoCoverage"]));
    const once = judge(twice, [accepted("bound.scope === null", "true")]);
    expect([once.accepted, once.unaccepted.length, once.stale]).toEqual([1, 1, []]);
    const both = judge(twice, [accepted("bound.scope === null", "true", 2)]);
    expect([both.accepted, both.unaccepted.length, both.stale]).toEqual([2, 0, []]);
  });
});
