import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";

/** What laboratories sent is more than an item holds. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** An item holds 400 KB, with its key and all other attributes. */
const MOST_BYTES = 360_000;

/** An attribute that holds something compressed. */
export const packed = z.instanceof(Uint8Array);

/** @throws TooLarge for what would not fit into an item. */
export function pack(value: unknown): Uint8Array {
  const content = gzipSync(JSON.stringify(value));
  if (content.length > MOST_BYTES) throw new TooLarge("more than an item holds");
  return content;
}

/** What was packed by this service itself, so it is not parsed by a schema again. */
export const unpack = (content: Uint8Array): unknown => JSON.parse(gunzipSync(content).toString("utf8"));
