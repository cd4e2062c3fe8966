import type { ChunkReader, ChunkWriter } from "./atom-column.ts";
import { ChunkFormatError, requireSafeInteger, unzigzag, zigzag } from "./byte-stream.ts";
import type { ChunkColumns } from "./chunk-columns.ts";
import { planIntegers, readIntegers, writeIntegers } from "./integer-column.ts";
import { readLabels, writeLabels } from "./label-column.ts";

const GAP_FROM_START = 0;
const GAP_FROM_END = 1;

type Times = Pick<ChunkColumns, "starts" | "ends">;

/** Writes the interval flags, the durations, and the starts. */
export function writeTimes(writer: ChunkWriter, times: Times): void {
  const { starts, ends } = times;
  writeLabels(
    writer,
    ends.map((end) => (Number.isNaN(end) ? 0 : 1)),
  );
  const durations = ends.map((end, index) => end - (starts[index] ?? 0)).filter((duration) => !Number.isNaN(duration));
  if (durations.length > 0) writeIntegers(writer, planIntegers(durations));
  writeStarts(writer, times);
}

/** Reads starts and ends of `count` samples; an end is NaN for a sample that is not an interval. */
export function readTimes(reader: ChunkReader, count: number): Times {
  const durations = readDurations(reader, count);
  const starts = readStarts(reader, durations);
  const ends = durations;
  for (let index = 0; index < count; index++) ends[index] = (starts[index] ?? 0) + (durations[index] ?? Number.NaN);
  return { starts, ends };
}

function readDurations(reader: ChunkReader, count: number): Float64Array {
  const present = readLabels(reader, count, 1);
  let intervals = 0;
  for (let index = 0; index < count; index++) intervals += present[index] ?? 0;
  if (intervals === 0) return present.fill(Number.NaN);
  const durations = readIntegers(reader, intervals);
  let next = 0;
  return present.map((label) => (label === 1 ? (durations[next++] ?? 0) : Number.NaN));
}

/** Writes the first start, then the gap of each start from the previous start or end, whichever is cheaper. */
function writeStarts(writer: ChunkWriter, { starts, ends }: Times): void {
  if (starts.length === 0) return;
  writer.packed.varint(zigzag(starts[0] ?? 0));
  if (starts.length === 1) return;
  const later = starts.subarray(1);
  const fromStart = planIntegers(later.map((start, index) => start - (starts[index] ?? 0)));
  const fromEnd = planIntegers(later.map((start, index) => start - endOrStart(starts[index] ?? 0, ends[index])));
  const useEnds = fromEnd.costBits < fromStart.costBits;
  writer.packed.byte(useEnds ? GAP_FROM_END : GAP_FROM_START);
  writeIntegers(writer, useEnds ? fromEnd : fromStart);
}

function readStarts(reader: ChunkReader, durations: Float64Array): Float64Array {
  const starts = new Float64Array(durations.length);
  if (starts.length === 0) return starts;
  let start = unzigzag(reader.packed.varint());
  starts[0] = start;
  if (starts.length === 1) return starts;
  const form = reader.packed.byte();
  if (form > GAP_FROM_END) throw new ChunkFormatError(`unknown start form ${form}`);
  const gaps = readIntegers(reader, starts.length - 1);
  for (let index = 0; index < gaps.length; index++) {
    const from = form === GAP_FROM_END ? endOrStart(start, start + (durations[index] ?? 0)) : start;
    start = requireSafeInteger(from + (gaps[index] ?? 0));
    starts[index + 1] = start;
  }
  return starts;
}

function endOrStart(start: number, end = Number.NaN): number {
  return Number.isNaN(end) ? start : end;
}
