/** Up to its last part, whatever stands between quotes; then, without them, up to white space or a bracket. */
const FOLDERS = [
  /(?<=(['"`]))(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])(?:(?!\1).)*[\\/](?=[^\\/]*\1)/g,
  /(?:file:\/\/)?(?<![\w.])(?:\/|[A-Za-z]:[\\/])(?:[^\s'"`()[\]]*[\\/])?/g,
];
const LONGEST = 200;

/**
 * What foreign code has thrown, for the operator whose code it is.
 * Shape: the error's name and the first line of its message; folders of absolute paths are left out.
 */
export function thrownText(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return "something that is no error";
    // Anything can stand there, whatever the type of an error says.
    const { name, message }: { readonly name: unknown; readonly message: unknown } = thrown;
    const [line = ""] = String(message).split("\n");
    // Cut first: what it costs to look through a text is bounded.
    const text = FOLDERS.reduce((rest, folder) => rest.replaceAll(folder, ""), line.slice(0, LONGEST));
    return text === "" ? String(name) : `${String(name)}: ${text}`;
  } catch {
    return "something that cannot be read";
  }
}
