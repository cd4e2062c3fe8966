import { ByteReader, ChunkFormatError } from "./byte-stream.ts";
import { findColumnDefect } from "./check-columns.ts";
import type { ChunkColumns } from "./chunk-columns.ts";
import { chunkToColumns, columnsToChunk } from "./chunk-columns.ts";
import { decodeV1, encodeV1 } from "./codec-v1.ts";
import type { Chunk } from "./sample.ts";

const CURRENT_VERSION = 1;

/** Decoders by the first byte of a chunk. Entries are never removed: stored chunks are never rewritten in bulk. */
const decoders = new Map<number, (body: ByteReader) => ChunkColumns>([[1, decodeV1]]);

/**
 * Encodes a chunk losslessly: codec version, then the body of that version. Equal chunks give equal bytes on one zlib
 * version.
 * @throws RangeError for an invalid chunk: NaN or infinity, fractions of a millisecond, unordered or duplicate samples.
 */
export function encodeChunk(chunk: Chunk): Uint8Array {
  const columns = chunkToColumns(chunk);
  const defect = findColumnDefect(columns);
  if (defect) throw new RangeError(`cannot encode chunk: ${defect}`);
  const body = encodeV1(columns);
  const bytes = new Uint8Array(body.length + 1);
  bytes[0] = CURRENT_VERSION;
  bytes.set(body, 1);
  return bytes;
}

/**
 * Decodes a chunk of any codec version to samples.
 * @throws ChunkFormatError
 */
export function decodeChunk(bytes: Uint8Array): Chunk {
  return columnsToChunk(decodeColumns(bytes));
}

/**
 * Decodes a chunk to parallel columns, for readers of many samples.
 * @throws ChunkFormatError
 */
export function decodeColumns(bytes: Uint8Array): ChunkColumns {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  const decode = decoders.get(version);
  if (!decode) throw new ChunkFormatError(`unknown chunk codec version ${version}`);
  const columns = decodeOrThrow(decode, reader);
  const defect = findColumnDefect(columns);
  if (defect) throw new ChunkFormatError(`corrupt chunk: ${defect}`);
  return columns;
}

/** Wraps the errors that zlib and JSON throw on corrupt bytes, so that callers see one kind. */
function decodeOrThrow(decode: (body: ByteReader) => ChunkColumns, reader: ByteReader): ChunkColumns {
  try {
    return decode(reader);
  } catch (error) {
    if (error instanceof ChunkFormatError) throw error;
    throw new ChunkFormatError("corrupt chunk", { cause: error });
  }
}
