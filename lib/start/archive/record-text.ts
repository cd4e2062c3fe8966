import type { Item } from "../../store/item.ts";

/**
 * Writes an item as one line of JSON. A list is tagged by its first element, so that sets and bytes are lists too:
 * `["l", ...]`, `["s", ...]`, `["b", "<base64>"]`.
 */
export const toLine = (item: Item): string => `${JSON.stringify(tag(item))}\n`;

/** Reads a line of {@link toLine}. @throws SyntaxError or Error for any other text. */
export const fromLine = (line: string): Item => untag(JSON.parse(line)) as Item;

function tag(value: unknown): unknown {
  if (value instanceof Uint8Array) return ["b", Buffer.from(value).toString("base64")];
  if (value instanceof Set) return ["s", ...[...value].map(tag)];
  if (Array.isArray(value)) return ["l", ...value.map(tag)];
  return mapMembers(value, tag);
}

function untag(value: unknown): unknown {
  if (!Array.isArray(value)) return mapMembers(value, untag);
  const [kind, ...members] = value;
  if (kind === "b") return new Uint8Array(Buffer.from(String(members[0]), "base64"));
  if (kind === "s") return new Set(members.map(untag));
  if (kind === "l") return members.map(untag);
  throw new Error(`a list has the unknown tag ${kind}`);
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}
