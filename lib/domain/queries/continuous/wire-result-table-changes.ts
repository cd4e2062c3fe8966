import * as z from "zod";

/** Changed rows of a continuous query's result, as one list per column. */
export const wireResultTableChanges = z
  .object({
    query_id: z.guid(),
    query_slug: z.string(),
    data: z.record(z.string(), z.array(z.unknown())),
  })
  .meta({ id: "ResultTableChanges" });
