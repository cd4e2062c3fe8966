import * as z from "zod";

/** What changed in the result of a continuous query: its rows, as a list for each column. */
export const wireResultTableChanges = z
  .object({
    query_id: z.guid(),
    query_slug: z.string(),
    data: z.record(z.string(), z.array(z.unknown())),
  })
  .meta({ id: "ResultTableChanges" });
