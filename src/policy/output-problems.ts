import type { Problem } from "../errors/problem.ts";
import { pointerOf } from "../json/pointer.ts";
import type { JsonObject, JsonPath, JsonValue } from "../protocol/json.ts";
import { isForbiddenName, repeatsArguments } from "./output-contract.ts";

/** Why a value does not keep names and depth: each forbidden name, and the first place that is too deep. */
export function nameAndDepthProblems(value: JsonValue, depthLeft: number, path: JsonPath = []): readonly Problem[] {
  if (typeof value !== "object" || value === null) return [];
  if (depthLeft === 0) {
    const problem = "it nests deeper than `limits.outputDepth` allows";
    return [{ at: pointerOf(path), problem, remedy: "answer less, or raise the limit" }];
  }
  return Object.entries(value).flatMap(([key, member]: [string, JsonValue]) => {
    const at = [...path, key];
    const isNamed = !Array.isArray(value) && isForbiddenName(key);
    return [...(isNamed ? [forbidden(at)] : []), ...nameAndDepthProblems(member, depthLeft - 1, at)];
  });
}

/** Which output members do not repeat the argument that they are bound to. */
export function repetitionProblems(
  output: JsonObject,
  args: JsonObject,
  outputEquals: readonly (readonly [outputMember: string, argument: string])[],
  canonicalText: (value: JsonValue) => string,
): readonly Problem[] {
  return outputEquals
    .filter((bound) => !repeatsArguments(output, args, [bound], canonicalText))
    .map(([member, argument]) => ({
      at: pointerOf([member]),
      problem: `it is not what the argument \`${argument}\` is`,
      remedy: "answer about what was asked for, or take the binding out of `outputEquals`",
    }));
}

function forbidden(path: JsonPath): Problem {
  const problem = "no output may have a member of this name: it is that of a secret or a control field";
  return { at: pointerOf(path), problem, remedy: "call it otherwise, or leave it out" };
}
