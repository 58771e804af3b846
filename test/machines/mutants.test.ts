import { describe, expect, test } from "vitest";
import type { TransitionRow } from "../../src/engine/compile.ts";
import { SUBJECTS, type Subject } from "../engine/subjects.ts";
import { CHECKS, failedChecks } from "./checks.ts";
import { branchesOf, MUTANTS, mutated, type OpenBranch, type OpenConfig } from "./mutants.ts";

const TABLE_CHECKS = [CHECKS.dialect, CHECKS.complete, CHECKS.golden];

describe.each(SUBJECTS)("$name", (subject) => {
  test.each(Object.entries(CHECKS))("passes the check %s", (_name, check) => {
    expect(check(subject)).toEqual([]);
  });

  test("passes every check when it is only copied", () => {
    expect(failedChecks(faulty(subject, () => undefined))).toEqual([]);
  });

  test.each(subject.table.rows)("no small fault of $state $event, branch $branch, is unseen", (row) => {
    const faults = faultsOf(subject, row);
    const unseen = faults.filter(({ put }) => {
      const mutant = faulty(subject, (config) => {
        const branches = branchesOf(config, row.state, row.event);
        const branch = branches[row.branch];
        if (branch === undefined) throw new TypeError("there is no such branch");
        put(branch, branches);
      });
      return TABLE_CHECKS.every((check) => check(mutant).length === 0);
    });
    expect(faults.length).toBeGreaterThan(subject.table.states.length - 2);
    expect(unseen.map(({ fault }) => fault)).toEqual([]);
  });
});

test.each(MUTANTS)("$machine with $fault is seen by $seenBy", ({ machine, put, seenBy }) => {
  const subject = SUBJECTS.find(({ name }) => name === machine);
  if (subject === undefined) throw new TypeError("no machine of that name");
  expect(new Set(failedChecks(faulty(subject, put)))).toEqual(new Set(seenBy));
});

test("every check sees some fault", () => {
  const seeing = new Set<string>(MUTANTS.flatMap(({ seenBy }) => seenBy));
  expect(Object.keys(CHECKS).filter((name) => !seeing.has(name))).toEqual([]);
});

function faulty(subject: Subject, put: (config: OpenConfig) => void): Subject {
  return subject.around(mutated(subject.machine, put));
}

interface BranchFault {
  readonly fault: string;
  readonly put: (branch: OpenBranch, branches: OpenBranch[]) => void;
}

/** Every small fault that one branch can have. */
function faultsOf({ table, guards }: Subject, row: TransitionRow<string, string, string>): readonly BranchFault[] {
  const { guard, branch } = row;
  const actions = [...row.changes, ...row.effects];
  const retargeted = table.states
    .filter((state) => state !== row.target)
    .map((state) => ({ fault: `the target ${state}`, put: (open: OpenBranch) => void (open.target = state) }));
  const unordered = actions.map(({ type }, index) => ({
    fault: `no ${type}`,
    put: (open: OpenBranch) => void open.actions?.splice(index, 1),
  }));
  const guarded = [
    { fault: "its guard dropped", put: (open: OpenBranch) => void delete open.guard },
    {
      fault: "the next branch before it",
      put: (_open: OpenBranch, branches: OpenBranch[]) => branches.splice(branch, 2, ...pair(branches, branch)),
    },
    {
      fault: "another guard",
      put: (open: OpenBranch) => void (open.guard = guards.find((name) => name !== guard)),
    },
  ];
  return [...retargeted, ...unordered, ...(guard === null ? [] : guarded)];
}

function pair(branches: readonly OpenBranch[], index: number): OpenBranch[] {
  return branches.slice(index, index + 2).toReversed();
}
