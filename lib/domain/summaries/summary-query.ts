import * as z from "zod";
import { providerFilter, rangeQuery } from "../timeseries/query.ts";

/** The days to read, for kinds of which ranges are dates without time. */
export const datesQuery = rangeQuery.extend({
  start_date: z.iso.date().meta({ description: "YYYY-MM-DD" }),
  end_date: z.iso.date().optional().meta({ description: "YYYY-MM-DD, included" }),
});

/** The query of kinds that are of no day. */
export const providerQuery = z.object({ provider: providerFilter });
