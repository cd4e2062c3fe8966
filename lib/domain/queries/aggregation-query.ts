import * as z from "zod";
import { align, groupItem, period, selectItem } from "./expressions/expressions.ts";
import { mergeModes } from "./merge-mode.ts";

/** Maximum length of a condition, characters. */
const MAX_WHERE_LENGTH = 2_000;

/** One query over a table or a timeseries. */
export const aggregationQuery = z
  .strictObject({
    select: z.array(selectItem).min(1).max(100),
    group_by: z.array(groupItem).max(10).nullish(),
    where: z.string().max(MAX_WHERE_LENGTH).nullish().meta({ description: "Row condition, applied before grouping" }),
    align: align.nullish(),
  })
  .meta({ id: "AggregationQuery" });
export type AggregationQuery = z.output<typeof aggregationQuery>;

export const queryConfig = z
  .strictObject({
    provider_priority_overrides: z
      .array(z.string().min(1).max(64))
      .max(100)
      .nullish()
      .meta({ description: "Slugs of providers or labs, best first" }),
    merge: z.enum(mergeModes).nullish().meta({
      description:
        "strict: one source for each group; interval: the best source for each interval of time. Defaults to the rule of the team",
    }),
  })
  .meta({ id: "QueryConfig" });

/** The timeframe of a batch of queries: the period `past` before the end of the day `anchor`. */
export const timeframe = z.strictObject({ type: z.literal("relative"), anchor: z.iso.date(), past: period });
export type Timeframe = z.output<typeof timeframe>;
