import * as z from "zod";
import { madeBy } from "./made-by.ts";

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/** What a link to the page of a user is for, and for how long it is good then. */
const lifetimes = {
  /** For a user who is signed in at the team at this moment. */
  launch: 15 * MINUTE_S,
  /** For messages, which others may read: its page has neither names, nor tests, nor results. */
  communications: 14 * DAY_S,
} as const;

const context = z.enum(["launch", "communications"]);

/** For what a link is made, and which order it leads to. */
export const userPortalDraft = z.object({ context, order_id: z.guid().toLowerCase().nullish() });

/** A link to the page of a user, and the seconds for which it is good. */
export const userPortalUrl = z.object({ url: z.url(), expires_in: z.int() }).meta({ id: "UserPortalUrl" });

/** What a link opens, as stored under the hash of its secret. */
export const userPortalLink = madeBy.extend({
  context,
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type UserPortalLink = z.output<typeof userPortalLink>;

/** For how long a link is good, seconds. */
export const lifetimeOf = (context: UserPortalLink["context"]): number => lifetimes[context];
