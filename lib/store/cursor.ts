import { createHash } from "node:crypto";
import * as z from "zod";

/**
 * Cursors are opaque and belong to one query: the text carries a position and a checksum over position and query, so one
 * that was altered, or is used with other parameters, is recognised. It needs no secret: whoever computes the checksum of
 * a position of their own still points into the partition that the caller's own scope has chosen, and a position that no
 * page ends at is refused by its schema, by {@link positionText} or as StartKeyRefused.
 */
const CHECKSUM_CHARACTERS = 11;
/** The most bytes of a sort key (DynamoDB quotas). */
const MOST_KEY_BYTES = 1024;

/** A part of a position that becomes part of a key: DynamoDB takes no empty one, no longer one, and none with half a surrogate pair. */
export const positionText = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MOST_KEY_BYTES);

const checksum = (position: string, query: string) =>
  createHash("sha256").update(`${position}\n${query}`).digest("base64url").slice(0, CHECKSUM_CHARACTERS);

/** Writes a position within the results of `query` (any text that tells queries apart). */
export function encodeCursor(position: readonly (string | number)[], query: string): string {
  return encodeText(JSON.stringify(position), query);
}

/** Reads a cursor; undefined when it was altered, belongs to another query, or has no position that a page could end at. */
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
