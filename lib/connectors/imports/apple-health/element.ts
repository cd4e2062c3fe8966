import { SaxesParser } from "saxes";
import { InputError } from "../reading/input-error.ts";

/** An XML element. Exports carry no data in text between tags. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

/**
 * Streams the children of `<HealthData>` with their descendants, in batches per part of the text.
 * @throws InputError if the XML is malformed or truncated.
 */
export async function* readElements(text: AsyncIterable<string>): AsyncGenerator<readonly Element[]> {
  const parser = new SaxesParser();
  const open: Element[] = [];
  let complete: Element[] = [];
  parser.on("opentag", ({ name, attributes }) => {
    open.push({ name, attributes, children: [] });
  });
  parser.on("closetag", () => {
    const element = open.pop();
    if (!element) return;
    if (open.length === 1) complete.push(element);
    else open.at(-1)?.children.push(element);
  });
  parser.on("error", ({ message }) => {
    throw new InputError(`The XML is damaged or incomplete (line ${message}).`);
  });
  for await (const part of text) {
    parser.write(part);
    yield complete;
    complete = [];
  }
  parser.close();
}

/** Reads the value of an element's `<MetadataEntry key= value=>`, or undefined. */
export function metadataValue(element: Element, key: string): string | undefined {
  for (const { name, attributes } of element.children) {
    if (name === "MetadataEntry" && attributes.key === key) return attributes.value;
  }
  return undefined;
}
