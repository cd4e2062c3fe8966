import { createHash } from "node:crypto";

/** Derives a UUID from a text. */
export function stableUuid(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Derives a positive integer below 10^9 from a text, for providers with numeric ids. */
export function stableNumber(text: string): number {
  return (createHash("sha256").update(text).digest().readUInt32BE() % 900_000_000) + 100_000_000;
}
