import { createHash } from "node:crypto";
import type * as z from "zod";

/**
 * Cursors are opaque and belong to one query: the text carries a position and a checksum over position and query, so one
 * that was altered, or is used with other parameters, is recognised. It needs no secret: a forged position could only
 * point into the partition that the caller's own scope has chosen.
 */
const CHECKSUM_CHARACTERS = 11;

const checksum = (position: string, query: string) =>
  createHash("sha256").update(`${position}\n${query}`).digest("base64url").slice(0, CHECKSUM_CHARACTERS);

/** Writes a position within the results of `query` (any text that tells queries apart). */
export function encodeCursor(position: readonly (string | number)[], query: string): string {
  return encodeText(JSON.stringify(position), query);
}

/** Reads a cursor; undefined when it was altered or belongs to another query. */
export function decodeCursor<S extends z.ZodType>(cursor: string, query: string, position: S): z.output<S> | undefined {
  const text = Buffer.from(cursor.slice(CHECKSUM_CHARACTERS), "base64url").toString("utf8");
  if (encodeText(text, query) !== cursor) return undefined;
  const parsed = position.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

const encodeText = (text: string, query: string) => checksum(text, query) + Buffer.from(text).toString("base64url");
