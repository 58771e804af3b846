import type { TransitionRow } from "../engine/compile.ts";

/** One branch of any machine. */
export type AnyBranch = TransitionRow<string, string, string>;

/**
 * When a branch is taken, or null where the event has no other.
 * Shape: names of guards with commas between, `not ` before those of the branches above it; `else` for the last. It
 * stands alone: the other branches may be drawn far away.
 */
export function guardText({ guard, branch }: AnyBranch, branches: readonly AnyBranch[]): string | null {
  if (branches.length === 1) return null;
  if (guard === null) return "else";
  return [...branches.slice(0, branch).map((above) => `not ${above.guard}`), guard].join(", ");
}

/** What a branch does: a refusal is its code, a success its delivery, every other change and effect its name. */
export function actionTexts({ changes, effects }: AnyBranch): readonly string[] {
  return [...changes, ...effects].map(({ type, params = {} }) => {
    const told = Object.values(params).join(" ");
    if (told === "") return type;
    return type === "refuse" || type === "succeed" ? told : `${type}(${told})`;
  });
}
