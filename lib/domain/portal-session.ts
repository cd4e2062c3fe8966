import * as z from "zod";
import { madeBy } from "./made-by.ts";

/** Lifetime of a link to the webhook portal. */
export const PORTAL_SESSION_MS = 60 * 60 * 1000;

/** A session of the webhook portal, stored under the hash of the link's secret. */
export const portalSession = madeBy.extend({
  team_id: z.string(),
  /** The API key that requested the link; revoking the key ends the session. */
  key_id: z.string(),
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type PortalSession = z.output<typeof portalSession>;
