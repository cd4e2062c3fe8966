import type { AggregationQuery } from "./aggregation-query.ts";
import type { MergeMode } from "./merge-mode.ts";

/**
 * A checked query with all its inputs. The timeframe is floating time, the user's local date and clock time
 * (YYYY-MM-DDTHH:mm:ss without offset), `from` inclusive and `to` exclusive. So days are whole wherever the user is. A
 * row lies at the instant of its index. Its local time follows its own offset, or else `time_zone` (docs/query.md).
 */
export interface ResolvedQuery extends AggregationQuery {
  readonly timeframe: { readonly from: string; readonly to: string };
  /** IANA name of the user's fallback time zone. */
  readonly time_zone: string;
  /** `strict` when absent. */
  readonly merge?: MergeMode | null | undefined;
  /** Floating time after which no values are carried. Defaults to the end of the timeframe. */
  readonly now?: string | undefined;
}
