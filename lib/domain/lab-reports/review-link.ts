import * as z from "zod";
import { issuedLink } from "../management/issued-by.ts";

/** Lifetime of a link to the review page. */
export const REVIEW_LINK_TTL_MS = 12 * 60 * 60 * 1000;

/** The stored grant of a review link, keyed by the hash of its secret. */
export const reviewLink = issuedLink.extend({
  /** The user of the report; absent in links of earlier versions. */
  user_id: z.string().optional(),
  /** The only parsing job that the link gives access to. */
  job_id: z.string(),
});
export type ReviewLink = z.output<typeof reviewLink>;
