import * as z from "zod";

/** Query parameters of a push URL; a provider may add its own. */
export const pushQuery = z.object({
  team_id: z.guid().toLowerCase().optional().describe("Team that owns the application of the pushes"),
});
