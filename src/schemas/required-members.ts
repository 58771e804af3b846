import type { Problem } from "../errors/problem.ts";
import type { JsonPath, JsonValue } from "../protocol/json.ts";
import type { Admission, Part } from "./admission.ts";
import { isList, isSchemaObject } from "./keywords.ts";
import { problemAt } from "./schema-problems.ts";
import type { Node } from "./schema-tree.ts";
import { patternTest } from "./value-parts.ts";

/** A member that a schema asks for, and where it does. */
interface Requirement {
  readonly name: string;
  readonly path: JsonPath;
}

/**
 * Members that an object must have and, once it is closed, cannot: nothing that judges it names them, or a schema that judges
 * it too lets in others only. No object could ever fit.
 */
export function requirementProblems(admission: Admission, parts: readonly Part[]): readonly Problem[] {
  return parts.flatMap((part) =>
    requirementsOf(part).flatMap(({ name, path }) => {
      if (!parts.some((other) => describes(other, name))) {
        const remedy = "name it in `properties`, or do not ask for it";
        return [problemAt(path, `it asks for \`${name}\`, which no schema names`, remedy)];
      }
      const isShutOut = parts
        .filter((other) => other.isCertain || other.schema === part.schema)
        .some((other) => shutsOut(admission, other, name));
      if (!isShutOut) return [];
      const remedy =
        "name it in each schema that closes the object, or let one close it by `unevaluatedProperties: false`";
      return [problemAt(path, `it asks for \`${name}\`, and a schema of the same object does not let it in`, remedy)];
    }),
  );
}

/** The members that a schema asks for, of every object or of one that has another member. */
export function requirementsOf({ schema, path }: Node): readonly Requirement[] {
  const { required, dependentRequired } = schema;
  const named = isSchemaObject(dependentRequired) ? Object.entries(dependentRequired) : [];
  const lists: readonly (readonly [JsonPath, JsonValue | undefined])[] = [
    [["required"], required],
    ...named.map(([name, list]) => [["dependentRequired", name], list] as const),
  ];
  return lists.flatMap(([place, list]) =>
    (isList(list) ? list : []).flatMap((name, index) =>
      typeof name === "string" ? [{ name, path: [...path, ...place, index] }] : [],
    ),
  );
}

/** Whether a schema by itself says anything of a member, were it only that there may be others. */
function describes({ schema }: Node, name: string): boolean {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  if (isSchemaObject(properties) && Object.hasOwn(properties, name)) return true;
  if (isSchemaObject(patternProperties) && Object.keys(patternProperties).some((pattern) => patternTest(pattern)(name)))
    return true;
  return [additionalProperties, unevaluatedProperties].some((rest) => rest !== undefined && rest !== false);
}

function shutsOut(admission: Admission, part: Part, name: string): boolean {
  const { additionalProperties, unevaluatedProperties } = part.schema;
  if (additionalProperties === false) return !describes(part, name);
  return unevaluatedProperties === false && !admission.partsOf(part).some((own) => describes(own, name));
}
