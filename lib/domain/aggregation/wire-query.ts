import * as z from "zod";
import { wireExplanation } from "./explanation.ts";
import { aggregationQuery, queryConfig, timeframe } from "./query.ts";

/** A batch of queries over one timeframe. */
export const queryBatch = z
  .strictObject({
    timeframe,
    queries: z.array(aggregationQuery).min(1).max(50),
    config: queryConfig.nullish(),
  })
  .meta({ id: "QueryBatch" });
export type QueryBatch = z.output<typeof queryBatch>;

/** A result table as columns of equal length. */
export const wireTable = z.record(z.string(), z.array(z.unknown()));

/** The result of one query, with its explanation on request. */
export const wireResult = z
  .object({ table: wireTable, explanation: z.array(wireExplanation).optional() })
  .meta({ id: "AggregationResult" });

export const wireResults = z.object({ results: z.array(wireResult) }).meta({ id: "AggregationResponse" });
