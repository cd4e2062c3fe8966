import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ChunkReader, ChunkWriter } from "./atom-column.ts";
import { readStringColumn, writeAtomColumn } from "./atom-column.ts";
import { AtomTableWriter, readAtoms } from "./atom-table.ts";
import { ByteReader, ByteWriter, ChunkFormatError, unzigzag, zigzag } from "./byte-stream.ts";
import { readCells, readFields, writeCells, writeFields } from "./cell-column.ts";
import { MAX_SAMPLES_PER_CHUNK } from "./check-columns.ts";
import type { ChunkColumns } from "./chunk-columns.ts";
import { readLabels, writeLabels } from "./label-column.ts";
import { readRuns, writeRuns } from "./run-column.ts";
import { readTimes, writeTimes } from "./time-columns.ts";

/** Maximum size of the packed part before compression. Also bounds what a corrupt length makes the decoder allocate. */
const MAX_PACKED_BYTES = 2 ** 24;

/**
 * Encodes codec version 1 without the version byte: length of the packed part, its stored length (0 when not deflated),
 * the packed part, then the noise. The packed part is the atom table and the columns.
 */
export function encodeV1(columns: ChunkColumns): Uint8Array {
  const writer: ChunkWriter = { packed: new ByteWriter(), noise: new ByteWriter(), atoms: new AtomTableWriter() };
  writeColumns(writer, columns);
  const plain = new ByteWriter();
  writer.atoms.writeTo(plain);
  plain.bytes(writer.packed.written());
  const packed = plain.written();
  if (packed.length > MAX_PACKED_BYTES) throw new RangeError(`chunk of ${packed.length} bytes is too large`);
  const deflated = deflateRawSync(packed, { level: 9 });
  const smaller = deflated.length < packed.length;
  const body = new ByteWriter();
  body.varint(packed.length);
  body.varint(smaller ? deflated.length : 0);
  body.bytes(smaller ? deflated : packed);
  body.bytes(writer.noise.written());
  return body.written();
}

/** Inverse of `encodeV1`. */
export function decodeV1(body: ByteReader): ChunkColumns {
  const length = body.count(MAX_PACKED_BYTES, "packed length");
  const deflatedLength = body.varint();
  const packed = new ByteReader(deflatedLength > 0 ? inflate(body.bytes(deflatedLength), length) : body.bytes(length));
  const noise = new ByteReader(body.bytes(body.remaining));
  const columns = readColumns({ atoms: readAtoms(packed), packed, noise });
  if (packed.remaining > 0 || noise.remaining > 0) throw new ChunkFormatError("bytes left over after the last column");
  return columns;
}

/** Minimum output buffer size that zlib accepts. */
const MIN_BUFFER_BYTES = 64;

function inflate(deflated: Uint8Array, length: number): Uint8Array {
  // One extra byte, so that zlib needs no second buffer to detect the end.
  const chunkSize = Math.max(length + 1, MIN_BUFFER_BYTES);
  const inflated = inflateRawSync(deflated, { maxOutputLength: Math.max(length, 1), chunkSize });
  if (inflated.length !== length) throw new ChunkFormatError(`inflated to ${inflated.length} bytes, not ${length}`);
  return inflated;
}

function writeColumns(writer: ChunkWriter, columns: ChunkColumns): void {
  writer.packed.varint(columns.count);
  writeTimes(writer, columns);
  writeLabels(
    writer,
    columns.offsetsS.map((offset) => (Number.isNaN(offset) ? 0 : zigzag(offset) + 1)),
  );
  writeAtomColumn(writer, columns.types);
  writeAtomColumn(writer, columns.subtypes);
  writeCells(writer, columns.values);
  writeFields(writer, columns.fields);
  writeLabels(writer, columns.runOf);
  writeRuns(writer, columns.runs);
}

function readColumns(reader: ChunkReader): ChunkColumns {
  const count = reader.packed.count(MAX_SAMPLES_PER_CHUNK, "number of samples");
  const times = readTimes(reader, count);
  const offsetsS = readLabels(reader, count, Number.MAX_SAFE_INTEGER);
  for (let index = 0; index < count; index++) {
    const label = offsetsS[index] ?? 0;
    offsetsS[index] = label === 0 ? Number.NaN : unzigzag(label - 1);
  }
  return {
    count,
    ...times,
    offsetsS,
    types: readStringColumn(reader, count),
    subtypes: readStringColumn(reader, count),
    values: readCells(reader, count),
    fields: readFields(reader, count),
    runOf: readLabels(reader, count, MAX_SAMPLES_PER_CHUNK),
    runs: readRuns(reader),
  };
}
