import type { DateRange } from "../../domain/shared/date-range.ts";
import type { ChunkColumns } from "../../domain/timeseries/chunk/chunk-columns.ts";
import type { SampleSlice } from "../../domain/timeseries/chunk/sample-slice.ts";
import { withoutDeletedSamples } from "../../domain/timeseries/chunk/without-deleted-samples.ts";
import type { Recorder } from "../recorder-key.ts";

/** Samples of one stored chunk within a read. */
export interface ChunkSlice extends SampleSlice {
  /** Sort key of the chunk: time bucket, provider, source type, recorder. */
  readonly sk: string;
}

/** Returns the part of a chunk within a range, by default without deleted samples. */
export function sliceChunk(
  sk: string,
  { deviceId, appId }: Recorder,
  columns: ChunkColumns,
  { fromMs, toMs }: DateRange,
  includesDeleted = false,
): ChunkSlice {
  const [, provider = "", sourceType = ""] = sk.split("#");
  const living = includesDeleted ? columns : withoutDeletedSamples(columns);
  const [from, to] = [lowerBound(living.starts, fromMs), lowerBound(living.starts, toMs + 1)];
  return { sk, provider, sourceType, deviceId, appId, columns: living, from, to };
}

/** Returns the position of the first start at or after `instantMs`. */
function lowerBound(starts: Float64Array, instantMs: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < instantMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
