import * as z from "zod";

/** Grace period of a deletion: seven days of 24 hours. */
export const GRACE_PERIOD_MS = 7 * 24 * 60 * 60 * 1000;

/** Input of the deletion state machine and its steps: ids and an instant, no personal data. */
export const deletionInput = z.object({
  deletion_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  /** End of the grace period, ISO 8601. */
  erase_at: z.string(),
});
export type DeletionInput = z.output<typeof deletionInput>;
