import * as z from "zod";
import { issuedBy } from "../../management/issued-by.ts";

/** Common fields of one-time tokens: owner, expiry and time of use. */
export const oneTimeToken = issuedBy.extend({
  team_id: z.string(),
  user_id: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});
export type OneTimeToken = z.output<typeof oneTimeToken>;
