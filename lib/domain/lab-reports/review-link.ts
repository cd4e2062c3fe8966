import * as z from "zod";
import { madeBy } from "../made-by.ts";

/** A link to the page on which a report is looked through is good for this long. */
export const REVIEW_LINK_MS = 12 * 60 * 60 * 1000;

/** What such a link opens, as stored under the hash of its secret. */
export const reviewLink = madeBy.extend({
  team_id: z.string(),
  /** The user of the report; absent in links of earlier versions. */
  user_id: z.string().optional(),
  /** The parsing job, the only one that the link reaches. */
  job_id: z.string(),
  /** The API key that asked for the link, which dies with it. */
  key_id: z.string(),
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type ReviewLink = z.output<typeof reviewLink>;
