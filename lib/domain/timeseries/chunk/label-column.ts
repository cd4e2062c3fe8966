import { ChunkFormatError } from "./byte-stream.ts";
import type { ReadStreams, WriteStreams } from "./integer-column.ts";
import { planIntegers, readIntegers, writeIntegers } from "./integer-column.ts";

/** Approximate cost of a label and run length, in residuals of an integer column. */
const BYTES_PER_RUN = 2;

/**
 * Writes labels (integers >= 0 that rarely change: type, offset, run) run-length encoded: the number of runs, then
 * label and length of each. The last length follows from the count. Labels that change often become an integer column.
 */
export function writeLabels(streams: WriteStreams, labels: Float64Array): void {
  if (labels.length === 0) return;
  const ends: number[] = [];
  for (let index = 1; index <= labels.length; index++) if (labels[index] !== labels[index - 1]) ends.push(index);
  if (ends.length > 1 && ends.length * BYTES_PER_RUN > labels.length) {
    streams.packed.varint(0);
    writeIntegers(streams, planIntegers(labels));
    return;
  }
  streams.packed.varint(ends.length);
  let start = 0;
  for (const end of ends) {
    streams.packed.varint(labels[start] ?? 0);
    if (end < labels.length) streams.packed.varint(end - start);
    start = end;
  }
}

/** Reads `count` labels, each at most `limit`. */
export function readLabels(streams: ReadStreams, count: number, limit: number): Float64Array {
  if (count === 0) return new Float64Array(0);
  const runs = streams.packed.count(count, "runs of labels");
  if (runs > 0) return readRunLengths(streams, count, runs, limit);
  const labels = readIntegers(streams, count);
  for (let index = 0; index < count; index++) {
    const label = labels[index] ?? 0;
    if (label < 0 || label > limit) throw new ChunkFormatError(`label outside 0 to ${limit}`);
  }
  return labels;
}

function readRunLengths({ packed }: ReadStreams, count: number, runs: number, limit: number): Float64Array {
  const labels = new Float64Array(count);
  let start = 0;
  for (let run = 1; run <= runs; run++) {
    const label = packed.count(limit, "label");
    const length = run === runs ? count - start : packed.count(count - start, "run length");
    if (label !== 0) labels.fill(label, start, start + length);
    start += length;
  }
  return labels;
}
