import type { JsonPath } from "../protocol/json.ts";

/** The JSON pointer of a path. Source: RFC 6901. */
export function pointerOf(path: JsonPath): string {
  let pointer = "";
  for (const token of path) {
    pointer += `/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** The unescaped tokens of a JSON pointer, or null if the text is none. Source: RFC 6901. */
export function tokensOf(pointer: string): readonly string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  // `~1` first: `~01` stands for `~1`, not for `/`.
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
