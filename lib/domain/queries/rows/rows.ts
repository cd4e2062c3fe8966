/** Value of a table cell. Only sub-queries read lists. */
export type CellValue = string | number | boolean | null | readonly unknown[];

/** Source of a row, as on samples and summaries. */
export interface RowSource {
  readonly provider: string;
  readonly type: string;
  readonly app_id?: string | null;
  readonly device_id?: string | null;
  readonly workout_id?: string | null;
  readonly sport?: string | null;
}

/** A sample with its source. Further fields use their wire names (`systolic`, `tags` ...). */
export interface SampleRow {
  /** ISO 8601 with an offset or Z; the start of an interval. */
  readonly timestamp: string;
  readonly end?: string | null;
  readonly value?: number | string | null;
  readonly type?: string | null;
  /** Seconds; null when the source sends none. */
  readonly timezone_offset: number | null;
  readonly source: RowSource;
  readonly [field: string]: unknown;
}

/** A summary in its wire form. */
export interface SummaryRow {
  readonly source: RowSource;
  readonly [field: string]: unknown;
}

/** Which provider wins among sources of one source type. */
export interface SourcePriorities {
  /** Provider slugs from the query, best first. They rank above all others. */
  readonly overrides: readonly string[];
  /** Priority by provider slug; the larger wins, 0 by default. */
  readonly providers: Readonly<Record<string, number>>;
}

/** Input rows of a query. Rows outside its timeframe change only the merging of sources. */
export interface QueryData {
  /** Samples by timeseries name of the query language, for example `heartrate` or `weight`. */
  readonly timeseries: Readonly<Record<string, readonly SampleRow[]>>;
  /** Wire summaries by table of the query language (`sleep`, `activity`, `workout` ...), and `sleep_cycle`. */
  readonly summaries: Readonly<Record<string, readonly SummaryRow[]>>;
  readonly priorities: SourcePriorities;
}
