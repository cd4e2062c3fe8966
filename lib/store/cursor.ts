import { createHash } from "node:crypto";
import * as z from "zod";

/**
 * Cursors are opaque and belong to one query. The text contains a position and a checksum over position and query,
 * which reveals an altered cursor or one used with other parameters. The checksum needs no secret: a forged position
 * still points into the partition of the caller's own scope. A position at which no page ends is rejected by its
 * schema, by {@link positionText} or as StartKeyRefused.
 */
const CHECKSUM_CHARACTERS = 11;
/** Maximum bytes of a sort key (DynamoDB quotas). */
const MAX_KEY_BYTES = 1024;

/**
 * Schema of a position part that becomes part of a key. DynamoDB rejects empty keys, longer keys, and keys with
 * unpaired surrogates.
 */
export const positionText = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_KEY_BYTES);

const checksum = (position: string, query: string) =>
  createHash("sha256").update(`${position}\n${query}`).digest("base64url").slice(0, CHECKSUM_CHARACTERS);

/** Encodes a position within the results of `query` (any text that identifies the query). */
export function encodeCursor(position: readonly (string | number)[], query: string): string {
  return encodeText(JSON.stringify(position), query);
}

/**
 * Decodes a cursor. Returns undefined if it was altered, belongs to another query, or has a position at which no page
 * ends.
 */
export function decodeCursor<S extends z.ZodType>(cursor: string, query: string, position: S): z.output<S> | undefined {
  const text = Buffer.from(cursor.slice(CHECKSUM_CHARACTERS), "base64url").toString("utf8");
  if (encodeText(text, query) !== cursor) return undefined;
  const parsed = position.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

const encodeText = (text: string, query: string) => checksum(text, query) + Buffer.from(text).toString("base64url");

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
