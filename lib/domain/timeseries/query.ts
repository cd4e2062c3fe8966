import * as z from "zod";
import { queryBoolean } from "../../contract/parts.ts";
import { findProvider } from "../sources/providers.ts";

/** A provider slug, or the empty text for all providers. */
export const providerFilter = z
  .string()
  .refine((slug) => slug === "" || findProvider(slug) !== undefined, "Unknown provider")
  .default("")
  .meta({ description: "Provider slug; empty for all" });

const boundary = z.string().min(1).max(64).meta({ description: "YYYY-MM-DD or ISO 8601 date-time" });

/** As of which instant data is read, an addition to the published interface (docs/query.md). */
export const asOf = {
  as_of: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "ISO 8601 date-time: answers what had been received until then instead of what stands" }),
};
export type AsOf = z.output<z.ZodObject<typeof asOf>>;

/** The span of time to read: a date without time means 00:00:00 as start and 23:59:59 as end. */
export const rangeQuery = z.object({ start_date: boundary, end_date: boundary.optional(), provider: providerFilter });

export type RangeQuery = z.output<typeof rangeQuery>;

/** The same where answers may be explained. */
export const explainedRangeQuery = rangeQuery.extend({
  explain: queryBoolean.optional().meta({ description: "Whether to tell how each one stands among other sources" }),
  ...asOf,
});
export type ExplainedRangeQuery = z.output<typeof explainedRangeQuery>;

/** The query of grouped reads. */
export const timeseriesQuery = rangeQuery.extend({
  next_cursor: z.string().max(2_000).optional().meta({ description: "Cursor of the next page" }),
  cursor: z.string().max(2_000).optional().meta({ deprecated: true, description: "Same as next_cursor" }),
  ...asOf,
});
export type TimeseriesQuery = z.output<typeof timeseriesQuery>;
