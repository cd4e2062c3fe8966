import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";

/** The content exceeds the size of a table item. */
export class ItemTooLarge extends Error {
  override readonly name = "TooLarge";
}

/** Maximum compressed size. An item has at most 400 KB, with its key and all other attributes. */
const MAX_COMPRESSED_BYTES = 360_000;

/** Schema of an attribute with compressed JSON. */
export const compressedJson = z.instanceof(Uint8Array);

/** Compresses a value. @throws TooLarge if the result does not fit in an item. */
export function compressJson(value: unknown): Uint8Array {
  const content = gzipSync(JSON.stringify(value));
  if (content.length > MAX_COMPRESSED_BYTES)
    throw new ItemTooLarge("The compressed value exceeds the size of a table item.");
  return content;
}

/** Decompresses a value that this service compressed, so no schema validates it again. */
export const decompressJson = (content: Uint8Array): unknown => JSON.parse(gunzipSync(content).toString("utf8"));
