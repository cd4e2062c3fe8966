import * as z from "zod";
import { madeBy } from "./made-by.ts";

/** A link to the webhook portal is good for this long. */
export const PORTAL_SESSION_MS = 60 * 60 * 1000;

/** What a link to the webhook portal opens, as stored under the hash of its secret. */
export const portalSession = madeBy.extend({
  team_id: z.string(),
  /** The API key that asked for the link, which dies with it. */
  key_id: z.string(),
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type PortalSession = z.output<typeof portalSession>;
