/** An element of an SVG. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (SvgElement | string)[];
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
]);

const COMMENT = /^<!--(?:(?!--).)*-->/s;
const CLOSING = /^<\/([a-z]+)>/i;
const OPENING = /^<([a-z]+)((?: [a-z-]+="[^"<]*")*)(\/?)>/i;
const TEXT = /^[^<]+/;

/** Reads a document of one element. Errors: throws on whatever is not well-formed, or beyond what a drawing needs. */
export function readSvg(document: string): SvgElement {
  const root = { name: "", attributes: attributesIn(""), children: [] as (SvgElement | string)[] };
  const open = [root];
  const left = { text: document };
  const take = (form: RegExp): RegExpExecArray | null => {
    const found = form.exec(left.text);
    if (found !== null) left.text = left.text.slice(found[0].length);
    return found;
  };
  while (left.text !== "") {
    const parent = open.at(-1) ?? root;
    if (take(COMMENT) !== null) continue;
    const closing = take(CLOSING);
    const opening = closing === null ? take(OPENING) : null;
    if (closing !== null) {
      if (open.length === 1 || parent.name !== closing[1]) throw new Error(`${closing[0]} closes ${parent.name}`);
      open.pop();
    } else if (opening !== null) {
      const [, name = "", attributes = "", end] = opening;
      const element = { name, attributes: attributesIn(attributes), children: [] as (SvgElement | string)[] };
      parent.children.push(element);
      if (end === "") open.push(element);
    } else {
      const [text] = take(TEXT) ?? [];
      if (text === undefined) throw new Error(`not understood: ${left.text.slice(0, 60)}`);
      parent.children.push(unescaped(text));
    }
  }
  const [element, ...others] = root.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  if (open.length > 1 || typeof element !== "object" || others.length > 0) throw new Error("not one whole element");
  return element;
}

/** The element and all below it, in the order of the document. */
export function elementsOf(element: SvgElement): readonly SvgElement[] {
  return [element, ...element.children.flatMap((child) => (typeof child === "string" ? [] : elementsOf(child)))];
}

/** All text below an element. */
export function textIn({ children }: SvgElement): string {
  return children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}

/** An attribute that is a number. Errors: throws if it is none. */
export function numberOf({ name, attributes }: SvgElement, attribute: string): number {
  const value = attributes.get(attribute) ?? "";
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw new Error(`${attribute} of ${name} is no number: ${value}`);
  return Number(value);
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(/ ([a-z-]+)="([^"]*)"/gi)].map(
    ([, name = "", value = ""]) => [name, unescaped(value)] as const,
  );
  const attributes = new Map(pairs);
  if (attributes.size !== pairs.length) throw new Error(`an attribute twice: ${text}`);
  return attributes;
}

function unescaped(text: string): string {
  return text.replaceAll(/&([a-z]*;?)/g, (whole, entity: string) => {
    const mark = ENTITIES.get(entity.replace(/;$/, ""));
    if (mark === undefined || !entity.endsWith(";")) throw new Error(`no entity: ${whole}`);
    return mark;
  });
}
