import * as z from "zod";
import { queryBoolean } from "../../contract/shared-schemas.ts";
import { findProvider } from "../connections/providers/providers.ts";

/** A provider slug, or the empty string for all providers. */
export const providerFilter = z
  .string()
  .refine((slug) => slug === "" || findProvider(slug) !== undefined, "Unknown provider")
  .default("")
  .meta({ description: "Provider slug; empty for all" });

const boundary = z.string().min(1).max(64).meta({ description: "YYYY-MM-DD or ISO 8601 date-time" });
const end = z.string().max(64).meta({ description: "YYYY-MM-DD or ISO 8601 date-time; empty for no end" });

/** The instant as of which data is read (docs/query.md). */
export const asOfQuery = {
  as_of: z.string().max(64).optional().meta({
    description: "ISO 8601 date-time. Returns the data received up to this instant instead of the current data",
  }),
};
export type AsOfQuery = z.output<z.ZodObject<typeof asOfQuery>>;

/** The time range to read. A date without a time means 00:00:00 as start and 23:59:59 as end. */
export const rangeQuery = z.object({ start_date: boundary, end_date: end.optional(), provider: providerFilter });

export type RangeQuery = z.output<typeof rangeQuery>;

/** A time range with optional explanations. */
export const explainedRangeQuery = rangeQuery.extend({
  explain: queryBoolean
    .optional()
    .meta({ description: "Whether to explain how each summary compares with other sources" }),
  ...asOfQuery,
});
export type ExplainedRangeQuery = z.output<typeof explainedRangeQuery>;

/** Query parameters of grouped reads. */
export const timeseriesQuery = rangeQuery.extend({
  next_cursor: z.string().max(2_000).optional().meta({ description: "Cursor of the page to return" }),
  cursor: z.string().max(2_000).optional().meta({ deprecated: true, description: "Same as next_cursor" }),
  ...asOfQuery,
});
export type TimeseriesQuery = z.output<typeof timeseriesQuery>;
