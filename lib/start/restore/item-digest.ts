import { createHash } from "node:crypto";
import type { Item } from "../../store/item.ts";

/** Counts items and joins their SHA-256, in any order: two sets of items have one digest only if they are equal. */
export class ItemDigest {
  items = 0;
  readonly #sum = Buffer.alloc(32);

  add(item: Item): void {
    const own = createHash("sha256")
      .update(JSON.stringify(toComparable(item)))
      .digest();
    for (const [place, byte] of own.entries()) this.#sum[place] = (this.#sum[place] ?? 0) ^ byte;
    this.items++;
  }

  /** The count, and the digest in hex. */
  toString(): string {
    return `${this.items} items ${this.#sum.toString("hex")}`;
  }
}

/** DynamoDB returns attributes and members of sets in any order. */
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Set) return [...value].map(toComparable).toSorted();
  if (Array.isArray(value)) return value.map(toComparable);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, toComparable(member)]);
}
