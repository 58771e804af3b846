/** An element of XML: its text is that of its own, entities replaced. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Reads the part of XML that reports use, strictly. Errors: Error for whatever is not well-formed. */
export function readXml(document: string): XmlElement {
  if (NOT_XML.test(document)) throw new Error("a character that XML does not have");
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error("no declaration");
  const body = document.slice(declaration.length);
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let read = 0;
  for (const [token, close, name = "", attributes = "", empty, text] of body.matchAll(TOKEN)) {
    read += token.length;
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += decoded(text);
    else if (close === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const element: XmlElement = { name, attributes: attributesIn(attributes), children: [], text: "" };
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  if (read !== body.length) throw new Error(`no XML from ${JSON.stringify(body.slice(read, read + 40))} on`);
  const [top, second] = root.children;
  if (open.length !== 1 || top === undefined || second !== undefined || root.text.trim() !== "") {
    throw new Error("not one element");
  }
  return top;
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, decoded(value)]);
  const attributes = Object.fromEntries(pairs) as Record<string, string>;
  if (Object.keys(attributes).length !== pairs.length) throw new Error("an attribute stands twice");
  return attributes;
}

function decoded(text: string): string {
  return text.replace(/&(\w*;?)/g, (_entity, name: string) => {
    const mark = name.endsWith(";") ? ENTITIES[name.slice(0, -1)] : undefined;
    if (mark === undefined) throw new Error(`no such entity: &${name}`);
    return mark;
  });
}
