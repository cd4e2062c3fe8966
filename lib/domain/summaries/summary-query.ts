import * as z from "zod";
import { providerFilter, rangeQuery } from "../timeseries/range-query.ts";

/** Date range to read, for kinds whose ranges are dates without times. */
export const dateRangeQuery = rangeQuery.extend({
  start_date: z.iso.date().meta({ description: "YYYY-MM-DD" }),
  end_date: z.iso.date().optional().meta({ description: "YYYY-MM-DD, included" }),
});

/** Query parameters of kinds without days. */
export const providerQuery = z.object({ provider: providerFilter });
