import { createHash } from "node:crypto";

/** Returns the same UUID for the same text: version 8 (RFC 9562) over SHA-256. */
export function nameUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
