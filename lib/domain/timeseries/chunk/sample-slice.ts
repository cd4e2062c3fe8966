import type { ChunkColumns } from "./chunk-columns.ts";

/** Samples of one source as parallel columns: positions `from` (inclusive) to `to` (exclusive). */
export interface SampleSlice {
  readonly provider: string;
  readonly sourceType: string;
  readonly columns: ChunkColumns;
  readonly from: number;
  readonly to: number;
}
