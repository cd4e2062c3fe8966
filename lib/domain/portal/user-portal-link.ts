import * as z from "zod";
import { issuedBy } from "../management/issued-by.ts";
import { DAY_S } from "../shared/durations.ts";

const MINUTE_S = 60;

/** Lifetime of a user portal link in seconds, by purpose. */
const lifetimesS = {
  /** For a user who is signed in to the team's application right now. */
  launch: 15 * MINUTE_S,
  /** For messages, which others may read: the page shows no names, tests or results. */
  communications: 14 * DAY_S,
} as const;

const context = z.enum(["launch", "communications"]);

/** Request body to create a link: its purpose, and the order it opens. */
export const userPortalDraft = z.object({
  context: context.describe("`launch` for a user who is signed in at the team, `communications` for messages"),
  order_id: z.guid().toLowerCase().nullish().describe("Order of the user at which the page opens"),
});

/** A user portal link, and its lifetime in seconds. */
export const userPortalUrl = z
  .object({ url: z.url(), expires_in: z.int().describe("Seconds") })
  .meta({ id: "UserPortalUrl" });

/** A user portal link, stored under the hash of its secret. */
export const userPortalLink = issuedBy.extend({
  context,
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type UserPortalLink = z.output<typeof userPortalLink>;

/** Lifetime of a link, seconds. */
export const userPortalLinkLifetimeS = (context: UserPortalLink["context"]): number => lifetimesS[context];
