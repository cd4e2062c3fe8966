import type { ChunkColumns } from "../domain/chunk/columns.ts";
import { livingColumns } from "../domain/chunk/living.ts";
import type { DateRange } from "../domain/date-range.ts";

/** Samples of one stored chunk within a read: positions `from` (inclusive) to `to` (exclusive). */
export interface ChunkSlice {
  /** Sort key of the chunk: time bucket, provider, source type. */
  readonly sk: string;
  readonly provider: string;
  readonly sourceType: string;
  readonly columns: ChunkColumns;
  readonly from: number;
  readonly to: number;
}

/** Returns the part of a chunk within a range, without deleted samples. */
export function sliceOf(sk: string, columns: ChunkColumns, { fromMs, toMs }: DateRange): ChunkSlice {
  const [, provider = "", sourceType = ""] = sk.split("#");
  const living = livingColumns(columns);
  const [from, to] = [firstAt(living.starts, fromMs), firstAt(living.starts, toMs + 1)];
  return { sk, provider, sourceType, columns: living, from, to };
}

/** Returns the position of the first start at or after `instantMs`. */
function firstAt(starts: Float64Array, instantMs: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < instantMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
