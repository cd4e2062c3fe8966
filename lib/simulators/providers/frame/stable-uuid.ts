import { createHash } from "node:crypto";

/** A UUID that is the same each time for the same text. */
export function stableUuid(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** A positive whole number below 10^9 that is the same each time for the same text, for providers with such ids. */
export function stableNumber(text: string): number {
  return (createHash("sha256").update(text).digest().readUInt32BE() % 900_000_000) + 100_000_000;
}
