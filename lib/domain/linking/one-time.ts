import * as z from "zod";
import { madeBy } from "../made-by.ts";

/** What every one-time token is kept with: of whom it is, until when it is good, and when it was used. */
export const oneTime = madeBy.extend({
  team_id: z.string(),
  user_id: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});
export type OneTime = z.output<typeof oneTime>;
