/** One branch, as a drawing tells it. */
export interface ReadBranch {
  readonly state: string;
  readonly event: string;
  /** Those that have to say no, then the one that has to say yes; `else`; or nothing. */
  readonly guard: string;
  readonly target: string;
  readonly actions: string;
}

/** A machine, as its drawing tells it. */
export interface ReadMachine {
  readonly title: string;
  readonly initial: string;
  /** Those that are no ends, in the order in which they stand. */
  readonly states: readonly string[];
  readonly finals: ReadonlySet<string>;
  readonly branches: readonly ReadBranch[];
}

/** What is taken for text: less than Mermaid takes, so that every version of it does. */
const TEXT = "[A-Za-z0-9_.,()\\[\\]/ ]+";
const BROKEN_TEXT = `${TEXT}(?:<br/>(?:<br/>)?${TEXT})*`;
const ID = "[a-z][a-z0-9_]*";
const EVENT = "[a-z]+\\.[a-z]+";
const LABEL = new RegExp(`^(${EVENT}(?:, ${EVENT})*)(?: \\[([^\\]]+)\\])?(?: / (.+))?$`);

/** Reads a drawing back, line by line. Errors: throws on whatever it does not understand. */
export function readMermaid(drawing: string): ReadMachine {
  const descriptions = new Map<string, string[]>();
  const looks = new Map<string, string>();
  const edges: (readonly [from: string, to: string, label: string])[] = [];
  let title = "";
  let initial = "";

  const forms: readonly (readonly [line: string, read: (first: string, second: string, third: string) => void])[] = [
    ["stateDiagram-v2", () => undefined],
    [`  accTitle: (${TEXT})`, (text) => (title = text)],
    [`  accDescr: ${TEXT}`, () => undefined],
    ["  classDef (?:several|final|legend) [a-z0-9:,-]+", () => undefined],
    [`  state "${BROKEN_TEXT}" as legend__`, () => undefined],
    [`  class (${ID}) (several|final|legend)`, (id, look) => looks.set(id, look)],
    [`  (${ID})`, (id) => descriptions.set(id, [...(descriptions.get(id) ?? [])])],
    [`  (${ID}) : (${TEXT})`, (id, text) => descriptions.set(id, [...(descriptions.get(id) ?? []), text])],
    [`  \\[\\*\\] --> (${ID})`, (id) => (initial = id)],
    [`  (${ID}) --> (${ID}) : (${BROKEN_TEXT})`, (from, to, label) => edges.push([from, to, label])],
  ];
  for (const line of drawing.trimEnd().split("\n")) {
    const form = forms.find(([pattern]) => new RegExp(`^${pattern}$`).test(line));
    if (form === undefined) throw new Error(`no line of a drawing: ${line}`);
    const [, first = "", second = "", third = ""] = new RegExp(`^${form[0]}$`).exec(line) ?? [];
    form[1](first, second, third);
  }

  const statesOf = (id: string): readonly string[] => {
    const given = descriptions.get(id);
    if (given === undefined) throw new Error(`no node: ${id}`);
    // The first description stands instead of the name.
    const [name = id] = given;
    return looks.get(id) === "several" ? name.replace(/^any of /, "").split(", ") : [name];
  };
  const ids = [...descriptions.keys()];
  return {
    title,
    initial,
    states: ids.filter((id) => !looks.has(id)).flatMap(statesOf),
    finals: new Set(ids.filter((id) => looks.get(id) === "final").flatMap(statesOf)),
    branches: [
      ...edges.flatMap(([from, to, labels]) =>
        labels
          .split("<br/><br/>")
          .flatMap((label) => branchesIn(label.replaceAll("<br/>", " "), statesOf(from), statesOf(to))),
      ),
      ...ids.flatMap((id) =>
        (descriptions.get(id) ?? [])
          .slice(1)
          .flatMap((label) => statesOf(id).flatMap((state) => branchesIn(label, [state], [state]))),
      ),
    ],
  };
}

function branchesIn(label: string, states: readonly string[], targets: readonly string[]): readonly ReadBranch[] {
  const [, events = "", guard = "", actions = ""] = LABEL.exec(label) ?? [];
  const [target, ...otherTargets] = targets;
  if (events === "" || target === undefined || otherTargets.length > 0) throw new Error(`no label: ${label}`);
  return states.flatMap((state) => events.split(", ").map((event) => ({ state, event, guard, target, actions })));
}
