import * as z from "zod";
import { align, groupItem, period, selectItem } from "./expressions.ts";

/** Longest text of a condition. */
const MOST_WHERE = 2_000;

/** One query over one table or over timeseries (wire reference, 8). */
export const aggregationQuery = z
  .strictObject({
    select: z.array(selectItem).min(1).max(100),
    group_by: z.array(groupItem).max(10).nullish(),
    where: z.string().max(MOST_WHERE).nullish().meta({ description: "A condition on rows, applied before grouping" }),
    align: align.nullish(),
  })
  .meta({ id: "AggregationQuery" });
export type AggregationQuery = z.output<typeof aggregationQuery>;

/** How sources that tell of the same time are brought together (docs/query.md). */
export const mergeModes = ["strict", "interval"] as const;
export type MergeMode = (typeof mergeModes)[number];

export const queryConfig = z
  .strictObject({
    provider_priority_overrides: z
      .array(z.string().min(1).max(64))
      .max(100)
      .nullish()
      .meta({ description: "Slugs of providers or labs, the first one wins" }),
    merge: z
      .enum(mergeModes)
      .nullish()
      .meta({ description: "strict: one source for each group; interval: the best source for each stretch of time" }),
  })
  .meta({ id: "QueryConfig" });

/** The time that a batch of queries is about: so long before the end of the day `anchor`. */
export const timeframe = z.strictObject({ type: z.literal("relative"), anchor: z.iso.date(), past: period });
export type Timeframe = z.output<typeof timeframe>;
