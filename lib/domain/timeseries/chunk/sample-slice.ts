import type { ChunkColumns } from "./chunk-columns.ts";

/** Samples of one source and recorder as parallel columns: positions `from` (inclusive) to `to` (exclusive). */
export interface SampleSlice {
  readonly provider: string;
  readonly sourceType: string;
  /** Id of the recording device; null if the source named none. */
  readonly deviceId: string | null;
  /** Id of the recording app; null if the source named none. */
  readonly appId: string | null;
  readonly columns: ChunkColumns;
  readonly from: number;
  readonly to: number;
}
