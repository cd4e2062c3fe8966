import * as z from "zod";
import { aggregationQuery, queryConfig, timeframe } from "./aggregation-query.ts";
import { wireExplanation } from "./explain/explanation.ts";

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
const wireResultTable = z.record(z.string(), z.array(z.unknown()));

/** The result of one query, with its explanation on request. */
export const wireQueryResult = z
  .object({ table: wireResultTable, explanation: z.array(wireExplanation).optional() })
  .meta({ id: "AggregationResult" });

export const wireQueryResults = z.object({ results: z.array(wireQueryResult) }).meta({ id: "AggregationResponse" });
