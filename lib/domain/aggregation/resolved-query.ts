import type { AggregationQuery, MergeMode } from "./query.ts";

/**
 * A checked query with all that it depends on. The timeframe is in floating time, the date and clock time where the user
 * was (YYYY-MM-DDTHH:mm:ss without offset), `from` included and `to` excluded: so days are whole wherever the user was.
 * A row is at the instant of its index, shown by its own offset, else by the clocks of `time_zone` (docs/query.md).
 */
export interface ResolvedQuery extends AggregationQuery {
  readonly timeframe: { readonly from: string; readonly to: string };
  /** IANA name of the user's fallback time zone. */
  readonly time_zone: string;
  /** `strict` when absent. */
  readonly merge?: MergeMode | null | undefined;
  /** Floating time after which no values are carried; by default the end of the timeframe. */
  readonly now?: string | undefined;
}
