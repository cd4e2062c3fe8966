import * as z from "zod";
import { madeBy } from "../made-by.ts";

/** Common fields of one-time tokens: owner, expiry and time of use. */
export const oneTime = madeBy.extend({
  team_id: z.string(),
  user_id: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});
export type OneTime = z.output<typeof oneTime>;
