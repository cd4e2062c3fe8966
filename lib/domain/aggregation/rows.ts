/** What a cell of a table holds; lists only where a sub-query reads them. */
export type Value = string | number | boolean | null | readonly unknown[];

/** Where a row comes from, as every sample and summary tells it. */
export interface RowSource {
  readonly provider: string;
  readonly type: string;
  readonly app_id?: string | null;
  readonly device_id?: string | null;
  readonly workout_id?: string | null;
  readonly sport?: string | null;
}

/** A sample with its source; further fields as the wire has them (`systolic`, `tags` ...). */
export interface SampleRow {
  /** ISO 8601 with an offset or Z; the begin of an interval. */
  readonly timestamp: string;
  readonly end?: string | null;
  readonly value?: number | string | null;
  readonly type?: string | null;
  /** Seconds; null where the source told none. */
  readonly timezone_offset: number | null;
  readonly source: RowSource;
  readonly [field: string]: unknown;
}

/** A summary as the wire answers it. */
export interface SummaryRow {
  readonly source: RowSource;
  readonly [field: string]: unknown;
}

/** Which of several sources of one source type wins. */
export interface SourcePriorities {
  /** Provider slugs of this one query, best first, before all others. */
  readonly overrides: readonly string[];
  /** Priority of providers by slug, the larger wins; 0 for those that are not named. */
  readonly providers: Readonly<Record<string, number>>;
}

/** The rows that a query may look at; more than its timeframe are welcome and change nothing but what merging needs. */
export interface QueryData {
  /** By the name that the query has for them, such as `heartrate` or `weight`. */
  readonly timeseries: Readonly<Record<string, readonly SampleRow[]>>;
  /** Wire rows by table of the query language (`sleep`, `activity`, `workout` ...), and `sleep_cycle`. */
  readonly summaries: Readonly<Record<string, readonly SummaryRow[]>>;
  readonly priorities: SourcePriorities;
}
