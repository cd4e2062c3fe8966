import { createHash } from "node:crypto";
import { once } from "node:events";
import avro, { type Schema } from "avsc";

/** Encodes records as an Avro object container file. @param metadata entries of the file's header. */
export async function encodeAvroFile(
  schema: Schema,
  metadata: Readonly<Record<string, string>>,
  records: readonly object[],
): Promise<Buffer> {
  const header = Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)]));
  const syncMarker = createHash("md5")
    .update(JSON.stringify([metadata, records.length]))
    .digest();
  // The type declarations of avsc lack the option `metadata`, which its documentation describes.
  const options = { metadata: header, syncMarker, writeHeader: true } as object;
  const encoder = new avro.streams.BlockEncoder(schema, options);
  const parts: Buffer[] = [];
  encoder.on("data", (part: Buffer) => parts.push(part));
  const ended = once(encoder, "end");
  for (const record of records) encoder.write(record);
  encoder.end();
  await ended;
  return Buffer.concat(parts);
}

/** Decodes the records of an Avro object container file. @throws Error for a damaged file. */
export async function decodeAvroFile(bytes: Uint8Array): Promise<unknown[]> {
  const decoder = new avro.streams.BlockDecoder();
  const records: unknown[] = [];
  decoder.on("data", (record: unknown) => records.push(record));
  const ended = once(decoder, "end");
  decoder.end(Buffer.from(bytes));
  await ended;
  return records;
}
