import * as z from "zod";

/** What an address for pushes says beside the provider; more may be there, of the provider's own. */
export const pushQuery = z.object({
  team_id: z.guid().toLowerCase().optional().describe("The team whose own application the pushes are for"),
});
